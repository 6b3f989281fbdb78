// One table, two writers: the designs of the gallery that are ElectroDB's own examples, and ElectroDB. Keyfold loads the
// sample data; ElectroDB reads it, and writes the same items, attribute by attribute.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, DescribeTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { client, documents, dropTable } from '../endpoint.mjs';
import { taskManager, versionControl } from './examples.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const keyfold = `${root}target/checks/keyfold`;
const skip = !existsSync(keyfold) && 'needs the keyfold binary of this checkout';

const isOfIndex = (name) => /^(pk|sk|gsi\dpk|gsi\dsk|__edb_[ev]__)$/.test(name);
const byKey = (one, two) => `${one.pk} ${one.sk}`.localeCompare(`${two.pk} ${two.sk}`);

const itemsOf = async (TableName) =>
  (await documents.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items.sort(byKey);

/** A table with the keys and indexes of another. */
async function emptyCopyOf(table, TableName) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  const GlobalSecondaryIndexes = Table.GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
  const { AttributeDefinitions, KeySchema } = Table;
  const definition = { TableName, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema, GlobalSecondaryIndexes };
  await client.send(new CreateTableCommand(definition));
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
}

/** Loads the design into the table `electro`, and hands it to a story. */
async function withSampleData(design, service, story) {
  execFileSync(keyfold, ['load', `${root}designs/gallery/${design}`, '--endpoint', process.env.KEYFOLD_ENDPOINT]);
  try {
    await story(service({ client, table: 'electro' }));
  } finally {
    await dropTable('electro');
  }
}

async function electroWritesTheSame(service) {
  const loaded = await itemsOf('electro');
  await emptyCopyOf('electro', 'electro_again');
  try {
    const { entities } = service({ client, table: 'electro_again' });
    for (const item of loaded) {
      const attributes = Object.entries(item).filter(([name]) => !isOfIndex(name));
      const plain = attributes.map(([name, value]) => [name, value instanceof Set ? [...value] : value]);
      await entities[item.__edb_e__].put(Object.fromEntries(plain)).go();
    }
    assert.deepEqual(await itemsOf('electro_again'), loaded);
  } finally {
    await dropTable('electro_again');
  }
  return loaded.length;
}

describe('the gallery and ElectroDB on one table', { skip }, () => {
  it('task manager', async () => {
    await withSampleData('task-manager', taskManager, async ({ collections, entities }) => {
      assert.equal(await electroWritesTheSame(taskManager), 13);

      const { data: workplace } = await collections.workplaces({ officeName: 'Pier 9' }).go();
      assert.deepEqual(workplace.Office.map(({ city }) => city), ['San Francisco']);
      assert.deepEqual(workplace.employee.map(({ firstName }) => firstName), ['Ada', 'Ben', 'Cem', 'Dee']);

      const { data: tasks } = await entities.task.query
        .index4({ status: 'open', project: '135-53' })
        .where(({ points }, { lte }) => lte(points, 13))
        .go();
      assert.deepEqual(tasks.map(({ taskName }) => taskName), ['T-1', 'T-3']);
    });
  });

  it('version control', async () => {
    await withSampleData('version-control', versionControl, async ({ collections }) => {
      assert.equal(await electroWritesTheSame(versionControl), 13);

      const { data: owned } = await collections.owned({ username: 'ada' }).go();
      const counts = Object.entries(owned).map(([entity, found]) => [entity, found.length]);
      assert.deepEqual(counts.sort(), [['Repository', 2], ['issue', 1], ['pull-request', 0], ['user', 1]]);

      const review = { repoOwner: 'ada', repoName: 'engine', issueNumber: '0001' };
      const { data: found } = await collections.issueReview(review).go();
      assert.deepEqual(found['issue-comment'].map(({ body }) => body), ['Which relay', 'Number 70']);
    });
  });
});
