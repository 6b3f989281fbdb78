// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'readings';

/** beats of days: `PK between BEAT#<station>#<from> and BEAT#<station>#<to>, at most 31 days`. */
export async function beatsOfDays(
  client: DynamoDBDocumentClient,
  args: { station: string; from: string; to: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Beat>> {
  args = support.check(args, { station: { fits: support.isText, rule: 'a string' }, from: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate }, to: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Beat>(client, options, {
    inputs: support.days(args.from, args.to, 31).map((value) => `BEAT#${support.part('station', args.station, [], '#')}#${support.part('from', value)}`).map((partition) => ({
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': partition },
    })),
    reading: 'in turn',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.beatShape, scope: 'global', source: 'query' },
    ],
  });
}

/** rounds up to: `PK = BEAT#<station>#<from> and SK <= ROUND#<round>`. */
export async function roundsUpTo(
  client: DynamoDBDocumentClient,
  args: { station: string; from: string; round: number },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Beat>> {
  args = support.check(args, { station: { fits: support.isText, rule: 'a string' }, from: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate }, round: { fits: support.isInteger, rule: 'an integer' } });
  return access.page<entities.Beat>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `BEAT#${support.part('station', args.station, [], '#')}#${support.part('from', args.from)}`, ':v1': `ROUND#${support.part('round', args.round, [support.descending(4)])}`, ':v2': 'ROUND$' },
    }],
    between: [':v1', ':v2'],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.beatShape, scope: 'global', source: 'query' },
    ],
  });
}

/** beats by second: `GSI1PK = STATION#<station> and GSI1SK between <from> and <to>`. */
export async function beatsBySecond(
  client: DynamoDBDocumentClient,
  args: { station: string; from: number | string; to: number | string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Beat>> {
  args = support.check(args, { station: { fits: support.isText, rule: 'a string' }, from: { fits: support.isMoment({ perSecond: 1 }), rule: 'seconds since 1970 (1794729600), or a date (YYYY-MM-DD)', normalize: support.inFormat({ perSecond: 1 }) }, to: { fits: support.isMoment({ perSecond: 1 }), rule: 'seconds since 1970 (1794729600), or a date (YYYY-MM-DD)', normalize: support.inFormat({ perSecond: 1 }) } });
  return access.page<entities.Beat>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
      ExpressionAttributeValues: { ':v0': `STATION#${support.part('station', args.station)}`, ':v1': Number(`${support.part('from', args.from, [support.startOfDay(1)])}`), ':v2': Number(`${support.part('to', args.to, [support.endOfDay(1)])}`) },
    }],
    between: [':v1', ':v2'],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.beatShape, scope: 'global', source: 'query' },
    ],
  });
}

/** beats heard: `PK = BEAT#<station>#<from> where heardAt between <from> and <until>`. */
export async function beatsHeard(
  client: DynamoDBDocumentClient,
  args: { station: string; from: string; until: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Beat>> {
  args = support.check(args, { station: { fits: support.isText, rule: 'a string' }, from: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate }, until: { fits: support.isMoment({ digits: 0, zone: '' }), rule: 'a datetime in UTC without a zone (2026-11-15T08:00:00), or a date (YYYY-MM-DD)', normalize: support.inFormat({ digits: 0, zone: '' }) } });
  return access.page<entities.Beat>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      FilterExpression: '#n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'heardAt' },
      ExpressionAttributeValues: { ':v0': `BEAT#${support.part('station', args.station, [], '#')}#${support.part('from', args.from)}`, ':v1': support.momentValue(args.from, support.startOfDay('T')), ':v2': support.momentValue(args.until, support.endOfDay('T')) },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.beatShape, scope: 'global', source: 'query' },
    ],
  });
}

