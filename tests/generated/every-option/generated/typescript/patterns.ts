// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'every_option';

/** notes of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, NOTE#)`. */
export async function notesOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Note>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Note>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': 'NOTE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.noteShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** notes by value: `value = <value>, across tenants`. Crosses tenants: for operators. */
export async function notesByValue(
  client: DynamoDBDocumentClient,
  args: { value: number },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Note>> {
  args = support.check(args, { value: { fits: support.isInteger, rule: 'an integer' } });
  return access.page<entities.Note>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byValue',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'value' },
      ExpressionAttributeValues: { ':v0': args.value },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'value', 'noteId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.noteShape, scope: 'tenant', source: 'table' },
    ],
  });
}

/** notes of a day: `tenantId = <tenantId> and day = <day>`. */
export async function notesOfADay(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; day: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Note>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' }, day: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Note>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byDay',
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'tenantId', '#n1': 'day' },
      ExpressionAttributeValues: { ':v0': `${support.part('tenantId', args.tenantId)}`, ':v1': `${support.part('day', args.day)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'tenantId', 'day', 'hour', 'noteId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.noteShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** notes by title: `PK = TENANT#<tenantId> and begins_with(title, <start>)`. */
export async function notesByTitle(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; start: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Note>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' }, start: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Note>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byTitle',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'title' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': `${support.part('start', args.start)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'title'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.noteShape, scope: 'tenant', source: 'query' },
    ],
  });
}
