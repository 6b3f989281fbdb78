// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'awkward';

/** create: `PK = OPTION#<type> -> Option, Result`. */
export async function create(
  client: DynamoDBDocumentClient,
  args: { type: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Option'; item: entities.Option } | { entity: 'Result'; item: entities.Result }>> {
  args = support.check(args, { type: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Option'; item: entities.Option } | { entity: 'Result'; item: entities.Result }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `OPTION#${support.part('type', args.type)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.optionShape, scope: 'global', source: 'query' },
      { shape: shapes.resultShape, scope: 'global', source: 'query' },
    ],
  });
}

/** get: `PK = OPTION#<type> and begins_with(SK, RESULT#)`. */
export async function get(
  client: DynamoDBDocumentClient,
  args: { type: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Result>> {
  args = support.check(args, { type: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Result>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `OPTION#${support.part('type', args.type)}`, ':v1': 'RESULT#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.resultShape, scope: 'global', source: 'query' },
    ],
  });
}

/** option identity: `PK = OPTION#<type> and SK = RESULT#<options:width(6)>`. */
export async function optionIdentity(
  client: DynamoDBDocumentClient,
  args: { type: string; options: number },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Result>> {
  args = support.check(args, { type: { fits: support.isText, rule: 'a string' }, options: { fits: support.isInteger, rule: 'an integer' } });
  return access.page<entities.Result>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `OPTION#${support.part('type', args.type)}`, ':v1': `RESULT#${support.part('options', args.options, [support.width(6)])}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.resultShape, scope: 'global', source: 'query' },
    ],
  });
}

/** optionIdentity: `PK = OPTION#<type> and SK = METADATA`. */
export async function optionIdentityPattern(
  client: DynamoDBDocumentClient,
  args: { type: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Option>> {
  args = support.check(args, { type: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Option>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `OPTION#${support.part('type', args.type)}`, ':v1': 'METADATA' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.optionShape, scope: 'global', source: 'query' },
    ],
  });
}

/** new: `GSI1PK = KIND#<kind>`. */
export async function newPattern(
  client: DynamoDBDocumentClient,
  args: { kind: 'fn' | 'Self' | 'self' | '2nd' },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Option>> {
  args = support.check(args, { kind: { fits: support.isOneOf('fn', 'Self', 'self', '2nd'), rule: 'one of `fn`, `Self`, `self`, `2nd`' } });
  return access.page<entities.Option>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `KIND#${support.part('kind', args.kind)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.optionShape, scope: 'global', source: 'query' },
    ],
  });
}

/** await: `PK = PROMISE`. */
export async function awaitPattern(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Promise>> {
  return access.page<entities.Promise>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': 'PROMISE' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.promiseShape, scope: 'global', source: 'query' },
    ],
  });
}

/** count: `GSI1PK = KIND#<kind>, count`. */
export async function count(
  client: DynamoDBDocumentClient,
  args: { kind: 'fn' | 'Self' | 'self' | '2nd' },
  options: access.CountOptions = {},
): Promise<number> {
  args = support.check(args, { kind: { fits: support.isOneOf('fn', 'Self', 'self', '2nd'), rule: 'one of `fn`, `Self`, `self`, `2nd`' } });
  return access.count(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `KIND#${support.part('kind', args.kind)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    results: [
      { shape: shapes.optionShape, scope: 'global', source: 'query' },
    ],
  });
}

/** option: `PK = NEW#<crate>`. */
export async function option(
  client: DynamoDBDocumentClient,
  args: { crate: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.NewOption>> {
  args = support.check(args, { crate: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.NewOption>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `NEW#${support.part('crate', args.crate)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.newOptionShape, scope: 'global', source: 'query' },
    ],
  });
}
