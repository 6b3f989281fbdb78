// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import { shapes } from './shapes.js';
import { part, query, recognise, width, type CountOptions, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'awkward';

/** create: `PK = OPTION#<type> -> Option, Result`. */
export async function create(
  client: DynamoDBDocumentClient,
  args: { type: string },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Option'; item: entities.Option } | { entity: 'Result'; item: entities.Result }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `OPTION#${part('type', args.type)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Option') {
      const value = found.item as entities.Option;
      return { entity: 'Option' as const, item: value };
    }
    if (found?.entity === 'Result') {
      const value = found.item as entities.Result;
      return { entity: 'Result' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Option'; item: entities.Option } | { entity: 'Result'; item: entities.Result }>(client, input, options, ['PK', 'SK'], take);
}

/** get: `PK = OPTION#<type> and begins_with(SK, RESULT#)`. */
export async function getPattern(
  client: DynamoDBDocumentClient,
  args: { type: string },
  options: PageOptions = {},
): Promise<Page<entities.Result>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `OPTION#${part('type', args.type)}`, ':v1': 'RESULT#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Result') {
      const value = found.item as entities.Result;
      return value;
    }
    return undefined;
  };
  return query<entities.Result>(client, input, options, ['PK', 'SK'], take);
}

/** option identity: `PK = OPTION#<type> and SK = RESULT#<options:width(6)>`. */
export async function optionIdentity(
  client: DynamoDBDocumentClient,
  args: { type: string; options: number },
  options: PageOptions = {},
): Promise<Page<entities.Result>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `OPTION#${part('type', args.type)}`, ':v1': `RESULT#${part('options', args.options, [width(6)])}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Result') {
      const value = found.item as entities.Result;
      return value;
    }
    return undefined;
  };
  return query<entities.Result>(client, input, options, ['PK', 'SK'], take);
}

/** new: `GSI1PK = KIND#<kind>`. */
export async function newPattern(
  client: DynamoDBDocumentClient,
  args: { kind: 'fn' | 'Self' | 'self' | '2nd' },
  options: PageOptions = {},
): Promise<Page<entities.Option>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': `KIND#${part('kind', args.kind)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Option') {
      const value = found.item as entities.Option;
      return value;
    }
    return undefined;
  };
  return query<entities.Option>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** await: `PK = PROMISE`. */
export async function awaitPattern(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Promise>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': 'PROMISE' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Promise') {
      const value = found.item as entities.Promise;
      return value;
    }
    return undefined;
  };
  return query<entities.Promise>(client, input, options, ['PK', 'SK'], take);
}

/** count: `GSI1PK = KIND#<kind>, count`. */
export async function count(
  client: DynamoDBDocumentClient,
  args: { kind: 'fn' | 'Self' | 'self' | '2nd' },
  options: CountOptions = {},
): Promise<number> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': `KIND#${part('kind', args.kind)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Option') {
      const value = found.item as entities.Option;
      return value;
    }
    return undefined;
  };
  return (await query<entities.Option>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take)).items.length;
}

/** option: `PK = NEW#<crate>`. */
export async function option(
  client: DynamoDBDocumentClient,
  args: { crate: string },
  options: PageOptions = {},
): Promise<Page<entities.NewOption>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `NEW#${part('crate', args.crate)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'NewOption') {
      const value = found.item as entities.NewOption;
      return value;
    }
    return undefined;
  };
  return query<entities.NewOption>(client, input, options, ['PK', 'SK'], take);
}
