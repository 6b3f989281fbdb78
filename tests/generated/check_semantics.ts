// What generated query functions do with items that others wrote, with the ends of ranges and with arguments that do not fit:
// the same as the runtime. Arguments: the endpoint, the binary, the folder of the repository.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as albums from './albums/typescript/patterns.js';
import * as catalogue from './catalogue/typescript/patterns.js';
import * as platform from './platform/typescript/patterns.js';
import * as visits from './visits/typescript/patterns.js';

type Item = Record<string, unknown>;

const [endpoint, keyfold, root] = process.argv.slice(2) as [string, string, string];
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
);

/** What the runtime returns, or what it says. */
function runtime(folder: string, pattern: string, args: string[], as: string[] = []): Item[] | string {
  const call = ['query', `${root}/${folder}`, pattern, ...args, ...as, '--endpoint', endpoint, '--json'];
  const { status, stdout, stderr } = spawnSync(keyfold, call, { encoding: 'utf8' });
  if (status !== 0) return stdout + stderr;
  return (JSON.parse(stdout) as { items: { attributes: Item }[] }).items.map(({ attributes }) => attributes);
}

/** Items that someone else writes, for the time of a check. */
async function withItems(table: string, items: Item[], check: () => Promise<void>): Promise<void> {
  const keys = items.map(({ PK, SK }) => ({ PK, SK }));
  for (const item of items) await client.send(new PutCommand({ TableName: table, Item: item }));
  try {
    await check();
  } finally {
    for (const key of keys) await client.send(new DeleteCommand({ TableName: table, Key: key }));
  }
}

function values(items: unknown[] | string, name: string): unknown[] {
  assert.ok(Array.isArray(items), String(items));
  return items.map((item) => (item as Item)[name]);
}

const failures: string[] = [];
async function check(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    console.log(`the same as the runtime: ${name}`);
  } catch (error) {
    failures.push(name);
    console.error(`not the same as the runtime: ${name}\n${String(error)}`);
  }
}

const license = (account: string, id: string, more: Item = {}): Item => ({
  PK: `ACCOUNT#${account}`,
  SK: `LICENSE#${id}`,
  GSI2PK: 'ENTERPRISE#globex',
  GSI2SK: `LICENSE#${id}`,
  licenseId: id,
  enterpriseId: 'globex',
  status: 'active',
  endDate: '2027-01-01',
  seats: 1,
  ...more,
});

await check('the key says whose an item is', async () => {
  // One that claims to be northwind's in the partition of another tenant, and one that lies in northwind's and does not say so.
  const foreign = license('contoso', 'aa-foreign', { accountId: 'northwind' });
  const silent = license('northwind', 'aa-silent');
  await withItems(platform.TABLE, [foreign, silent], async () => {
    const page = await platform.licensesByEnterprise(client, { enterpriseId: 'globex' }, { tenant: 'northwind' });
    const wanted = runtime('designs/platform', 'licenses by enterprise', ['enterpriseId=globex'], ['--as', 'tenant=northwind,subject=ada']);
    assert.deepEqual(values(page.items, 'licenseId'), values(wanted, 'licenseId'));
    assert.ok(values(page.items, 'licenseId').includes('aa-silent'));
    assert.ok(!values(page.items, 'licenseId').includes('aa-foreign'));
  });
});

await check('a range of days includes its last day', async () => {
  const args = { from: '2026-01-03', to: '2026-01-31' };
  const given = ['from=2026-01-03', 'to=2026-01-31'];
  for (const [pattern, call] of [['matches between', catalogue.matchesBetween], ['matches in a range', catalogue.matchesInARange]] as const) {
    const page = await call(client, args);
    assert.deepEqual(values(page.items, 'matchId'), values(runtime('designs/catalogue', pattern, given), 'matchId'));
    assert.ok(values(page.items, 'date').includes('2026-01-31'));
  }
});

await check('a day is no bound of a range of moments, whose last day it would drop', async () => {
  const refused = runtime('designs/platform', 'sent notifications between', ['start=2026-01-01', 'end=2026-01-31']);
  assert.match(String(refused), /must be a datetime/);
  await assert.rejects(platform.sentNotificationsBetween(client, { start: '2026-01-01', end: '2026-01-31' }), /must be a datetime/);
  await assert.rejects(catalogue.matchesBetween(client, { from: '2026-02-01', to: '2026-02-30' }), /`to` must be a date/);
});

await check('an item whose key fits no entity is an error', async () => {
  const PK = 'SITE#01KDVS00000000000000000A01';
  await withItems(catalogue.TABLE, [{ PK, SK: 'UNHEARD#OF' }], async () => {
    const wanted = 'its key fits no entity of the design';
    assert.match(String(runtime('designs/catalogue', 'site with everything', ['site=01KDVS00000000000000000A01'])), new RegExp(wanted));
    await assert.rejects(catalogue.siteWithEverything(client, { site: '01KDVS00000000000000000A01' }), new RegExp(`SK=UNHEARD#OF.*${wanted}`));
  });
});

await check('an item that is being deleted is gone', async () => {
  await withItems(platform.TABLE, [license('northwind', 'aa-deleted', { accountId: 'northwind', kf_delete: 'deleting' })], async () => {
    const page = await platform.licensesByEnterprise(client, { enterpriseId: 'globex' });
    const wanted = runtime('designs/platform', 'licenses by enterprise', ['enterpriseId=globex']);
    assert.deepEqual(values(page.items, 'licenseId'), values(wanted, 'licenseId'));
    assert.ok(!values(page.items, 'licenseId').includes('aa-deleted'));
  });
});

await check('a lookup that is not the item’s own leads nowhere', async () => {
  const lookup = {
    PK: 'LOOKUP#USER#EMAIL#stale@example.com',
    SK: 'LOOKUP',
    GSI2PK: 'LOOKUP#USER#EMAIL#stale@example.com',
    GSI2SK: 'USER#01K9ZV00000000000000000ADA',
    userId: '01K9ZV00000000000000000ADA',
  };
  await withItems(albums.TABLE, [lookup], async () => {
    const page = await albums.userByEmail(client, { email: 'stale@example.com' });
    const wanted = runtime('designs/albums', 'user by email', ['email=stale@example.com']);
    assert.deepEqual(values(page.items, 'userId'), values(wanted, 'userId'));
    assert.deepEqual(page.items, []);
  });
});

await check('each value of a list is read once', async () => {
  const site = '01KDVS00000000000000000A01';
  const page = await catalogue.ratingsOfASite(client, { stars: [4, 5, 4], site });
  assert.deepEqual(values(page.items, 'stars'), values(runtime('designs/catalogue', 'ratings of a site', ['stars=4,5,4', `site=${site}`]), 'stars'));
});

await check('a parameter whose name begins like the shard’s is not the shard', async () => {
  const page = await visits.visitsOfAShardedDay(client, { shardedDay: '2026-01-01' });
  const wanted = runtime('tests/generated/visits', 'visits of a sharded day', ['shardedDay=2026-01-01']);
  assert.deepEqual(values(page.items, 'visitId'), values(wanted, 'visitId'));
  assert.equal(page.items.length, 9);
});

assert.deepEqual(failures, []);
