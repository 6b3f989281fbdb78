// What generated query functions do with items that others wrote, with the ends of ranges and with arguments that do not fit:
// the same as the runtime. Arguments: the endpoint, the binary, the folder of the repository.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, NumberValue, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as albums from './albums/typescript/patterns.js';
import * as catalogue from './catalogue/typescript/patterns.js';
import * as moves from './moves/typescript/patterns.js';
import * as platform from './platform/typescript/patterns.js';
import type { License } from './platform/typescript/entities.js';
import { skReading } from './readings/typescript/keys.js';
import * as readings from './readings/typescript/patterns.js';
import * as visits from './visits/typescript/patterns.js';

type Item = Record<string, unknown>;

const [endpoint, keyfold, root] = process.argv.slice(2) as [string, string, string];
const dynamodb = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } });
const client = DynamoDBDocumentClient.from(dynamodb);
/** The client for numbers of more digits than a double keeps. */
const exactClient = DynamoDBDocumentClient.from(dynamodb, { unmarshallOptions: { wrapNumbers: true } });

type RuntimePage = { items: { attributes: Item }[]; problems?: unknown[] };

/** The page that the runtime returns, or what it says. */
function runtimePage(folder: string, pattern: string, args: string[], as: string[] = []): RuntimePage | string {
  const call = ['query', `${root}/${folder}`, pattern, ...args, ...as, '--endpoint', endpoint, '--json'];
  const { status, stdout, stderr } = spawnSync(keyfold, call, { encoding: 'utf8', maxBuffer: 1 << 26 });
  return status === 0 ? (JSON.parse(stdout) as RuntimePage) : stdout + stderr;
}

