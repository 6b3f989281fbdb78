// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as keys from './keys.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'albums';

/** tenant with everything: `PK = TENANT#<tenantId> -> Tenant, Album, Image`. */
export async function tenantWithEverything(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Tenant'; item: entities.Tenant } | { entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Tenant'; item: entities.Tenant } | { entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.tenantShape, scope: 'tenant', source: 'query' },
      { shape: shapes.albumShape, scope: 'tenant', source: 'query' },
      { shape: shapes.imageShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** albums of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, ALBUM#)`. */
export async function albumsOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Album>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Album>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': 'ALBUM#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.albumShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** images of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, IMAGE#)`. */
export async function imagesOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Image>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Image>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': 'IMAGE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.imageShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** membership of a user in a tenant: `PK = LOOKUP#MEMBERSHIP#TENANT_USER#<tenantId>#<userId> -> Membership`. */
export async function membershipOfAUserInATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string; userId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Membership>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' }, userId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Membership>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `LOOKUP#MEMBERSHIP#TENANT_USER#${support.part('tenantId', args.tenantId, [], '#')}#${support.part('userId', args.userId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      access.through<entities.Membership>({
        shape: shapes.membershipShape, scope: 'tenant',
        lookup: shapes.membershipByUserInTenantShape,
        read: { key: (known) => ({ PK: keys.pkMembership(known), SK: keys.skMembership(known) }) },
        lookupKey: (item) => (item.tenantId === undefined || item.userId === undefined ? undefined : { PK: `LOOKUP#MEMBERSHIP#TENANT_USER#${support.part('tenantId', item.tenantId, [], '#')}#${support.part('userId', item.userId)}`, SK: 'LOOKUP' }),
      }),
    ],
  });
}

