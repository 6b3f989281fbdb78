// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import * as keys from './keys.js';
import { shapes, userShape, userByEmailShape, userByOidcSubShape, membershipShape, membershipByUserInTenantShape } from './shapes.js';
import { get, lower, part, query, read, recognise, url, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'albums';

/** tenant with everything: `PK = TENANT#<tenantId> -> Tenant, Album, Image`. */
export async function tenantWithEverything(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Tenant'; item: entities.Tenant } | { entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `TENANT#${part('tenantId', args.tenantId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Tenant') {
      const value = found.item as entities.Tenant;
      return { entity: 'Tenant' as const, item: value };
    }
    if (found?.entity === 'Album') {
      const value = found.item as entities.Album;
      return { entity: 'Album' as const, item: value };
    }
    if (found?.entity === 'Image') {
      const value = found.item as entities.Image;
      return { entity: 'Image' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Tenant'; item: entities.Tenant } | { entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>(client, input, options, ['PK', 'SK'], take);
}

/** albums of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, ALBUM#)`. */
export async function albumsOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: PageOptions = {},
): Promise<Page<entities.Album>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `TENANT#${part('tenantId', args.tenantId)}`, ':v1': 'ALBUM#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Album') {
      const value = found.item as entities.Album;
      return value;
    }
    return undefined;
  };
  return query<entities.Album>(client, input, options, ['PK', 'SK'], take);
}

/** images of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, IMAGE#)`. */
export async function imagesOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: PageOptions = {},
): Promise<Page<entities.Image>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `TENANT#${part('tenantId', args.tenantId)}`, ':v1': 'IMAGE#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Image') {
      const value = found.item as entities.Image;
      return value;
    }
    return undefined;
  };
  return query<entities.Image>(client, input, options, ['PK', 'SK'], take);
}

/** membership of a user in a tenant: `PK = LOOKUP#MEMBERSHIP#TENANT_USER#<tenantId>#<userId> -> Membership`. */
export async function membershipOfAUserInATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; userId: string },
  options: PageOptions = {},
): Promise<Page<entities.Membership>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `LOOKUP#MEMBERSHIP#TENANT_USER#${part('tenantId', args.tenantId)}#${part('userId', args.userId)}` },
  };
  const take = async (item: Item) => {
    const found = read(membershipByUserInTenantShape, item);
    if (found === undefined) return undefined;
    return get(client, options.tableName ?? TABLE, { PK: keys.pkMembership(found as unknown as entities.Membership), SK: keys.skMembership(found as unknown as entities.Membership) }, membershipShape);
  };
  return query<entities.Membership>(client, input, options, ['PK', 'SK'], take);
}

