// ElectroDB over the platform table: entities, queries by every index, collections, cursors, transactions.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { client, createPlatformTable, documents, dropTable } from '../endpoint.mjs';
import { platformService } from './platform.mjs';

const licenseRows = [
  ['acme', 'l1', 'north', 'active', '2026-03-15', 25],
  ['acme', 'l2', 'north', 'expired', '2019-12-31', 5],
  ['acme', 'l3', 'south', 'active', '2999-12-31', 100],
  ['globex', 'l4', 'north', 'active', '2026-01-01', 3],
].map(([accountId, licenseId, enterpriseId, status, endDate, seats]) => ({
  accountId,
  licenseId,
  enterpriseId,
  status,
  endDate,
  seats,
}));
const licenseOf = (id) => licenseRows.find(({ licenseId }) => licenseId === id);
const ids = (rows) => rows.map(({ licenseId }) => licenseId);

let TableName;
let service;
let accounts;
let licenses;
let users;
let workstreams;

const stored = async (PK, SK = 'METADATA') =>
  (await documents.send(new GetCommand({ TableName, Key: { PK, SK }, ConsistentRead: true }))).Item;

// ElectroDB wraps what the client throws and keeps it as the cause.
const awsError = (name) => (error) => {
  assert.equal(error.name, 'ElectroError');
  assert.equal(error.code, 4001);
  assert.equal(error.cause.name, name);
  return true;
};

before(async () => {
  TableName = await createPlatformTable();
  service = platformService(client, TableName);
  ({ accounts, licenses, users, workstreams } = service.entities);
});
after(() => dropTable(TableName));
beforeEach(async () => {
  assert.deepEqual(await licenses.put(licenseRows).go(), { unprocessed: [] });
});

describe('entities', () => {
  it('create stores the keys of the seed and refuses a second one', async () => {
    const account = { accountId: 'acme', name: 'Acme', settings: { locale: 'en-GB', features: ['sso'] } };
    await accounts.delete({ accountId: 'acme' }).go();
    const { data } = await accounts.create(account).go();
    assert.deepEqual(data, { ...account, employees: 0, active: true });
    assert.deepEqual(await stored('ACCOUNT#acme'), {
      PK: 'ACCOUNT#acme',
      SK: 'METADATA',
      GSI1PK: 'ENTITY#ACCOUNT',
      GSI1SK: 'ACCOUNT#acme',
      ...account,
      employees: 0,
      active: true,
      __edb_e__: 'account',
      __edb_v__: '1',
    });
    await assert.rejects(accounts.create(account).go(), awsError('ConditionalCheckFailedException'));
  });

  it('put replaces, get reads, and what is absent is null', async () => {
    await accounts.put({ accountId: 'initech', name: 'Initech', labels: ['b', 'a'] }).go();
    await accounts.put({ accountId: 'initech', name: 'Initech II', employees: 3 }).go();
    assert.deepEqual(await accounts.get({ accountId: 'initech' }).go({ consistent: true }), {
      data: { accountId: 'initech', name: 'Initech II', employees: 3, active: true },
    });
    assert.deepEqual(await accounts.get({ accountId: 'nobody' }).go(), { data: null });
  });

  it('upsert creates and then updates', async () => {
    await users.delete({ userId: 'u1' }).go();
    const first = await users.upsert({ userId: 'u1', accountId: 'acme', name: 'Ada' }).go({ response: 'all_new' });
    assert.deepEqual(first.data, {
      userId: 'u1',
      accountId: 'acme',
      name: 'Ada',
      status: 'active',
      endDate: '9999-12-31',
      logins: 0,
      createdAt: 1_700_000_000,
    });
    const again = await users
      .upsert({ userId: 'u1', accountId: 'acme', name: 'Ada L.' })
      .add({ logins: 2 })
      .go({ response: 'all_new' });
    assert.deepEqual(again.data, { ...first.data, name: 'Ada L.', logins: 2 });
    assert.equal((await stored('USER#u1')).GSI3SK, '9999-12-31#u1');
  });

  it('update adds, removes and edits nested values', async () => {
    await accounts
      .put({
        accountId: 'nested',
        name: 'Nested',
        employees: 10,
        settings: { locale: 'en-GB', features: ['sso', 'audit'] },
        labels: ['a', 'b'],
      })
      .go();
    const { data } = await accounts
      .update({ accountId: 'nested' })
      .add({ employees: 5, labels: ['c'] })
      .data(({ settings }, { set, append }) => {
        set(settings.locale, 'fr-CH');
        append(settings.features, ['scim']);
      })
      .remove(['active'])
      .go({ response: 'all_new' });
    assert.deepEqual(
      { ...data, labels: [...data.labels].sort() },
      {
        accountId: 'nested',
        name: 'Nested',
        employees: 15,
        settings: { locale: 'fr-CH', features: ['sso', 'audit', 'scim'] },
        labels: ['a', 'b', 'c'],
      },
    );
    const fewer = await accounts
      .update({ accountId: 'nested' })
      .delete({ labels: ['a', 'b'] })
      .subtract({ employees: 1 })
      .go({ response: 'updated_new' });
    assert.deepEqual([fewer.data.labels, fewer.data.employees], [['c'], 14]);
  });

  it('patch refuses an absent item and moves a present one between index partitions', async () => {
    await assert.rejects(
      licenses.patch({ accountId: 'acme', licenseId: 'none' }).add({ seats: 1 }).go(),
      awsError('ConditionalCheckFailedException'),
    );
    assert.deepEqual(ids((await licenses.query.byStatus({ status: 'active' }).go()).data), ['l4', 'l1', 'l3']);
    const patched = await licenses
      .patch({ accountId: 'acme', licenseId: 'l1' })
      .set({ status: 'expired', endDate: '2026-02-28' })
      .go({ response: 'all_new' });
    assert.deepEqual(patched.data, { ...licenseOf('l1'), status: 'expired', endDate: '2026-02-28' });
    assert.deepEqual(ids((await licenses.query.byStatus({ status: 'active' }).go()).data), ['l4', 'l3']);
    assert.deepEqual(ids((await licenses.query.byStatus({ status: 'expired' }).go()).data), ['l2', 'l1']);
  });

  it('patch under a condition of the caller', async () => {
    const patch = (least) =>
      licenses
        .patch({ accountId: 'acme', licenseId: 'l1' })
        .subtract({ seats: 20 })
        .where(({ seats }, { gte }) => gte(seats, least))
        .go({ response: 'all_new' });
    assert.equal((await patch(20)).data.seats, 5);
    await assert.rejects(patch(20), awsError('ConditionalCheckFailedException'));
    assert.equal((await stored('ACCOUNT#acme', 'LICENSE#l1')).seats, 5);
  });

  it('remove demands an item, delete does not', async () => {
    const gone = await licenses.remove({ accountId: 'acme', licenseId: 'l2' }).go({ response: 'all_old' });
    assert.deepEqual(gone.data, licenseOf('l2'));
    await assert.rejects(
      licenses.remove({ accountId: 'acme', licenseId: 'l2' }).go(),
      awsError('ConditionalCheckFailedException'),
    );
    await licenses.delete({ accountId: 'acme', licenseId: 'l2' }).go();
    assert.equal(await stored('ACCOUNT#acme', 'LICENSE#l2'), undefined);
  });
});