/** sensor with readings: `PK = SENSOR#<sensorId> -> Sensor, Reading`. */
export async function sensorWithReadings(
  client: DynamoDBDocumentClient,
  args: { sensorId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Sensor'; item: entities.Sensor } | { entity: 'Reading'; item: entities.Reading }>> {
  args = support.check(args, { sensorId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Sensor'; item: entities.Sensor } | { entity: 'Reading'; item: entities.Reading }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `SENSOR#${support.part('sensorId', args.sensorId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.sensorShape, scope: 'global', source: 'query' },
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** readings of a sensor: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#)`. */
export async function readingsOfASensor(
  client: DynamoDBDocumentClient,
  args: { sensorId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { sensorId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Reading>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `SENSOR#${support.part('sensorId', args.sensorId)}`, ':v1': 'VALUE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** readings with a value: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#<value>#)`. */
export async function readingsWithAValue(
  client: DynamoDBDocumentClient,
  args: { sensorId: string; value: number },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { sensorId: { fits: support.isText, rule: 'a string' }, value: { fits: support.isNumber, rule: 'a number' } });
  return access.page<entities.Reading>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `SENSOR#${support.part('sensorId', args.sensorId)}`, ':v1': `VALUE#${support.part('value', args.value, [], '#')}#` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** readings by unit: `GSI1PK = UNIT#<unit>#<shard>`. */
export async function readingsByUnit(
  client: DynamoDBDocumentClient,
  args: { unit: 'celsius' | 'pascal' },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { unit: { fits: support.isOneOf('celsius', 'pascal'), rule: 'one of `celsius`, `pascal`' } });
  return access.page<entities.Reading>(client, options, {
    inputs: support.shards(3).map((partition) => ({
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `UNIT#${support.part('unit', args.unit, [], '#')}#${support.part('shard', partition, [support.width(1)])}` },
    })),
    reading: 'merged',
    sortKey: ['GSI1SK'],
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** hot readings: `GSI1PK = UNIT#<unit>#<shard> where value > 100`. */
export async function hotReadings(
  client: DynamoDBDocumentClient,
  args: { unit: 'celsius' | 'pascal' },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { unit: { fits: support.isOneOf('celsius', 'pascal'), rule: 'one of `celsius`, `pascal`' } });
  return access.page<entities.Reading>(client, options, {
    inputs: support.shards(3).map((partition) => ({
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      FilterExpression: '#n1 > :v1',
      ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'value' },
      ExpressionAttributeValues: { ':v0': `UNIT#${support.part('unit', args.unit, [], '#')}#${support.part('shard', partition, [support.width(1)])}`, ':v1': 100 },
    })),
    reading: 'merged',
    sortKey: ['GSI1SK'],
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** readings by digest: `digest = <digest>`. */
export async function readingsByDigest(
  client: DynamoDBDocumentClient,
  args: { digest: Uint8Array },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { digest: { fits: support.isPresent, rule: 'binary' } });
  return access.page<entities.Reading>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'digest' },
      ExpressionAttributeValues: { ':v0': args.digest },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'digest', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** readings with an exact value: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#) where value = 21.50000000000000000001`. */
export async function readingsWithAnExactValue(
  client: DynamoDBDocumentClient,
  args: { sensorId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { sensorId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Reading>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      FilterExpression: '#n2 = :v2',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK', '#n2': 'value' },
      ExpressionAttributeValues: { ':v0': `SENSOR#${support.part('sensorId', args.sensorId)}`, ':v1': 'VALUE#', ':v2': support.exactNumber('21.50000000000000000001') },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** signed readings: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#) where digest = signed`. */
export async function signedReadings(
  client: DynamoDBDocumentClient,
  args: { sensorId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { sensorId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Reading>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      FilterExpression: '#n2 = :v2',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK', '#n2': 'digest' },
      ExpressionAttributeValues: { ':v0': `SENSOR#${support.part('sensorId', args.sensorId)}`, ':v1': 'VALUE#', ':v2': Uint8Array.of(115, 105, 103, 110, 101, 100) },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** readings without a remark: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#) where remark = null`. */
export async function readingsWithoutARemark(
  client: DynamoDBDocumentClient,
  args: { sensorId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Reading>> {
  args = support.check(args, { sensorId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Reading>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      FilterExpression: '#n2 = :v2',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK', '#n2': 'remark' },
      ExpressionAttributeValues: { ':v0': `SENSOR#${support.part('sensorId', args.sensorId)}`, ':v1': 'VALUE#', ':v2': null },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** number of readings: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#), count, limit 2`. */
export async function numberOfReadings(
  client: DynamoDBDocumentClient,
  args: { sensorId: string },
  options: access.CountOptions = {},
): Promise<number> {
  args = support.check(args, { sensorId: { fits: support.isText, rule: 'a string' } });
  return access.count(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `SENSOR#${support.part('sensorId', args.sensorId)}`, ':v1': 'VALUE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 2,
    results: [
      { shape: shapes.readingShape, scope: 'global', source: 'query' },
    ],
  });
}