/** membership with its views: `PK = MEMBERSHIP#<membershipId>, own tenant only -> Membership, MembershipByTenant, MembershipByUser`. With `tenant`, other tenants' items are left out. */
export async function membershipWithItsViews(
  client: DynamoDBDocumentClient,
  args: { membershipId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<{ entity: 'Membership'; item: entities.Membership } | { entity: 'MembershipByTenant'; item: entities.MembershipByTenant } | { entity: 'MembershipByUser'; item: entities.MembershipByUser }>> {
  args = support.check(args, { membershipId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Membership'; item: entities.Membership } | { entity: 'MembershipByTenant'; item: entities.MembershipByTenant } | { entity: 'MembershipByUser'; item: entities.MembershipByUser }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `MEMBERSHIP#${support.part('membershipId', args.membershipId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'tenantId' },
    results: [
      { shape: shapes.membershipShape, scope: 'tenant', source: 'query' },
      { shape: shapes.membershipByTenantShape, scope: 'tenant', source: 'query' },
      { shape: shapes.membershipByUserShape, scope: 'global', source: 'query' },
    ],
  });
}

/** root albums: `GSI1PK = TENANT#<tenantId> and begins_with(GSI1SK, ALBUM#)`. */
export async function rootAlbums(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Album>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Album>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
      ExpressionAttributeValues: { ':v0': `TENANT#${support.part('tenantId', args.tenantId)}`, ':v1': 'ALBUM#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.albumShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** albums in an album: `GSI1PK = ALBUM#<parentId> and begins_with(GSI1SK, ALBUM#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function albumsInAnAlbum(
  client: DynamoDBDocumentClient,
  args: { parentId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Album>> {
  args = support.check(args, { parentId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Album>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
      ExpressionAttributeValues: { ':v0': `ALBUM#${support.part('parentId', args.parentId)}`, ':v1': 'ALBUM#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'tenantId', conditions: [{ attribute: 'PK', value: (tenant) => `TENANT#${support.part('tenantId', tenant)}` }] },
    results: [
      { shape: shapes.albumShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** images in an album: `GSI1PK = ALBUM#<albumId> and begins_with(GSI1SK, IMAGE#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function imagesInAnAlbum(
  client: DynamoDBDocumentClient,
  args: { albumId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Image>> {
  args = support.check(args, { albumId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Image>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
      ExpressionAttributeValues: { ':v0': `ALBUM#${support.part('albumId', args.albumId)}`, ':v1': 'IMAGE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'tenantId', conditions: [{ attribute: 'PK', value: (tenant) => `TENANT#${support.part('tenantId', tenant)}` }] },
    results: [
      { shape: shapes.imageShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** content of an album: `GSI1PK = ALBUM#<albumId>, own tenant only -> Album, Image`. With `tenant`, other tenants' items are left out. */
export async function contentOfAnAlbum(
  client: DynamoDBDocumentClient,
  args: { albumId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<{ entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>> {
  args = support.check(args, { albumId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Album'; item: entities.Album } | { entity: 'Image'; item: entities.Image }>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `ALBUM#${support.part('albumId', args.albumId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'tenantId', conditions: [{ attribute: 'PK', value: (tenant) => `TENANT#${support.part('tenantId', tenant)}` }] },
    results: [
      { shape: shapes.albumShape, scope: 'tenant', source: 'query' },
      { shape: shapes.imageShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** user by oidc subject: `GSI2PK = LOOKUP#USER#OIDC_SUB#<issuer>#<subject> -> User`. */
export async function userByOidcSubject(
  client: DynamoDBDocumentClient,
  args: { issuer: string; subject: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  args = support.check(args, { issuer: { fits: support.isUrl, rule: 'an absolute URL' }, subject: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `LOOKUP#USER#OIDC_SUB#${support.part('issuer', args.issuer, [support.url], '#')}#${support.part('subject', args.subject, [support.url])}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      access.through<entities.User>({
        shape: shapes.userShape, scope: 'global',
        lookup: shapes.userByOidcSubShape,
        read: { key: (known) => ({ PK: keys.pkUser(known), SK: keys.skUserMetadata(known) }) },
        lookupKey: (item) => (item.issuer === undefined || item.subject === undefined ? undefined : { PK: `LOOKUP#USER#OIDC_SUB#${support.part('issuer', item.issuer, [support.url], '#')}#${support.part('subject', item.subject, [support.url])}`, SK: 'LOOKUP' }),
      }),
    ],
  });
}

/** user by email: `GSI2PK = LOOKUP#USER#EMAIL#<email> -> User`. */
export async function userByEmail(
  client: DynamoDBDocumentClient,
  args: { email: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  args = support.check(args, { email: { fits: support.isEmail, rule: 'an email address' } });
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `LOOKUP#USER#EMAIL#${support.part('email', args.email, [support.lower])}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      access.through<entities.User>({
        shape: shapes.userShape, scope: 'global',
        lookup: shapes.userByEmailShape,
        read: { key: (known) => ({ PK: keys.pkUser(known), SK: keys.skUserMetadata(known) }) },
        lookupKey: (item) => (item.email === undefined ? undefined : { PK: `LOOKUP#USER#EMAIL#${support.part('email', item.email, [support.lower])}`, SK: 'LOOKUP' }),
      }),
    ],
  });
}

/** members of a tenant: `GSI2PK = LOOKUP#MEMBERSHIP#TENANT#<tenantId>`. */
export async function membersOfATenant(
  client: DynamoDBDocumentClient,
  args: { tenantId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.MembershipByTenant>> {
  args = support.check(args, { tenantId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.MembershipByTenant>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `LOOKUP#MEMBERSHIP#TENANT#${support.part('tenantId', args.tenantId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.membershipByTenantShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** tenants of a user: `GSI2PK = LOOKUP#MEMBERSHIP#USER#<userId>`. */
export async function tenantsOfAUser(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.MembershipByUser>> {
  args = support.check(args, { userId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.MembershipByUser>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `LOOKUP#MEMBERSHIP#USER#${support.part('userId', args.userId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.membershipByUserShape, scope: 'global', source: 'query' },
    ],
  });
}