/** The items that the runtime returns, or what it says. */
function runtime(folder: string, pattern: string, args: string[], as: string[] = []): Item[] | string {
  const page = runtimePage(folder, pattern, args, as);
  return typeof page === 'string' ? page : page.items.map(({ attributes }) => attributes);
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

/** A client that notes the queries sent through it. */
function noting(): { client: DynamoDBDocumentClient; filters: (string | undefined)[] } {
  const filters: (string | undefined)[] = [];
  const send = (command: QueryCommand) => {
    if (command instanceof QueryCommand) filters.push(command.input.FilterExpression);
    return client.send(command);
  };
  return { client: { send } as unknown as DynamoDBDocumentClient, filters };
}

await check('an entity whose key cannot hold a tenant has no items of it, and the others’ conditions remain', async () => {
  const tenant = 'dan#sons';
  const as = ['--as', `tenant=${tenant},subject=dan`];
  const everything = noting();
  const page = await moves.everythingInACity(everything.client, { city: 'Oslo' }, { tenant });
  const wanted = runtime('tests/generated/moves', 'everything in a city', ['city=Oslo'], as);
  assert.deepEqual(values(page.items.map(({ item }) => item), 'personId'), values(wanted, 'personId'));
  assert.deepEqual(values(wanted, 'personId'), ['dan']);
  assert.deepEqual(everything.filters, ['#t0 = :t0']);
  // Where no key can hold it, nothing is read.
  const rooms = noting();
  assert.deepEqual(await moves.roomsInACity(rooms.client, { city: 'Oslo' }, { tenant }), { items: [], problems: [] });
  assert.deepEqual(runtime('tests/generated/moves', 'rooms in a city', ['city=Oslo'], as), []);
  assert.deepEqual(rooms.filters, []);
});

/** A client that runs a step after each query of an index, as if the index were behind the table, and can overlook items. */
function disturbed(step: () => Promise<void>, overlooked = 0): { client: DynamoDBDocumentClient; sent: string[] } {
  const sent: string[] = [];
  let left = overlooked;
  const send = async (command: QueryCommand | GetCommand) => {
    const output = (await client.send(command as QueryCommand)) as { Items?: Item[] };
    const isIndex = command instanceof QueryCommand && command.input.IndexName !== undefined;
    sent.push(command instanceof GetCommand ? 'GetItem' : isIndex ? 'Query of an index' : 'Query');
    if (isIndex) await step();
    if (sent.at(-1) !== 'Query' || left === 0) return output;
    left -= 1;
    return { ...output, Items: [] };
  };
  return { client: { send } as unknown as DynamoDBDocumentClient, sent };
}

const eve = (team: string): Item => ({
  PK: 'PERSON#eve',
  SK: `PERSON#${team}#Eve`,
  GSI1PK: `TEAM#${team}`,
  GSI1SK: 'Eve#eve',
  personId: 'eve',
  org: 'acme',
  team,
  name: 'Eve',
  email: 'eve@acme.example',
  city: 'Bergen',
});

const eveByEmail: Item = {
  PK: 'EMAIL#eve@acme.example',
  SK: 'LOOKUP',
  GSI1PK: 'EMAIL#eve@acme.example',
  GSI1SK: 'PERSON#eve',
  personId: 'eve',
};

await check('an item that has moved since the index was read is searched in its partition', async () => {
  // Both keys are removed afterwards; only one holds the person at a time.
  await withItems(moves.TABLE, [eve('yellow'), eve('green')], async () => {
    await client.send(new DeleteCommand({ TableName: moves.TABLE, Key: { PK: 'PERSON#eve', SK: 'PERSON#yellow#Eve' } }));
    const { client: moving, sent } = disturbed(async () => {
      await client.send(new DeleteCommand({ TableName: moves.TABLE, Key: { PK: 'PERSON#eve', SK: 'PERSON#green#Eve' } }));
      await client.send(new PutCommand({ TableName: moves.TABLE, Item: eve('yellow') }));
    });
    const page = await moves.peopleOfATeam(moving, { team: 'green' });
    assert.deepEqual(values(page.items, 'team'), ['yellow']);
    assert.deepEqual(sent, ['Query of an index', 'GetItem', 'Query']);
  });
});

await check('an item that moves during the search is searched again', async () => {
  await withItems(moves.TABLE, [eve('green'), eveByEmail], async () => {
    const still = () => Promise.resolve();
    const overlooked = disturbed(still, 1);
    const page = await moves.personByEmail(overlooked.client, { email: 'Eve@acme.example' });
    assert.deepEqual(page.items, (await moves.personByEmail(client, { email: 'eve@acme.example' })).items);
    assert.deepEqual(values(page.items, 'personId'), ['eve']);
    assert.deepEqual(overlooked.sent, ['Query of an index', 'Query', 'Query']);
    assert.deepEqual(values(runtime('tests/generated/moves', 'person by email', ['email=eve@acme.example']), 'personId'), ['eve']);
    const lost = disturbed(still, 2);
    assert.deepEqual((await moves.personByEmail(lost.client, { email: 'eve@acme.example' })).items, []);
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

await check('a range whose lower bound is above the upper one is empty, and not sent', async () => {
  const days = { from: '2026-01-31', to: '2026-01-03' };
  const moments = { start: '2030-01-01T00:00:00.000Z', end: '2020-01-01T00:00:00.000Z' };
  const spelt = (args: object) => Object.entries(args).map(([name, value]) => `${name}=${value as string}`);
  for (const [folder, pattern, args, call] of [
    ['designs/catalogue', 'matches between', days, (through: DynamoDBDocumentClient) => catalogue.matchesBetween(through, days)],
    ['designs/catalogue', 'matches in a range', days, (through: DynamoDBDocumentClient) => catalogue.matchesInARange(through, days)],
    ['designs/platform', 'sent notifications between', moments, (through: DynamoDBDocumentClient) => platform.sentNotificationsBetween(through, moments)],
  ] as const) {
    const noted = noting();
    assert.deepEqual(await call(noted.client), { items: [], problems: [] }, pattern);
    assert.deepEqual(noted.filters, [], pattern);
    assert.deepEqual(runtime(folder, pattern, spelt(args)), [], pattern);
  }
  // The bounds are equal: the range holds one key.
  const day = { from: '2026-01-03', to: '2026-01-03' };
  const page = await catalogue.matchesInARange(client, day);
  assert.deepEqual(values(page.items, 'matchId'), values(runtime('designs/catalogue', 'matches in a range', spelt(day)), 'matchId'));
  assert.ok(page.items.length > 0);
});

await check('a day as a bound of moments includes all of them, and a moment stands for its day', async () => {
  const found = async (given: { start: string; end: string }) => {
    const page = await platform.sentNotificationsBetween(client, given);
    const wanted = runtime('designs/platform', 'sent notifications between', [`start=${given.start}`, `end=${given.end}`]);
    assert.deepEqual(values(page.items, 'id'), values(wanted, 'id'));
    return page.items.map((item) => item.sentAt);
  };
  const all = await found({ start: '2020-01-01', end: '2039-12-31' });
  const last = all.at(-1) ?? assert.fail('there are notifications');
  const day = last.slice(0, 10);
  assert.ok((await found({ start: day, end: day })).includes(last));
  assert.ok((await found({ start: last.replace('.000Z', '+00:00'), end: day })).includes(last));
  await assert.rejects(platform.sentNotificationsBetween(client, { start: 'soon', end: day }), /must be a datetime/);
  const between = await catalogue.matchesBetween(client, { from: '2026-02-01T01:30:00+02:00', to: '2026-02-28' });
  const wanted = runtime('designs/catalogue', 'matches between', ['from=2026-01-31', 'to=2026-02-28']);
  assert.deepEqual(values(between.items, 'matchId'), values(wanted, 'matchId'));
  await assert.rejects(catalogue.matchesBetween(client, { from: '2026-02-01', to: '2026-02-30' }), /`to` must be a date/);
});

await check('an item whose key matches no entity is left out and reported', async () => {
  const site = '01KDVS00000000000000000A01';
  const key = { PK: `SITE#${site}`, SK: 'UNHEARD#OF' };
  const before = await catalogue.siteWithEverything(client, { site });
  assert.deepEqual(before.problems, []);
  assert.ok(before.items.length > 0);
  await withItems(catalogue.TABLE, [key], async () => {
    const wanted = runtimePage('designs/catalogue', 'site with everything', [`site=${site}`]);
    assert.ok(typeof wanted !== 'string', String(wanted));
    const read = await catalogue.siteWithEverything(client, { site });
    assert.equal(read.items.length, wanted.items.length);
    assert.deepEqual(read.items, before.items);
    assert.deepEqual(read.problems, wanted.problems);
    assert.deepEqual(read.problems.map((problem) => problem.key), [key]);
    assert.match(String(read.problems[0]?.detail), /its key matches no entity of the design/);
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

await check('numbers in text keys are written without an exponent', async () => {
  const page = await readings.readingsWithAValue(client, { sensorId: 's1', value: 1e-7 });
  const wanted = runtime('tests/generated/readings', 'readings with a value', ['sensorId=s1', 'value=0.0000001']);
  assert.deepEqual(values(page.items, 'readingId'), values(wanted, 'readingId'));
  assert.deepEqual(values(page.items, 'readingId'), ['r1']);
  assert.equal(skReading({ value: 1e21, readingId: 'r' }), 'VALUE#1000000000000000000000#r');
  assert.equal(skReading({ value: -1.5e-9, readingId: 'r' }), 'VALUE#-0.0000000015#r');
});

await check('a pattern that counts counts beyond its page size', async () => {
  assert.equal(await readings.numberOfReadings(client, { sensorId: 's1' }), 5);
});

await check('a page ends with the result that makes it 1 MiB large', async () => {
  const text = 'é'.repeat(150_000);
  const big = [1, 2, 3, 4, 5].map((number) =>
    license('northwind', `big-${number}`, { accountId: 'northwind', enterpriseId: 'big', GSI2PK: 'ENTERPRISE#big', note: text }),
  );
  await withItems(platform.TABLE, big, async () => {
    const first = await platform.licensesByEnterprise(client, { enterpriseId: 'big' }, { take: 100 });
    const wanted = runtime('designs/platform', 'licenses by enterprise', ['enterpriseId=big']);
    assert.deepEqual(values(first.items, 'licenseId'), values(wanted, 'licenseId'));
    assert.equal(first.items.length, 4);
    assert.ok(first.cursor !== undefined);
    const rest = await platform.licensesByEnterprise(client, { enterpriseId: 'big' }, { cursor: first.cursor });
    assert.deepEqual(values(rest.items, 'licenseId'), ['big-5']);
    assert.equal(rest.cursor, undefined);
  });
  const bigVisits = [0, 1, 2, 3, 0].map((shard, number) => ({
    PK: 'PERSON#big',
    SK: `VISIT#v${number}`,
    GSI1PK: `VISITS#2026-05-05#${shard}`,
    GSI1SK: `2026-05-05T00:00:0${number}.000Z#v${number}`,
    personId: 'big',
    visitId: `v${number}`,
    day: '2026-05-05',
    at: `2026-05-05T00:00:0${number}.000Z`,
    type: text,
    weight: -70.25,
  }));
  await withItems(visits.TABLE, bigVisits, async () => {
    const first = await visits.visitsOfADay(client, { day: '2026-05-05' });
    const wanted = runtime('tests/generated/visits', 'visits of a day', ['day=2026-05-05']);
    assert.deepEqual(values(first.items, 'visitId'), values(wanted, 'visitId'));
    assert.equal(first.items.length, 4);
    const rest = await visits.visitsOfADay(client, { day: '2026-05-05' }, first.cursor === undefined ? {} : { cursor: first.cursor });
    assert.deepEqual(values(rest.items, 'visitId'), ['v4']);
  });
});

/** All items of a pattern, one by one; each cursor is sent as JSON. */
async function oneByOne(ask: (options: object) => Promise<{ items: unknown[]; cursor?: unknown }>): Promise<{ items: unknown[]; pages: number }> {
  const items: unknown[] = [];
  let pages = 0;
  let cursor: unknown;
  do {
    const page = await ask(cursor === undefined ? { take: 1 } : { take: 1, cursor: JSON.parse(JSON.stringify(cursor)) as unknown });
    items.push(...page.items);
    pages += 1;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { items, pages };
}

await check('numbers of more digits than a double keeps', async () => {
  const exact = (value: string, readingId: string) => ({
    PK: 'SENSOR#s2',
    SK: `VALUE#${value}#${readingId}`,
    GSI1PK: 'UNIT#celsius#0',
    GSI1SK: NumberValue.from(value),
    sensorId: 's2',
    readingId,
    value: NumberValue.from(value),
    unit: 'celsius',
  });
  // Doubles hold neither, and round both to the same number.
  const items = [exact('21.50000000000000000001', 'x2'), exact('21.50000000000000000002', 'x3'), exact('99999999999999999999', 'x4')];
  await withItems(readings.TABLE, items, async () => {
    const wanted = runtime('tests/generated/readings', 'readings by unit', ['unit=celsius']);
    const page = await readings.readingsByUnit(exactClient, { unit: 'celsius' });
    assert.deepEqual(values(page.items, 'readingId'), values(wanted, 'readingId'));
    assert.deepEqual(values(page.items, 'readingId'), ['r3', 'r1', 'r2', 'x2', 'x3', 'x4']);
    assert.deepEqual(values(page.items, 'value').map(String), ['-40', '1e-7', '21.5', '21.50000000000000000001', '21.50000000000000000002', '99999999999999999999']);
    assert.equal(typeof page.items[2]?.value, 'number');
    const paged = await oneByOne((options) => readings.readingsByUnit(exactClient, { unit: 'celsius' }, options));
    assert.deepEqual(values(paged.items, 'readingId'), values(wanted, 'readingId'));
    const ofSensor = await readings.readingsOfASensor(exactClient, { sensorId: 's2' });
    assert.deepEqual(values(ofSensor.items, 'readingId'), ['x2', 'x3', 'x4']);
  });
});

await check('a filter compares with the very value that the design states', async () => {
  const stated = (readingId: string, more: Item) => ({ PK: 'SENSOR#s3', SK: `VALUE#1#${readingId}`, sensorId: 's3', readingId, value: 1, unit: 'celsius', ...more });
  const exact = '21.50000000000000000001';
  const items = [
    stated('x1', { value: NumberValue.from(exact), SK: `VALUE#${exact}#x1` }),
    stated('x2', { value: 21.5, SK: 'VALUE#21.5#x2' }),
    stated('x3', { digest: new TextEncoder().encode('signed') }),
    stated('x4', { digest: new TextEncoder().encode('unsigned') }),
    stated('x5', { remark: null }),
    stated('x6', { remark: 'null' }),
  ];
  const args = { sensorId: 's3' };
  await withItems(readings.TABLE, items, async () => {
    for (const [pattern, call, wanted] of [
      ['readings with an exact value', readings.readingsWithAnExactValue, 'x1'],
      ['signed readings', readings.signedReadings, 'x3'],
      ['readings without a remark', readings.readingsWithoutARemark, 'x5'],
    ] as const) {
      assert.deepEqual(values((await call(client, args)).items, 'readingId'), [wanted], pattern);
      assert.deepEqual(values(runtime('tests/generated/readings', pattern, ['sensorId=s3']), 'readingId'), [wanted], pattern);
    }
  });
});

await check('a cursor with a binary key is plain data', async () => {
  const digest = Uint8Array.from([1, 2, 3]);
  const { items } = await oneByOne((options) => readings.readingsByDigest(client, { digest }, options));
  assert.deepEqual(values(items, 'readingId'), ['r1', 'r2', 'r3']);
});

await check('a page has 100 results where neither the call nor the pattern states a number', async () => {
  const items = [...Array(101).keys()].map((number) => {
    const visitId = String(number).padStart(3, '0');
    const [day, at] = ['2026-03-01', '2026-03-01T08:00:00.000Z'];
    return { PK: 'PERSON#eve', SK: `VISIT#${visitId}`, GSI1PK: `VISITS#${day}#0`, GSI1SK: `${at}#${visitId}`, personId: 'eve', visitId, day, at };
  });
  await withItems(visits.TABLE, items, async () => {
    const wanted = values(runtime('tests/generated/visits', 'person with visits', ['personId=eve']), 'visitId');
    assert.equal(wanted.length, 100);
    const one = await visits.personWithVisits(client, { personId: 'eve' });
    assert.deepEqual(values(one.items.map(({ item }) => item), 'visitId'), wanted);
    const merged = await visits.visitsOfADay(client, { day: '2026-03-01' });
    assert.deepEqual(values(merged.items, 'visitId'), wanted);
    assert.ok(one.cursor !== undefined && merged.cursor !== undefined);
    assert.equal(await visits.visitsInADay(client, { day: '2026-03-01' }), 101);
  });
});

await check('the last page of merged partitions has no cursor', async () => {
  const { items, pages } = await oneByOne((options) => readings.hotReadings(client, { unit: 'pascal' }, options));
  assert.deepEqual(values(items, 'readingId'), ['r4']);
  assert.equal(pages, 1);
  const call = ['query', `${root}/tests/generated/readings`, 'hot readings', 'unit=pascal', '--take', '1', '--endpoint', endpoint, '--json'];
  const { stdout } = spawnSync(keyfold, call, { encoding: 'utf8' });
  assert.equal((JSON.parse(stdout) as { cursor?: string | null }).cursor ?? null, null);
});

await check('items without stamps are read, and their types say so', async () => {
  const page = await platform.licensesByEnterprise(client, { enterpriseId: 'globex' });
  const stamps: (string | undefined)[] = page.items.map(({ createdAt }) => createdAt);
  const isOptional: undefined extends License['createdAt'] ? true : false = true;
  assert.ok(isOptional && stamps.length === page.items.length);
});

assert.deepEqual(failures, []);
