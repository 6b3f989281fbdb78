// The connection to the endpoint under test, and tables that exist for one story.
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const connect = () =>
  new DynamoDBClient({
    endpoint: process.env.KEYFOLD_ENDPOINT ?? 'http://127.0.0.1:8000',
    region: 'us-east-1',
    credentials: { accessKeyId: 'stories', secretAccessKey: 'stories' },
    // One attempt: a story must not pass because a retry hid a failure.
    maxAttempts: 1,
  });

export const client = connect();

export const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

const seed = (name) => readFileSync(new URL(`seed/${name}`, import.meta.url), 'utf8');

export const platformQueries = () => seed('platform-queries.md');
export const platformItems = () => JSON.parse(seed('platform-items.json'));
export const platformItem = (PK, SK = 'METADATA') => platformItems().find((item) => item.PK === PK && item.SK === SK);

const keys = (partition, sort) => [
  { AttributeName: partition, KeyType: 'HASH' },
  { AttributeName: sort, KeyType: 'RANGE' },
];

// The table of the seed: PK and SK, and three overloaded indexes that project everything.
export const platformTable = (TableName) => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK', 'GSI3PK', 'GSI3SK'].map((name) => ({
    AttributeName: name,
    AttributeType: 'S',
  })),
  KeySchema: keys('PK', 'SK'),
  GlobalSecondaryIndexes: ['GSI1', 'GSI2', 'GSI3'].map((IndexName) => ({
    IndexName,
    KeySchema: keys(`${IndexName}PK`, `${IndexName}SK`),
    Projection: { ProjectionType: 'ALL' },
  })),
});

export async function createPlatformTable(TableName = `app_data_${randomBytes(6).toString('hex')}`) {
  await client.send(new CreateTableCommand(platformTable(TableName)));
  const waited = await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
  if (waited.state !== 'SUCCESS') throw new Error(`table ${TableName} did not become active: ${waited.state}`);
  return TableName;
}

export async function dropTable(TableName) {
  await client.send(new DeleteTableCommand({ TableName }));
  await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
}

// Writes any number of items in batches of 25 and sends again what the service did not get to.
export async function writeAll(TableName, items) {
  for (let start = 0; start < items.length; start += 25) {
    let pending = { [TableName]: items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })) };
    while (Object.keys(pending).length > 0) {
      pending = (await documents.send(new BatchWriteCommand({ RequestItems: pending }))).UnprocessedItems ?? {};
    }
  }
}

export const keysOf = (items) => items.map(({ PK, SK }) => `${PK} ${SK}`);