describe('queries', () => {
  it('by the table and by each index', async () => {
    assert.deepEqual((await licenses.query.license({ accountId: 'acme' }).go()).data, licenseRows.slice(0, 3));
    assert.deepEqual(ids((await licenses.query.all({}).go()).data), ['l1', 'l2', 'l3', 'l4']);
    assert.deepEqual(ids((await licenses.query.byEnterprise({ enterpriseId: 'north' }).go()).data), ['l1', 'l2', 'l4']);
  });

  it('by ranges of the sort key, in both directions', async () => {
    const active = () => licenses.query.byStatus({ status: 'active' });
    assert.deepEqual(ids((await active().lte({ endDate: '2026-12-31' }).go()).data), ['l4', 'l1']);
    assert.deepEqual(ids((await active().gt({ endDate: '2026-03' }).go()).data), ['l1', 'l3']);
    assert.deepEqual(ids((await active().between({ endDate: '2026-01' }, { endDate: '2026-02' }).go()).data), ['l4']);
    assert.deepEqual(ids((await active().begins({ endDate: '2026' }).go({ order: 'desc' })).data), ['l1', 'l4']);
  });

  it('with filters', async () => {
    const { data } = await licenses.query
      .license({ accountId: 'acme' })
      .where(
        ({ seats, status, note }, { gt, eq, notExists, between }) =>
          `${gt(seats, 5)} AND ${eq(status, 'active')} AND ${notExists(note)} AND ${between(seats, 20, 50)}`,
      )
      .go();
    assert.deepEqual(data, [licenseOf('l1')]);
    const scanned = await licenses.scan.where(({ seats }, { lte }) => lte(seats, 5)).go();
    assert.deepEqual(ids(scanned.data).sort(), ['l2', 'l4']);
  });

  it('page by page with cursors', async () => {
    const many = Array.from({ length: 23 }, (_, number) => ({
      accountId: 'paged',
      licenseId: `p${String(number).padStart(2, '0')}`,
      enterpriseId: 'paging',
      status: 'active',
      endDate: '2030-01-01',
      seats: number,
    }));
    await licenses.put(many).go();
    try {
      const query = () => licenses.query.byEnterprise({ enterpriseId: 'paging' });
      const found = [];
      const sizes = [];
      let cursor = null;
      do {
        const page = await query().go({ cursor, limit: 10 });
        found.push(...page.data);
        sizes.push(page.data.length);
        cursor = page.cursor;
      } while (cursor !== null);
      assert.deepEqual(sizes, [10, 10, 3]);
      assert.deepEqual(found, many);
      // With a filter, ElectroDB reads on until the asked number is found.
      const full = await query()
        .where(({ seats }, { gte }) => gte(seats, 15))
        .go({ count: 5, limit: 4 });
      assert.deepEqual(ids(full.data), ['p15', 'p16', 'p17', 'p18', 'p19']);
      assert.deepEqual(ids((await query().go({ pages: 'all', limit: 3 })).data), ids(many));
    } finally {
      await licenses.delete(many.map(({ accountId, licenseId }) => ({ accountId, licenseId }))).go();
    }
  });

  it('in batches', async () => {
    const read = await licenses
      .get([
        { accountId: 'acme', licenseId: 'l3' },
        { accountId: 'acme', licenseId: 'none' },
        { accountId: 'globex', licenseId: 'l4' },
      ])
      .go({ preserveBatchOrder: true });
    assert.deepEqual(read, { data: [licenseOf('l3'), null, licenseOf('l4')], unprocessed: [] });
  });
});

