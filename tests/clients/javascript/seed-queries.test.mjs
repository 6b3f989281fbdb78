// The eight query snippets of the seed document, run as they stand there.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  createPlatformTable,
  documents,
  dropTable,
  keysOf,
  platformItem,
  platformItems,
  platformQueries,
  writeAll,
} from '../endpoint.mjs';

// Each `### Pattern N: Title` of the document, with its one TypeScript block.
const snippets = [...platformQueries().matchAll(/^### (Pattern \d+): .*\n```typescript\n([\s\S]*?)^```/gm)].map(
  ([, name, code]) => ({ name, code }),
);

// The snippets use no type annotation, so they are JavaScript as well; their free variables become parameters.
function paramsOf(code, values) {
  const run = new Function(...Object.keys(values), `${code}\nreturn params;`);
  return run(...Object.values(values));
}

const day = 24 * 60 * 60 * 1000;
const date = (offset) => new Date(Date.now() + offset * day).toISOString().slice(0, 10);
const license = (licenseId, endDate) => ({
  PK: 'ACCOUNT#globex',
  SK: `LICENSE#${licenseId}`,
  GSI3PK: 'LICENSE#STATUS#active',
  GSI3SK: `${endDate}#${licenseId}`,
});

const expected = {
  'Pattern 1': ['ACCOUNT#acme METADATA', 'ACCOUNT#globex METADATA'],
  'Pattern 2': [
    'ACCOUNT#acme ADDRESS#billing',
    'ACCOUNT#acme ADDRESS#shipping',
    'ACCOUNT#acme LICENSE#l1',
    'ACCOUNT#acme LICENSE#l2',
    'ACCOUNT#acme LICENSE#l3',
    'ACCOUNT#acme METADATA',
    'ACCOUNT#acme TECH_USER#robot',
    'ACCOUNT#acme WORKSTREAM#w1',
    'ACCOUNT#acme WORKSTREAM#w2',
  ],
  'Pattern 3': ['USER#u1 METADATA', 'USER#u2 METADATA'],
  'Pattern 4': ['ACCOUNT#acme LICENSE#l1', 'ACCOUNT#acme LICENSE#l2', 'ACCOUNT#globex LICENSE#l4'],
  // Overdue ones first, then the one that ends in ten days; not the one that ends in sixty.
  'Pattern 5': ['ACCOUNT#globex LICENSE#l4', 'ACCOUNT#acme LICENSE#l1', 'ACCOUNT#globex LICENSE#soon'],
  'Pattern 6': [
    'ROLE#admin METADATA',
    'ROLE#admin PERMISSION#dashboard',
    'ROLE#admin PERMISSION#settings',
    'ROLE#admin PERMISSION#users',
  ],
  'Pattern 7': ['USER#u1 METADATA', 'USER#u1 WORKSTREAM#w1', 'USER#u1 WORKSTREAM#w2'],
  'Pattern 8': ['ENTERPRISE#north METADATA', 'ENTERPRISE#north PRODUCT#ledger', 'ENTERPRISE#north SERVICE#hosting'],
};

describe('the query snippets of the platform seed', () => {
  let TableName;
  before(async () => {
    TableName = await createPlatformTable();
    await writeAll(TableName, [...platformItems(), license('soon', date(10)), license('later', date(60))]);
  });
  after(() => dropTable(TableName));

  it('are eight', () =>
    assert.deepEqual(
      snippets.map(({ name }) => name),
      Object.keys(expected),
    ));

  for (const { name, code } of snippets) {
    it(`${name} returns exactly its items`, async () => {
      const params = paramsOf(code, { accountId: 'acme', enterpriseId: 'north', roleId: 'admin', userId: 'u1' });
      const page = await documents.send(new QueryCommand({ TableName, ...params }));
      assert.deepEqual(keysOf(page.Items), expected[name]);
      assert.equal(page.Count, expected[name].length);
      assert.equal(page.LastEvaluatedKey, undefined);
      for (const item of page.Items) {
        const seeded = platformItem(item.PK, item.SK);
        if (seeded) assert.deepEqual(item, seeded);
      }
    });
  }
});