/** membership with its views: `PK = MEMBERSHIP#<membershipId>, own tenant only -> Membership, MembershipByTenant, MembershipByUser`. With `tenant`, other tenants' items are left out. */
export async function membershipWithItsViews(
  client: DynamoDBDocumentClient,
  args: { membershipId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<{ entity: 'Membership'; item: entities.Membership } | { entity: 'MembershipByTenant'; item: entities.MembershipByTenant } | { entity: 'MembershipByUser'; item: entities.MembershipByUser }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `MEMBERSHIP#${part('membershipId', args.membershipId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Membership') {
      const value = found.item as entities.Membership;
      if (options.tenant !== undefined && value.tenantId !== options.tenant) return undefined;
      return { entity: 'Membership' as const, item: value };
    }
    if (found?.entity === 'MembershipByTenant') {
      const value = found.item as entities.MembershipByTenant;
      if (options.tenant !== undefined && value.tenantId !== options.tenant) return undefined;
      return { entity: 'MembershipByTenant' as const, item: value };
    }
    if (found?.entity === 'MembershipByUser') {
      const value = found.item as entities.MembershipByUser;
      return { entity: 'MembershipByUser' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Membership'; item: entities.Membership } | { entity: 'MembershipByTenant'; item: entities.MembershipByTenant } | { entity: 'MembershipByUser'; item: entities.MembershipByUser }>(client, input, options, ['PK', 'SK'], take);
}

/** root albums: `GSI1PK = TENANT#<tenantId> and begins_with(GSI1SK, ALBUM#)`. */
export async function rootAlbums(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: PageOptions = {},
): Promise<Page<entities.Album>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
    ExpressionAttributeValues: { ':v0': `TENANT#${part('tenantId', args.tenantId)}`, ':v1': 'ALBUM#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Album') {
      const value = found.item as entities.Album;
      return value;
    }
    return undefined;
  };
  return query<entities.Album>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** albums in an album: `GSI1PK = ALBUM#<parentId> and begins_with(GSI1SK, ALBUM#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function albumsInAnAlbum(
  client: DynamoDBDocumentClient,
  args: { parentId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<entities.Album>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
    ExpressionAttributeValues: { ':v0': `ALBUM#${part('parentId', args.parentId)}`, ':v1': 'ALBUM#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Album') {
      const value = found.item as entities.Album;
      if (options.tenant !== undefined && value.tenantId !== options.tenant) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.Album>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** images in an album: `GSI1PK = ALBUM#<albumId> and begins_with(GSI1SK, IMAGE#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function imagesInAnAlbum(
  client: DynamoDBDocumentClient,
  args: { albumId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<entities.Image>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
    ExpressionAttributeValues: { ':v0': `ALBUM#${part('albumId', args.albumId)}`, ':v1': 'IMAGE#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Image') {
      const value = found.item as entities.Image;
      if (options.tenant !== undefined && value.tenantId !== options.tenant) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.Image>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** content of an album: `GSI1PK = ALBUM#<albumId>, own tenant only -> Album, Image`. With `tenant`, other tenants' items are left out. */
export async function contentOfAnAlbum(
  client: DynamoDBDocumentClient,
  args: { albumId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<{ entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': `ALBUM#${part('albumId', args.albumId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Album') {
      const value = found.item as entities.Album;
      if (options.tenant !== undefined && value.tenantId !== options.tenant) return undefined;
      return { entity: 'Album' as const, item: value };
    }
    if (found?.entity === 'Image') {
      const value = found.item as entities.Image;
      if (options.tenant !== undefined && value.tenantId !== options.tenant) return undefined;
      return { entity: 'Image' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** user by oidc subject: `GSI2PK = LOOKUP#USER#OIDC_SUB#<issuer>#<subject> -> User`. */
export async function userByOidcSubject(
  client: DynamoDBDocumentClient,
  args: { issuer: string; subject: string },
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI2PK' },
    ExpressionAttributeValues: { ':v0': `LOOKUP#USER#OIDC_SUB#${part('issuer', args.issuer, [url], '#')}#${part('subject', args.subject, [url])}` },
  };
  const take = async (item: Item) => {
    const found = read(userByOidcSubShape, item);
    if (found === undefined) return undefined;
    return get(client, options.tableName ?? TABLE, { PK: keys.pkUser(found as unknown as entities.User), SK: keys.skUserMetadata(found as unknown as entities.User) }, userShape);
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** user by email: `GSI2PK = LOOKUP#USER#EMAIL#<email> -> User`. */
export async function userByEmail(
  client: DynamoDBDocumentClient,
  args: { email: string },
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI2PK' },
    ExpressionAttributeValues: { ':v0': `LOOKUP#USER#EMAIL#${part('email', args.email, [lower])}` },
  };
  const take = async (item: Item) => {
    const found = read(userByEmailShape, item);
    if (found === undefined) return undefined;
    return get(client, options.tableName ?? TABLE, { PK: keys.pkUser(found as unknown as entities.User), SK: keys.skUserMetadata(found as unknown as entities.User) }, userShape);
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** members of a tenant: `GSI2PK = LOOKUP#MEMBERSHIP#TENANT#<tenantId>`. */
export async function membersOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: PageOptions = {},
): Promise<Page<entities.MembershipByTenant>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI2PK' },
    ExpressionAttributeValues: { ':v0': `LOOKUP#MEMBERSHIP#TENANT#${part('tenantId', args.tenantId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'MembershipByTenant') {
      const value = found.item as entities.MembershipByTenant;
      return value;
    }
    return undefined;
  };
  return query<entities.MembershipByTenant>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** tenants of a user: `GSI2PK = LOOKUP#MEMBERSHIP#USER#<userId>`. */
export async function tenantsOfAUser(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: PageOptions = {},
): Promise<Page<entities.MembershipByUser>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI2PK' },
    ExpressionAttributeValues: { ':v0': `LOOKUP#MEMBERSHIP#USER#${part('userId', args.userId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'MembershipByUser') {
      const value = found.item as entities.MembershipByUser;
      return value;
    }
    return undefined;
  };
  return query<entities.MembershipByUser>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}
