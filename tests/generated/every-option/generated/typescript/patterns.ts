// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import { shapes, noteShape } from './shapes.js';
import { get, part, query, recognise, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'every_option';

/** notes of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, NOTE#)`. */
export async function notesOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: PageOptions = {},
): Promise<Page<entities.Note>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `TENANT#${part('tenantId', args.tenantId)}`, ':v1': 'NOTE#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Note') {
      const value = found.item as entities.Note;
      return value;
    }
    return undefined;
  };
  return query<entities.Note>(client, input, options, ['PK', 'SK'], take);
}

/** notes by value: `value = <value>, across tenants`. Crosses tenants: for operators. */
export async function notesByValue(
  client: DynamoDBDocumentClient,
  args: { value: number },
  options: PageOptions = {},
): Promise<Page<entities.Note>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byValue',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'value' },
    ExpressionAttributeValues: { ':v0': args.value },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Note') {
      const value = await get(client, options.tableName ?? TABLE, { PK: item['PK'], SK: item['SK'] }, noteShape);
      if (value === undefined) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.Note>(client, input, options, ['PK', 'SK', 'value', 'noteId'], take);
}

/** notes of a day: `tenantId = <tenantId> and day = <day>`. */
export async function notesOfADay(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; day: string },
  options: PageOptions = {},
): Promise<Page<entities.Note>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byDay',
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    ExpressionAttributeNames: { '#n0': 'tenantId', '#n1': 'day' },
    ExpressionAttributeValues: { ':v0': `${part('tenantId', args.tenantId)}`, ':v1': `${part('day', args.day)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Note') {
      const value = found.item as entities.Note;
      return value;
    }
    return undefined;
  };
  return query<entities.Note>(client, input, options, ['PK', 'SK', 'tenantId', 'day', 'hour', 'noteId'], take);
}

/** notes by title: `PK = TENANT#<tenantId> and begins_with(title, <start>)`. */
export async function notesByTitle(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; start: string },
  options: PageOptions = {},
): Promise<Page<entities.Note>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byTitle',
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'title' },
    ExpressionAttributeValues: { ':v0': `TENANT#${part('tenantId', args.tenantId)}`, ':v1': `${part('start', args.start)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Note') {
      const value = found.item as entities.Note;
      return value;
    }
    return undefined;
  };
  return query<entities.Note>(client, input, options, ['PK', 'SK', 'title'], take);
}
