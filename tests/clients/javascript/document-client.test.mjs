// The document client: tables, single items, reads and batches, and the classes of their errors.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  ResourceInUseException,
  CreateTableCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import {
  client,
  createPlatformTable,
  documents,
  dropTable,
  keysOf,
  platformItem,
  platformItems,
  platformTable,
  writeAll,
} from '../endpoint.mjs';

let TableName;
before(async () => {
  TableName = await createPlatformTable();
});
after(() => dropTable(TableName));
beforeEach(() => writeAll(TableName, platformItems()));

const license = { PK: 'ACCOUNT#acme', SK: 'LICENSE#l1' };
const get = async (Key, more = {}) =>
  (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true, ...more }))).Item;

describe('tables', () => {
  it('are described with their indexes', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    assert.equal(Table.TableStatus, 'ACTIVE');
    assert.ok(Table.CreationDateTime instanceof Date);
    assert.ok(Math.abs(Date.now() - Table.CreationDateTime.getTime()) < 60_000);
    assert.deepEqual(Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).sort(), ['GSI1', 'GSI2', 'GSI3']);
  });

  it('refuse to be created twice, with an error of its own class', async () => {
    await assert.rejects(client.send(new CreateTableCommand(platformTable(TableName))), ResourceInUseException);
  });

  it('that do not exist are an error of its own class', async () => {
    await assert.rejects(
      documents.send(new GetCommand({ TableName: `${TableName}_absent`, Key: license })),
      (error) => {
        assert.ok(error instanceof ResourceNotFoundException);
        assert.equal(error.name, 'ResourceNotFoundException');
        assert.equal(error.$metadata.httpStatusCode, 400);
        assert.equal(error.$metadata.attempts, 1);
        assert.match(error.$metadata.requestId, /^[0-9A-Za-z-]{36,52}$/);
        return true;
      },
    );
  });
});

describe('single items', () => {
  it('are put under a condition and handed out when it fails', async () => {
    const put = (more) =>
      documents.send(
        new PutCommand({ TableName, Item: license, ConditionExpression: 'attribute_not_exists(PK)', ...more }),
      );
    await assert.rejects(put(), (error) => {
      assert.ok(error instanceof ConditionalCheckFailedException);
      assert.equal(error.message, 'The conditional request failed');
      assert.equal(error.Item, undefined);
      return true;
    });
    await assert.rejects(put({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }), (error) => {
      assert.ok(error instanceof ConditionalCheckFailedException);
      // The document client does not unmarshall errors.
      assert.deepEqual(error.Item.seats, { N: '25' });
      assert.deepEqual(error.Item.note, { S: 'renewal pending' });
      return true;
    });
    assert.deepEqual(await get(license), platformItem(license.PK, license.SK));
  });

  it('are updated with every return value', async () => {
    const update = (ReturnValues, seats) =>
      documents
        .send(
          new UpdateCommand({
            TableName,
            Key: license,
            UpdateExpression: 'SET seats = :seats, history = list_append(if_not_exists(history, :none), :entry)',
            ExpressionAttributeValues: { ':seats': seats, ':none': [], ':entry': [{ seats }] },
            ReturnValues,
          }),
        )
        .then(({ Attributes }) => Attributes);
    const stored = platformItem(license.PK, license.SK);
    assert.equal(await update('NONE', 26), undefined);
    assert.deepEqual(await update('UPDATED_OLD', 27), { seats: 26, history: [{ seats: 26 }] });
    assert.deepEqual(await update('UPDATED_NEW', 28), {
      seats: 28,
      history: [{ seats: 26 }, { seats: 27 }, { seats: 28 }],
    });
    assert.deepEqual(await update('ALL_OLD', 29), {
      ...stored,
      seats: 28,
      history: [{ seats: 26 }, { seats: 27 }, { seats: 28 }],
    });
    assert.equal((await update('ALL_NEW', 30)).history.length, 5);
  });

  it('are deleted and returned', async () => {
    const remove = () => documents.send(new DeleteCommand({ TableName, Key: license, ReturnValues: 'ALL_OLD' }));
    assert.deepEqual((await remove()).Attributes, platformItem(license.PK, license.SK));
    assert.equal((await remove()).Attributes, undefined);
    assert.equal(await get(license), undefined);
  });
});

