// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'every_option';

/** ticks from a round on: `PK = TENANT#<tenantId> and SK >= TICK#<round>`. */
export async function ticksFromARoundOn(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; round: number },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Tick>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' }, round: { fits: support.isInteger, rule: 'an integer' } });
  return access.page<entities.Tick>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': 'TICK#', ':v2': `TICK#${support.part('round', args.round, [support.descending(6)])}` + '$' },
    }],
    between: [':v1', ':v2'],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.tickShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** ticks of a round: `PK = TENANT#<tenantId> and SK between TICK#<round>#<from> and TICK#<round>#<to>`. */
export async function ticksOfARound(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; round: number; from: string; to: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Tick>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' }, round: { fits: support.isInteger, rule: 'an integer' }, from: { fits: support.isMoment({ digits: 0, zone: '' }), rule: 'a datetime in UTC without a zone (2026-11-15T08:00:00), or a date (YYYY-MM-DD)', normalize: support.inFormat({ digits: 0, zone: '' }) }, to: { fits: support.isMoment({ digits: 0, zone: '' }), rule: 'a datetime in UTC without a zone (2026-11-15T08:00:00), or a date (YYYY-MM-DD)', normalize: support.inFormat({ digits: 0, zone: '' }) } });
  return access.page<entities.Tick>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': `TICK#${support.part('round', args.round, [support.descending(6)])}#${support.part('from', args.from, [support.startOfDay('T')])}`, ':v2': `TICK#${support.part('round', args.round, [support.descending(6)])}#${support.part('to', args.to, [support.endOfDay('T')])}` },
    }],
    between: [':v1', ':v2'],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.tickShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** ticks heard: `PK = TENANT#<tenantId> and begins_with(SK, TICK#) where heardAt = <heardAt> and epoch < <before>`. */
export async function ticksHeard(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; heardAt: string; before: number | string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Tick>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' }, heardAt: { fits: support.isTimestamp({ digits: 6, zone: '+00:00' }), rule: 'a datetime with an offset (2026-11-15T08:00:00.000000+00:00)', normalize: support.inFormat({ digits: 6, zone: '+00:00' }) }, before: { fits: support.isMoment({ perSecond: 1000 }), rule: 'milliseconds since 1970 (1794729600000), or a date (YYYY-MM-DD)', normalize: support.inFormat({ perSecond: 1000 }) } });
  return access.page<entities.Tick>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      FilterExpression: '(#n2 = :v2) AND (#n3 < :v3)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK', '#n2': 'heardAt', '#n3': 'epoch' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': 'TICK#', ':v2': args.heardAt, ':v3': support.momentValue(args.before, support.startOfDay(1000)) },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.tickShape, scope: 'tenant', source: 'query' },
    ],
  });
}

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
