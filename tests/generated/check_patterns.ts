// Calls every generated query function of every design on data that the runtime wrote, and compares the results with the
// runtime's own. Arguments: the endpoint, the binary, the folder of the repository, a file for the items that the runtime read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as agencies from './agencies/typescript/patterns.js';
import * as albums from './albums/typescript/patterns.js';
import * as archive from './archive/typescript/patterns.js';
import * as catalogue from './catalogue/typescript/patterns.js';
import * as moves from './moves/typescript/patterns.js';
import * as platform from './platform/typescript/patterns.js';
import * as readings from './readings/typescript/patterns.js';
import * as visits from './visits/typescript/patterns.js';

type Value = string | number | Uint8Array | Array<string | number>;
type Page = { items: unknown[]; cursor?: unknown };
type Call = (client: DynamoDBDocumentClient, ...rest: unknown[]) => Promise<Page | number>;

const [endpoint, keyfold, root, readItems] = process.argv.slice(2) as [string, string, string, string];

/** What the runtime read, for check_schemas.py. */
const read: { design: string; entity: string; attributes: unknown }[] = [];

/** Arguments by name that lead to items of the sample data. */
const designs: Record<string, { module: object; folder?: string; tenant?: { attribute: string; id: string }; args: Record<string, Value> }> = {
  agencies: { module: agencies, tenant: { attribute: 'agencyId', id: '01K9ZV0000000000000000AAAA' }, args: { agencyId: '01K9ZV0000000000000000AAAA', idpid: 'ada' } },
  albums: {
    module: albums,
    tenant: { attribute: 'tenantId', id: '01K9ZV0000000000000000TENA' },
    args: {
      tenantId: '01K9ZV0000000000000000TENA',
      userId: '01K9ZV00000000000000000ADA',
      membershipId: '01K9ZV0000000000000000MB01',
      albumId: '01K9ZV0000000000000000AB03',
      parentId: '01K9ZV0000000000000000AB01',
      issuer: 'https://id.example.com',
      subject: 'auth0|7',
      email: 'ADA@example.com',
    },
  },
  archive: {
    module: archive,
    args: {
      collectionId: '1',
      categoryId: '1',
      postId: '1',
      household: '1',
      word: 'Bornholm',
      issuer: 'https://accounts.example.com',
      subject: 'hans',
    },
  },
  catalogue: {
    module: catalogue,
    args: {
      site: '01KDVS00000000000000000A01',
      tag: 'c#',
      user: 'ada00000-0000-4000-8000-000000000001',
      userId: 'ada00000-0000-4000-8000-000000000001',
      groupName: 'Squash',
      date: '2026-01-03',
      from: '2026-01-01',
      to: '2026-03-01',
      playerId: '019a5c00-0000-7000-8000-000000000ada',
    },
  },
  moves: {
    module: moves,
    folder: 'tests/generated/moves',
    tenant: { attribute: 'org', id: 'acme' },
    args: { team: 'red', email: 'ADA@acme.example', city: 'Oslo', org: 'acme', row: '#' },
  },
  platform: {
    module: platform,
    tenant: { attribute: 'accountId', id: 'northwind' },
    args: {
      accountId: 'northwind',
      enterpriseId: 'globex',
      roleId: 'administrator',
      userId: 'ada',
      workstreamId: 'nw-data',
      before: '2026-01-31',
      start: '2020-01-01T00:00:00.000Z',
      end: '2030-01-01T00:00:00.000Z',
    },
  },
  readings: {
    module: readings,
    folder: 'tests/generated/readings',
    args: {
      sensorId: 's1',
      value: 21.5,
      unit: 'celsius',
      digest: Uint8Array.from([1, 2, 3]),
      station: 'north',
      round: 7,
      from: '2026-03-09',
      to: '2026-03-09',
      until: '2026-03-09T08:00:00.000Z',
    },
  },
  visits: { module: visits, folder: 'tests/generated/visits', args: { personId: 'ada', day: '2026-01-01', shardedDay: '2026-01-01' } },
};