describe('the service', () => {
  it('collects licenses and workstreams of an enterprise in one query', async () => {
    const workstream = { accountId: 'acme', workstreamId: 'w1', enterpriseId: 'north', name: 'Billing' };
    await workstreams.put(workstream).go();
    const { data } = await service.collections.enterprise({ enterpriseId: 'north' }).go();
    assert.deepEqual(data, {
      licenses: [licenseOf('l1'), licenseOf('l2'), licenseOf('l4')],
      workstreams: [workstream],
    });
  });

  it('commits a transaction over three entities, or none of it', async () => {
    await accounts.put({ accountId: 'tx', name: 'Transactional' }).go();
    await users.delete({ userId: 'u9' }).go();
    const onboard = (active) =>
      service.transaction
        .write(({ accounts, licenses, users }) => [
          accounts
            .check({ accountId: 'tx' })
            .where((attributes, { eq }) => eq(attributes.active, active))
            .commit(),
          users.create({ userId: 'u9', accountId: 'tx', name: 'Nina' }).commit({ response: 'all_old' }),
          licenses.patch({ accountId: 'acme', licenseId: 'l1' }).subtract({ seats: 1 }).commit(),
        ])
        .go();

    assert.equal((await onboard(false)).canceled, true);
    assert.deepEqual(await users.get({ userId: 'u9' }).go(), { data: null });
    assert.equal((await onboard(true)).canceled, false);
    assert.equal((await stored('ACCOUNT#acme', 'LICENSE#l1')).seats, 24);

    const repeated = await onboard(true);
    assert.equal(repeated.canceled, true);
    assert.deepEqual(
      repeated.data.map(({ rejected, code }) => [rejected, code]),
      [
        [false, 'None'],
        [true, 'ConditionalCheckFailed'],
        [false, 'None'],
      ],
    );
    assert.equal(repeated.data[1].item.name, 'Nina');
    assert.equal((await stored('ACCOUNT#acme', 'LICENSE#l1')).seats, 24);
  });

  it('reads a transaction in order', async () => {
    const { data, canceled } = await service.transaction
      .get(({ licenses }) => [
        licenses.get({ accountId: 'globex', licenseId: 'l4' }).commit(),
        licenses.get({ accountId: 'globex', licenseId: 'none' }).commit(),
        licenses.get({ accountId: 'acme', licenseId: 'l3' }).commit(),
      ])
      .go();
    assert.equal(canceled, false);
    assert.deepEqual(
      data.map(({ item }) => item),
      [licenseOf('l4'), null, licenseOf('l3')],
    );
  });

  it('repeats a transaction with one token only once', async () => {
    const token = randomUUID();
    const spend = () =>
      service.transaction
        .write(({ licenses }) => [
          licenses.patch({ accountId: 'acme', licenseId: 'l3' }).subtract({ seats: 10 }).commit(),
        ])
        .go({ token });
    await spend();
    await spend();
    assert.equal((await stored('ACCOUNT#acme', 'LICENSE#l3')).seats, 90);
  });
});
