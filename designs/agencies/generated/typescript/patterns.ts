// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'agencies';

/** agency with members: `PK = AGENCY#<agencyId> -> Agency, Member`. */
export async function agencyWithMembers(
  client: DynamoDBDocumentClient,
  args: { agencyId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Agency'; item: entities.Agency } | { entity: 'Member'; item: entities.Member }>> {
  args = support.check(args, { agencyId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Agency'; item: entities.Agency } | { entity: 'Member'; item: entities.Member }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `AGENCY#${support.part('agencyId', args.agencyId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.agencyShape, scope: 'tenant', source: 'query' },
      { shape: shapes.memberShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** members by agency: `PK = AGENCY#<agencyId> and begins_with(SK, MEMBER#)`. */
export async function membersByAgency(
  client: DynamoDBDocumentClient,
  args: { agencyId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Member>> {
  args = support.check(args, { agencyId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Member>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `AGENCY#${support.part('agencyId', args.agencyId)}`, ':v1': 'MEMBER#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.memberShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** all agencies: `type = Agency, across tenants`. Crosses tenants: for operators. */
export async function allAgencies(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Agency>> {
  return access.page<entities.Agency>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'type' },
      ExpressionAttributeValues: { ':v0': 'Agency' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'type', 'created'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.agencyShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** all members: `type = Member, across tenants`. Crosses tenants: for operators. */
export async function allMembers(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Member>> {
  return access.page<entities.Member>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'type' },
      ExpressionAttributeValues: { ':v0': 'Member' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'type', 'created'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.memberShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** members by idpid: `idpid = <idpid>, own tenant only -> Member`. With `tenant`, other tenants' items are left out. */
export async function membersByIdpid(
  client: DynamoDBDocumentClient,
  args: { idpid: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Member>> {
  args = support.check(args, { idpid: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Member>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'idpid' },
      ExpressionAttributeValues: { ':v0': `${support.part('idpid', args.idpid)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'idpid', 'agencyId'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'agencyId', conditions: [{ attribute: 'PK', value: (tenant) => `AGENCY#${support.part('agencyId', tenant)}` }] },
    results: [
      { shape: shapes.memberShape, scope: 'tenant', source: 'query' },
    ],
  });
}
