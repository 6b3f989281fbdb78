// Transactions through the document client.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { IdempotentParameterMismatchException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand, TransactGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { createPlatformTable, documents, dropTable, platformItem, platformItems, writeAll } from '../endpoint.mjs';

let TableName;
before(async () => {
  TableName = await createPlatformTable();
});
after(() => dropTable(TableName));
beforeEach(() => writeAll(TableName, platformItems()));

const account = { PK: 'ACCOUNT#acme', SK: 'METADATA' };
const license = { PK: 'ACCOUNT#acme', SK: 'LICENSE#l1' };
const get = async (Key) => (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
const write = (TransactItems, more = {}) => documents.send(new TransactWriteCommand({ TransactItems, ...more }));
const addSeats = (count) => ({
  Update: {
    TableName,
    Key: license,
    UpdateExpression: 'ADD seats :count',
    ExpressionAttributeValues: { ':count': count },
  },
});

describe('transactions', () => {
  it('move a user between accounts, or not at all', async () => {
    const user = { PK: 'USER#u1', SK: 'METADATA' };
    const move = (from, to) =>
      write([
        {
          Update: {
            TableName,
            Key: user,
            UpdateExpression: 'SET accountId = :to, GSI2PK = :users',
            ConditionExpression: 'accountId = :from',
            ExpressionAttributeValues: { ':from': from, ':to': to, ':users': `ACCOUNT#${to}#USERS` },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        {
          ConditionCheck: {
            TableName,
            Key: { PK: `ACCOUNT#${to}`, SK: 'METADATA' },
            ConditionExpression: 'attribute_exists(PK)',
          },
        },
        { Put: { TableName, Item: { PK: 'USER#u1', SK: `MOVED#${to}` } } },
        { Delete: { TableName, Key: { PK: 'USER#u1', SK: 'WORKSTREAM#w1' } } },
      ]);

    await move('acme', 'globex');
    assert.equal((await get(user)).GSI2PK, 'ACCOUNT#globex#USERS');
    assert.equal(await get({ PK: 'USER#u1', SK: 'WORKSTREAM#w1' }), undefined);

    await assert.rejects(move('acme', 'nowhere'), (error) => {
      assert.ok(error instanceof TransactionCanceledException);
      assert.equal(
        error.message,
        'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
          '[ConditionalCheckFailed, ConditionalCheckFailed, None, None]',
      );
      assert.deepEqual(
        error.CancellationReasons.map(({ Code }) => Code),
        ['ConditionalCheckFailed', 'ConditionalCheckFailed', 'None', 'None'],
      );
      // A failed condition hands out the item when asked to; the check did not ask. The third action has no message.
      const [unmet, check, none] = error.CancellationReasons;
      assert.equal(unmet.Message, 'The conditional request failed');
      assert.deepEqual(unmet.Item.accountId, { S: 'globex' });
      assert.equal(check.Item, undefined);
      assert.deepEqual([none.Message, none.Item], [undefined, undefined]);
      return true;
    });
    assert.equal(await get({ PK: 'USER#u1', SK: 'MOVED#nowhere' }), undefined);
  });

  it('happen once per token', async () => {
    const ClientRequestToken = randomUUID();
    await write([addSeats(5)], { ClientRequestToken });
    await write([addSeats(5)], { ClientRequestToken });
    assert.equal((await get(license)).seats, 30);
    await assert.rejects(write([addSeats(6)], { ClientRequestToken }), IdempotentParameterMismatchException);
    // Without one the SDK makes a token of its own for each call.
    await write([addSeats(5)]);
    await write([addSeats(5)]);
    assert.equal((await get(license)).seats, 40);
  });

  it('lose no increment when sixteen compete', async () => {
    const attempt = async () => {
      for (;;) {
        try {
          return await write([addSeats(1)]);
        } catch (error) {
          // A conflict is the one reason for which trying again is right.
          const reasons = error.CancellationReasons?.map(({ Code }) => Code);
          if (!reasons?.includes('TransactionConflict')) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, () => Promise.all(Array.from({ length: 5 }, attempt))));
    assert.equal((await get(license)).seats, 25 + 80);
  });

  it('read several items as of one moment', async () => {
    const { Responses } = await documents.send(
      new TransactGetCommand({
        TransactItems: [
          { Get: { TableName, Key: account } },
          { Get: { TableName, Key: { PK: 'ACCOUNT#none', SK: 'METADATA' } } },
          { Get: { TableName, Key: license, ProjectionExpression: 'seats' } },
        ],
      }),
    );
    assert.deepEqual(Responses, [{ Item: platformItem('ACCOUNT#acme') }, {}, { Item: { seats: 25 } }]);
  });

  it('refuse two actions on one item', async () => {
    await assert.rejects(write([addSeats(1), { Delete: { TableName, Key: license } }]), {
      name: 'ValidationException',
      message: 'Transaction request cannot include multiple operations on one item',
    });
  });
});
