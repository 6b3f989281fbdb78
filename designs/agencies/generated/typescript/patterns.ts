// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import { shapes } from './shapes.js';
import { part, query, recognise, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'agencies';

/** agency with members: `PK = AGENCY#<agencyId> -> Agency, Member`. */
export async function agencyWithMembers(
  client: DynamoDBDocumentClient,
  args: { agencyId: string },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Agency'; item: entities.Agency } | { entity: 'Member'; item: entities.Member }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `AGENCY#${part('agencyId', args.agencyId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Agency') {
      const value = found.item as entities.Agency;
      return { entity: 'Agency' as const, item: value };
    }
    if (found?.entity === 'Member') {
      const value = found.item as entities.Member;
      return { entity: 'Member' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Agency'; item: entities.Agency } | { entity: 'Member'; item: entities.Member }>(client, input, options, ['PK', 'SK'], take);
}

/** members by agency: `PK = AGENCY#<agencyId> and begins_with(SK, MEMBER#)`. */
export async function membersByAgency(
  client: DynamoDBDocumentClient,
  args: { agencyId: string },
  options: PageOptions = {},
): Promise<Page<entities.Member>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `AGENCY#${part('agencyId', args.agencyId)}`, ':v1': 'MEMBER#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Member') {
      const value = found.item as entities.Member;
      return value;
    }
    return undefined;
  };
  return query<entities.Member>(client, input, options, ['PK', 'SK'], take);
}

/** all agencies: `type = Agency, across tenants`. Crosses tenants: for operators. */
export async function allAgencies(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Agency>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'type' },
    ExpressionAttributeValues: { ':v0': 'Agency' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Agency') {
      const value = found.item as entities.Agency;
      return value;
    }
    return undefined;
  };
  return query<entities.Agency>(client, input, options, ['PK', 'SK', 'type', 'created'], take);
}

/** all members: `type = Member, across tenants`. Crosses tenants: for operators. */
export async function allMembers(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Member>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'type' },
    ExpressionAttributeValues: { ':v0': 'Member' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Member') {
      const value = found.item as entities.Member;
      return value;
    }
    return undefined;
  };
  return query<entities.Member>(client, input, options, ['PK', 'SK', 'type', 'created'], take);
}

/** members by idpid: `idpid = <idpid>, own tenant only -> Member`. With `tenant`, other tenants' items are left out. */
export async function membersByIdpid(
  client: DynamoDBDocumentClient,
  args: { idpid: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<entities.Member>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'idpid' },
    ExpressionAttributeValues: { ':v0': `${part('idpid', args.idpid)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Member') {
      const value = found.item as entities.Member;
      if (options.tenant !== undefined && value.agencyId !== options.tenant) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.Member>(client, input, options, ['PK', 'SK', 'idpid', 'agencyId'], take);
}