describe('reads', () => {
  it('page through a query to the end', async () => {
    const sizes = [];
    const found = [];
    const pages = paginateQuery(
      { client: documents, pageSize: 2 },
      {
        TableName,
        IndexName: 'GSI2',
        KeyConditionExpression: 'GSI2PK = :pk',
        ExpressionAttributeValues: { ':pk': 'ENTERPRISE#north' },
      },
    );
    for await (const page of pages) {
      sizes.push(page.Count);
      found.push(...keysOf(page.Items));
    }
    assert.deepEqual(sizes, [2, 2, 1]);
    assert.deepEqual(found, [
      'ACCOUNT#acme LICENSE#l1',
      'ACCOUNT#acme LICENSE#l2',
      'ACCOUNT#globex LICENSE#l4',
      'ACCOUNT#acme WORKSTREAM#w1',
      'ACCOUNT#globex WORKSTREAM#w3',
    ]);
  });

  it('page through a scan in two segments', async () => {
    const scan = async (Segment) => {
      const found = [];
      for await (const page of paginateScan(
        { client: documents, pageSize: 4 },
        { TableName, Segment, TotalSegments: 2 },
      )) {
        found.push(...keysOf(page.Items));
      }
      return found;
    };
    const found = (await Promise.all([scan(0), scan(1)])).flat();
    assert.deepEqual(found.sort(), keysOf(platformItems()).sort());
  });

  it('filter, project and count', async () => {
    const page = await documents.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        FilterExpression: '#status IN (:active, :paused) AND size(endDate) = :ten',
        ProjectionExpression: 'licenseId, seats',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pk': 'ACCOUNT#acme',
          ':from': 'LICENSE#',
          ':to': 'LICENSE#~',
          ':active': 'active',
          ':paused': 'paused',
          ':ten': 10,
        },
        ScanIndexForward: false,
      }),
    );
    assert.deepEqual(page.Items, [
      { licenseId: 'l3', seats: 100 },
      { licenseId: 'l1', seats: 25 },
    ]);
    assert.deepEqual([page.Count, page.ScannedCount], [2, 3]);
    const counted = await documents.send(
      new ScanCommand({ TableName, IndexName: 'GSI3', Select: 'COUNT', ReturnConsumedCapacity: 'TOTAL' }),
    );
    assert.deepEqual([counted.Count, counted.ScannedCount, counted.Items], [11, 11, undefined]);
    assert.deepEqual(counted.ConsumedCapacity, { TableName, CapacityUnits: 0.5 });
  });
});

describe('batches', () => {
  it('read until no key is unprocessed', async () => {
    const blob = 'x'.repeat(390_000);
    const items = Array.from({ length: 60 }, (_, number) => ({
      PK: 'BULK',
      SK: String(number).padStart(2, '0'),
      blob,
    }));
    await writeAll(TableName, items);
    try {
      let pending = { [TableName]: { Keys: items.map(({ PK, SK }) => ({ PK, SK })), ProjectionExpression: 'PK, SK' } };
      const found = [];
      let rounds = 0;
      while (Object.keys(pending).length > 0) {
        assert.ok((rounds += 1) < 10);
        const answer = await documents.send(new BatchGetCommand({ RequestItems: pending }));
        found.push(...answer.Responses[TableName]);
        pending = answer.UnprocessedKeys;
      }
      assert.deepEqual(keysOf(found).sort(), keysOf(items));
      // Sixty items of 390 KB are more than the 16 MB that one request reads, whatever it projects.
      assert.equal(rounds, 2);
    } finally {
      for (let start = 0; start < items.length; start += 25) {
        const requests = items.slice(start, start + 25).map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
        await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
      }
    }
  });

  it('refuse one key twice', async () => {
    const requests = [{ PutRequest: { Item: license } }, { DeleteRequest: { Key: license } }];
    await assert.rejects(documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } })), {
      name: 'ValidationException',
      message: 'Provided list of item keys contains duplicates',
    });
  });
});