/** Where one name means different things to different patterns. */
const special: Record<string, Record<string, Value>> = {
  'places by name': { name: 'Ær' },
  'settings by name': { name: 'Archive of the islands' },
  'ratings by stars': { stars: 4 },
  'ratings of a site': { stars: [3, 4, 5] },
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** An argument as the command line takes it. */
function spelling(value: Value): string {
  return value instanceof Uint8Array ? base64(value) : Array.isArray(value) ? value.join(',') : String(value);
}

/** Sets and their order mean the same as lists of the runtime's JSON, and binary the same as its base64. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof Set) return [...value].sort((a, b) => (a < b ? -1 : 1));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
  }
  return value;
}

const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
);

for (const [design, { module, folder = `designs/${design}`, tenant, args }] of Object.entries(designs)) {
  const source = readFileSync(`${root}/${folder}/generated/typescript/patterns.ts`, 'utf8');
  const functions = source.matchAll(/\/\*\* (.+?): `.*\nexport async function (\w+)\(\n {2}client: .*\n(?: {2}args: \{ (.*) \},\n)? {2}options: (.*) = /g);
  let calls = 0;
  let found = 0;
  let ofTenants = 0;
  for (const [, pattern = '', name = '', parameters = '', options = ''] of functions) {
    const given: Record<string, Value> = {};
    for (const parameter of parameters === '' ? [] : parameters.split('; ')) {
      const key = parameter.split(':')[0] ?? '';
      const value = special[pattern]?.[key] ?? args[key];
      assert.notEqual(value, undefined, `${design}: ${pattern} needs ${key}`);
      given[key] = value as Value;
    }
    const call = (module as Record<string, Call>)[name] as Call;
    const ask = (options?: object) => (parameters === '' ? call(client, options) : call(client, given, options));
    const page = await ask();
    const spelt = Object.entries(given).map(([key, value]) => `${key}=${spelling(value)}`);
    const answer = execFileSync(keyfold, ['query', `${root}/${folder}`, pattern, ...spelt, '--endpoint', endpoint, '--json'], { encoding: 'utf8' });
    const { items, count } = JSON.parse(answer) as { items: { entity: string; attributes: unknown }[]; count: number };
    calls += 1;
    found += count;
    if (typeof page === 'number') {
      assert.equal(page, count, `${design}: ${pattern}`);
      continue;
    }
    read.push(...items.map(({ entity, attributes }) => ({ design, entity, attributes })));
    const isTagged = page.items.some((item) => typeof item === 'object' && item !== null && 'item' in item && 'entity' in item);
    const wanted = items.map(({ entity, attributes }) => (isTagged ? { entity, item: attributes } : attributes));
    assert.deepEqual(page.items.map(plain), wanted, `${design}: ${pattern}`);
    // With a tenant, other tenants' items are left out; those of everyone remain.
    if (options.includes('TenantOptions')) {
      assert.ok(tenant !== undefined, `${design} has no tenant`);
      const own = items.filter(({ attributes }) => [undefined, tenant.id].includes((attributes as Record<string, string>)[tenant.attribute]));
      const { items: ofTenant } = (await ask({ tenant: tenant.id })) as Page;
      const wantedOfTenant = own.map(({ entity, attributes }) => (isTagged ? { entity, item: attributes } : attributes));
      assert.deepEqual(ofTenant.map(plain), wantedOfTenant, `${design}: ${pattern}, of a tenant`);
      ofTenants += 1;
    }
    // Page by page gives the same; a cursor is sent and comes back.
    const paged: unknown[] = [];
    let cursor: unknown;
    do {
      const options = cursor === undefined ? { take: 2 } : { take: 2, cursor: JSON.parse(JSON.stringify(cursor)) as unknown };
      const next = (await ask(options)) as Page;
      assert.ok(next.items.length <= 2);
      paged.push(...next.items);
      cursor = next.cursor;
    } while (cursor !== undefined);
    assert.deepEqual(paged.map(plain), wanted, `${design}: ${pattern}, by pages`);
  }
  assert.ok(calls > 0 && found > 0 && ofTenants > 0 === (tenant !== undefined));
  console.log(`${design}: ${calls} patterns in TypeScript return the ${found} items that the runtime returns`);
}
writeFileSync(readItems, JSON.stringify(read));
