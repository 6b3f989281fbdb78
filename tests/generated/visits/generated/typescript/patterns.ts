// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'visits';

/** person with visits: `PK = PERSON#<personId> -> Person, Visit`. */
export async function personWithVisits(
  client: DynamoDBDocumentClient,
  args: { personId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Person'; item: entities.Person } | { entity: 'Visit'; item: entities.Visit }>> {
  args = support.check(args, { personId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Person'; item: entities.Person } | { entity: 'Visit'; item: entities.Visit }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `PERSON#${support.part('personId', args.personId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.personShape, scope: 'global', source: 'query' },
      { shape: shapes.visitShape, scope: 'global', source: 'query' },
    ],
  });
}

/** number of visits: `PK = PERSON#<personId> and begins_with(SK, VISIT#), count`. */
export async function numberOfVisits(
  client: DynamoDBDocumentClient,
  args: { personId: string },
  options: access.CountOptions = {},
): Promise<number> {
  args = support.check(args, { personId: { fits: support.isText, rule: 'a string' } });
  return access.count(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `PERSON#${support.part('personId', args.personId)}`, ':v1': 'VISIT#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    results: [
      { shape: shapes.visitShape, scope: 'global', source: 'query' },
    ],
  });
}

/** visits of a day: `GSI1PK = VISITS#<day>#<shard>`. */
export async function visitsOfADay(
  client: DynamoDBDocumentClient,
  args: { day: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Visit>> {
  args = support.check(args, { day: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Visit>(client, options, {
    inputs: support.shards(4).map((partition) => ({
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `VISITS#${support.part('day', args.day)}#${support.part('shard', partition, [support.width(1)])}` },
    })),
    reading: 'merged',
    sortKey: ['GSI1SK'],
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.visitShape, scope: 'global', source: 'query' },
    ],
  });
}

/** last visits of a day: `GSI1PK = VISITS#<day>#<shard>, newest first`. */
export async function lastVisitsOfADay(
  client: DynamoDBDocumentClient,
  args: { day: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Visit>> {
  args = support.check(args, { day: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Visit>(client, options, {
    inputs: support.shards(4).map((partition) => ({
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `VISITS#${support.part('day', args.day)}#${support.part('shard', partition, [support.width(1)])}` },
      ScanIndexForward: false,
    })),
    reading: 'merged',
    sortKey: ['GSI1SK'],
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.visitShape, scope: 'global', source: 'query' },
    ],
  });
}

/** visits of a sharded day: `GSI1PK = VISITS#<shardedDay>#<shard>`. */
export async function visitsOfAShardedDay(
  client: DynamoDBDocumentClient,
  args: { shardedDay: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Visit>> {
  args = support.check(args, { shardedDay: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Visit>(client, options, {
    inputs: support.shards(4).map((partition) => ({
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `VISITS#${support.part('shardedDay', args.shardedDay)}#${support.part('shard', partition, [support.width(1)])}` },
    })),
    reading: 'merged',
    sortKey: ['GSI1SK'],
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.visitShape, scope: 'global', source: 'query' },
    ],
  });
}

/** visits in a day: `GSI1PK = VISITS#<day>#<shard>, count`. */
export async function visitsInADay(
  client: DynamoDBDocumentClient,
  args: { day: string },
  options: access.CountOptions = {},
): Promise<number> {
  args = support.check(args, { day: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.count(client, options, {
    inputs: support.shards(4).map((partition) => ({
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `VISITS#${support.part('day', args.day)}#${support.part('shard', partition, [support.width(1)])}` },
    })),
    reading: 'merged',
    sortKey: ['GSI1SK'],
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    results: [
      { shape: shapes.visitShape, scope: 'global', source: 'query' },
    ],
  });
}
