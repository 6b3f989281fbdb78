// The document client's marshalling: plain JavaScript values in and out.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DynamoDBDocumentClient, GetCommand, NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { connect, createPlatformTable, documents, dropTable } from '../endpoint.mjs';

let TableName;
before(async () => {
  TableName = await createPlatformTable();
});
after(() => dropTable(TableName));

describe('marshalling', () => {
  it('round-trips every JavaScript type', async () => {
    const item = {
      PK: 'VALUES',
      SK: 'all',
      text: 'Zürich 東京 🦀',
      empty: '',
      integer: 42,
      fraction: -0.125,
      safe: Number.MAX_SAFE_INTEGER,
      large: 2n ** 100n,
      yes: true,
      no: false,
      nothing: null,
      bytes: new Uint8Array([0, 1, 254, 255]),
      list: [1, 'two', [null, { three: 3 }], []],
      map: { nested: { deeper: {} } },
      names: new Set(['b', 'a']),
      numbers: new Set([1, 2.5]),
      left: undefined,
    };
    await documents.send(new PutCommand({ TableName, Item: item }));
    const { left, ...kept } = item;
    const { Item } = await documents.send(new GetCommand({ TableName, Key: { PK: 'VALUES', SK: 'all' } }));
    assert.deepEqual(Item, kept);
  });

  it('keeps 38 digits when asked to', async () => {
    // A client of its own: document clients over one client share their options.
    const exact = DynamoDBDocumentClient.from(connect(), { unmarshallOptions: { wrapNumbers: true } });
    const digits = '12345678901234567890.123456789012345678';
    const Key = { PK: 'VALUES', SK: 'precise' };
    await exact.send(new PutCommand({ TableName, Item: { ...Key, value: NumberValue.from(digits) } }));
    const { Item } = await exact.send(new GetCommand({ TableName, Key }));
    assert.equal(Item.value.toString(), digits);
  });
});
