// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import { shapes } from './shapes.js';
import { part, query, queryMerged, recognise, width, type CountOptions, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'visits';

/** person with visits: `PK = PERSON#<personId> -> Person, Visit`. */
export async function personWithVisits(
  client: DynamoDBDocumentClient,
  args: { personId: string },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Person'; item: entities.Person } | { entity: 'Visit'; item: entities.Visit }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `PERSON#${part('personId', args.personId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Person') {
      const value = found.item as entities.Person;
      return { entity: 'Person' as const, item: value };
    }
    if (found?.entity === 'Visit') {
      const value = found.item as entities.Visit;
      return { entity: 'Visit' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Person'; item: entities.Person } | { entity: 'Visit'; item: entities.Visit }>(client, input, options, ['PK', 'SK'], take);
}

/** number of visits: `PK = PERSON#<personId> and begins_with(SK, VISIT#), count`. */
export async function numberOfVisits(
  client: DynamoDBDocumentClient,
  args: { personId: string },
  options: CountOptions = {},
): Promise<number> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `PERSON#${part('personId', args.personId)}`, ':v1': 'VISIT#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Visit') {
      const value = found.item as entities.Visit;
      return value;
    }
    return undefined;
  };
  return (await query<entities.Visit>(client, input, options, ['PK', 'SK'], take)).items.length;
}

/** visits of a day: `GSI1PK = VISITS#<day>#<shard>`. */
export async function visitsOfADay(
  client: DynamoDBDocumentClient,
  args: { day: string },
  options: PageOptions = {},
): Promise<Page<entities.Visit>> {
  const inputs = [...Array(4).keys()].map((value): QueryCommandInput => ({
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': `VISITS#${part('day', args.day)}#${part('shard', value, [width(1)])}` },
  }));
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Visit') {
      const value = found.item as entities.Visit;
      return value;
    }
    return undefined;
  };
  return queryMerged<entities.Visit>(client, inputs, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take, 'GSI1SK');
}

/** last visits of a day: `GSI1PK = VISITS#<day>#<shard>, newest first`. */
export async function lastVisitsOfADay(
  client: DynamoDBDocumentClient,
  args: { day: string },
  options: PageOptions = {},
): Promise<Page<entities.Visit>> {
  const inputs = [...Array(4).keys()].map((value): QueryCommandInput => ({
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': `VISITS#${part('day', args.day)}#${part('shard', value, [width(1)])}` },
    ScanIndexForward: false,
  }));
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Visit') {
      const value = found.item as entities.Visit;
      return value;
    }
    return undefined;
  };
  return queryMerged<entities.Visit>(client, inputs, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take, 'GSI1SK');
}

/** visits in a day: `GSI1PK = VISITS#<day>#<shard>, count`. */
export async function visitsInADay(
  client: DynamoDBDocumentClient,
  args: { day: string },
  options: CountOptions = {},
): Promise<number> {
  const inputs = [...Array(4).keys()].map((value): QueryCommandInput => ({
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': `VISITS#${part('day', args.day)}#${part('shard', value, [width(1)])}` },
  }));
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Visit') {
      const value = found.item as entities.Visit;
      return value;
    }
    return undefined;
  };
  return (await queryMerged<entities.Visit>(client, inputs, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take, 'GSI1SK')).items.length;
}
