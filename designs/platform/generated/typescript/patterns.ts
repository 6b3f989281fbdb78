// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as keys from './keys.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'app_data';

/** all accounts: `GSI1PK = ENTITY#ACCOUNT, across tenants`. Crosses tenants: for operators. */
export async function allAccounts(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Account>> {
  return access.page<entities.Account>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#ACCOUNT' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.accountShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** all enterprises: `GSI1PK = ENTITY#ENTERPRISE`. */
export async function allEnterprises(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Enterprise>> {
  return access.page<entities.Enterprise>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#ENTERPRISE' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.enterpriseShape, scope: 'global', source: 'query' },
    ],
  });
}

/** all licenses: `GSI1PK = ENTITY#LICENSE, across tenants`. Crosses tenants: for operators. */
export async function allLicenses(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.License>> {
  return access.page<entities.License>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#LICENSE' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.licenseShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** all workstreams: `GSI1PK = ENTITY#WORKSTREAM, across tenants`. Crosses tenants: for operators. */
export async function allWorkstreams(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Workstream>> {
  return access.page<entities.Workstream>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#WORKSTREAM' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.workstreamShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** all users: `GSI1PK = ENTITY#USER, across tenants`. Crosses tenants: for operators. */
export async function allUsers(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#USER' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.userShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** all roles: `GSI1PK = ENTITY#ROLE, own tenant only`. With `tenant`, other tenants' items are left out. */
export async function allRoles(
  client: DynamoDBDocumentClient,
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Role>> {
  return access.page<entities.Role>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#ROLE' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'accountId', conditions: [{ attribute: 'accountId', value: (tenant) => tenant, orAbsent: true }] },
    results: [
      { shape: shapes.roleShape, scope: 'tenant or global', source: 'query' },
    ],
  });
}

/** all groups: `GSI1PK = ENTITY#GROUP`. */
export async function allGroups(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Group>> {
  return access.page<entities.Group>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#GROUP' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.groupShape, scope: 'global', source: 'query' },
    ],
  });
}

/** all products: `GSI1PK = ENTITY#PRODUCT`. */
export async function allProducts(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Product>> {
  return access.page<entities.Product>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#PRODUCT' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.productShape, scope: 'global', source: 'query' },
    ],
  });
}

/** all services: `GSI1PK = ENTITY#SERVICE`. */
export async function allServices(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Service>> {
  return access.page<entities.Service>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#SERVICE' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.serviceShape, scope: 'global', source: 'query' },
    ],
  });
}

/** all notification audits: `GSI1PK = ENTITY#NOTIFICATION_AUDIT, across tenants`. Crosses tenants: for operators. */
export async function allNotificationAudits(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.NotificationAudit>> {
  return access.page<entities.NotificationAudit>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': 'ENTITY#NOTIFICATION_AUDIT' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.notificationAuditShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** account with everything: `PK = ACCOUNT#<accountId> -> Account, Address, TechUser, License, Workstream`. */
export async function accountWithEverything(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Account'; item: entities.Account } | { entity: 'Address'; item: entities.Address } | { entity: 'TechUser'; item: entities.TechUser } | { entity: 'License'; item: entities.License } | { entity: 'Workstream'; item: entities.Workstream }>> {
  args = support.check(args, { accountId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Account'; item: entities.Account } | { entity: 'Address'; item: entities.Address } | { entity: 'TechUser'; item: entities.TechUser } | { entity: 'License'; item: entities.License } | { entity: 'Workstream'; item: entities.Workstream }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `ACCOUNT#${support.part('accountId', args.accountId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.accountShape, scope: 'tenant', source: 'query' },
      { shape: shapes.addressShape, scope: 'tenant', source: 'query' },
      { shape: shapes.techUserShape, scope: 'tenant', source: 'query' },
      { shape: shapes.licenseShape, scope: 'tenant', source: 'query' },
      { shape: shapes.workstreamShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** enterprise with products and services: `PK = ENTERPRISE#<enterpriseId> -> Enterprise, EnterpriseProduct, EnterpriseService`. */
export async function enterpriseWithProductsAndServices(
  client: DynamoDBDocumentClient,
  args: { enterpriseId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Enterprise'; item: entities.Enterprise } | { entity: 'EnterpriseProduct'; item: entities.EnterpriseProduct } | { entity: 'EnterpriseService'; item: entities.EnterpriseService }>> {
  args = support.check(args, { enterpriseId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Enterprise'; item: entities.Enterprise } | { entity: 'EnterpriseProduct'; item: entities.EnterpriseProduct } | { entity: 'EnterpriseService'; item: entities.EnterpriseService }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `ENTERPRISE#${support.part('enterpriseId', args.enterpriseId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.enterpriseShape, scope: 'global', source: 'query' },
      { shape: shapes.enterpriseProductShape, scope: 'global', source: 'query' },
      { shape: shapes.enterpriseServiceShape, scope: 'global', source: 'query' },
    ],
  });
}

/** licenses by account: `PK = ACCOUNT#<accountId> and begins_with(SK, LICENSE#)`. */
export async function licensesByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.License>> {
  args = support.check(args, { accountId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.License>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `ACCOUNT#${support.part('accountId', args.accountId)}`, ':v1': 'LICENSE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.licenseShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** workstreams by account: `PK = ACCOUNT#<accountId> and begins_with(SK, WORKSTREAM#)`. */
export async function workstreamsByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Workstream>> {
  args = support.check(args, { accountId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Workstream>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `ACCOUNT#${support.part('accountId', args.accountId)}`, ':v1': 'WORKSTREAM#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.workstreamShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** role with permissions: `PK = ROLE#<roleId>, own tenant only -> Role, Permission`. With `tenant`, other tenants' items are left out. */
export async function roleWithPermissions(
  client: DynamoDBDocumentClient,
  args: { roleId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<{ entity: 'Role'; item: entities.Role } | { entity: 'Permission'; item: entities.Permission }>> {
  args = support.check(args, { roleId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Role'; item: entities.Role } | { entity: 'Permission'; item: entities.Permission }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `ROLE#${support.part('roleId', args.roleId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'accountId', conditions: [{ attribute: 'accountId', value: (tenant) => tenant, orAbsent: true }] },
    results: [
      { shape: shapes.roleShape, scope: 'tenant or global', source: 'query' },
      { shape: shapes.permissionShape, scope: 'tenant or global', source: 'query' },
    ],
  });
}

/** user with workstreams: `PK = USER#<userId>, own tenant only -> User, UserWorkstream`. With `tenant`, other tenants' items are left out. */
export async function userWithWorkstreams(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<{ entity: 'User'; item: entities.User } | { entity: 'UserWorkstream'; item: entities.UserWorkstream }>> {
  args = support.check(args, { userId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'User'; item: entities.User } | { entity: 'UserWorkstream'; item: entities.UserWorkstream }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `USER#${support.part('userId', args.userId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'accountId', conditions: [{ attribute: 'accountId', value: (tenant) => tenant }] },
    results: [
      { shape: shapes.userShape, scope: 'tenant', source: 'query' },
      { shape: shapes.userWorkstreamShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** workstreams of a user: `PK = USER#<userId> and begins_with(SK, WORKSTREAM#), own tenant only -> Workstream`. With `tenant`, other tenants' items are left out. */
export async function workstreamsOfAUser(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Workstream>> {
  args = support.check(args, { userId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Workstream>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `USER#${support.part('userId', args.userId)}`, ':v1': 'WORKSTREAM#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'accountId', conditions: [{ attribute: 'accountId', value: (tenant) => tenant }] },
    results: [
      access.referred<entities.Workstream, entities.UserWorkstream>({
        shape: shapes.workstreamShape, scope: 'tenant',
        from: shapes.userWorkstreamShape,
        known: (item) => ({ workstreamId: item.workstreamId, accountId: item.accountId }),
        read: { key: (known) => ({ PK: keys.pkWorkstream(known), SK: keys.skWorkstream(known) }) },
      }),
    ],
  });
}

/** tools of a workstream: `PK = WORKSTREAM#<workstreamId> and begins_with(SK, TOOL#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function toolsOfAWorkstream(
  client: DynamoDBDocumentClient,
  args: { workstreamId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Tool>> {
  args = support.check(args, { workstreamId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Tool>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `WORKSTREAM#${support.part('workstreamId', args.workstreamId)}`, ':v1': 'TOOL#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'accountId', conditions: [{ attribute: 'accountId', value: (tenant) => tenant }] },
    results: [
      { shape: shapes.toolShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** users by account: `GSI2PK = ACCOUNT#<accountId>#USERS`. */
export async function usersByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  args = support.check(args, { accountId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `ACCOUNT#${support.part('accountId', args.accountId, [], '#')}#USERS` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.userShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** roles by account: `GSI2PK = ACCOUNT#<accountId>#ROLES`. */
export async function rolesByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Role>> {
  args = support.check(args, { accountId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Role>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `ACCOUNT#${support.part('accountId', args.accountId, [], '#')}#ROLES` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.roleShape, scope: 'tenant or global', source: 'query' },
    ],
  });
}

/** licenses by enterprise: `GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, LICENSE#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function licensesByEnterprise(
  client: DynamoDBDocumentClient,
  args: { enterpriseId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.License>> {
  args = support.check(args, { enterpriseId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.License>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'GSI2PK', '#n1': 'GSI2SK' },
      ExpressionAttributeValues: { ':v0': `ENTERPRISE#${support.part('enterpriseId', args.enterpriseId)}`, ':v1': 'LICENSE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'accountId', conditions: [{ attribute: 'PK', value: (tenant) => `ACCOUNT#${support.part('accountId', tenant)}` }] },
    results: [
      { shape: shapes.licenseShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** workstreams by enterprise: `GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, WORKSTREAM#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function workstreamsByEnterprise(
  client: DynamoDBDocumentClient,
  args: { enterpriseId: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Workstream>> {
  args = support.check(args, { enterpriseId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Workstream>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'GSI2PK', '#n1': 'GSI2SK' },
      ExpressionAttributeValues: { ':v0': `ENTERPRISE#${support.part('enterpriseId', args.enterpriseId)}`, ':v1': 'WORKSTREAM#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'accountId', conditions: [{ attribute: 'PK', value: (tenant) => `ACCOUNT#${support.part('accountId', tenant)}` }] },
    results: [
      { shape: shapes.workstreamShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** notifications by account: `GSI2PK = ACCOUNT#<accountId>#NOTIFICATIONS`. */
export async function notificationsByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.NotificationAudit>> {
  args = support.check(args, { accountId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.NotificationAudit>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `ACCOUNT#${support.part('accountId', args.accountId, [], '#')}#NOTIFICATIONS` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.notificationAuditShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** expiring licenses: `GSI3PK = LICENSE#STATUS#active and GSI3SK <= <before>, across tenants`. Crosses tenants: for operators. */
export async function expiringLicenses(
  client: DynamoDBDocumentClient,
  args: { before: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.License>> {
  args = support.check(args, { before: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.License>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI3',
      KeyConditionExpression: '#n0 = :v0 AND #n1 < :v1',
      ExpressionAttributeNames: { '#n0': 'GSI3PK', '#n1': 'GSI3SK' },
      ExpressionAttributeValues: { ':v0': 'LICENSE#STATUS#active', ':v1': `${support.part('before', args.before)}` + '$' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI3PK', 'GSI3SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.licenseShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** expired licenses: `GSI3PK = LICENSE#STATUS#expired, across tenants`. Crosses tenants: for operators. */
export async function expiredLicenses(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.License>> {
  return access.page<entities.License>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI3',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI3PK' },
      ExpressionAttributeValues: { ':v0': 'LICENSE#STATUS#expired' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI3PK', 'GSI3SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.licenseShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** active users by end date: `GSI3PK = USER#STATUS#active, across tenants`. Crosses tenants: for operators. */
export async function activeUsersByEndDate(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI3',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI3PK' },
      ExpressionAttributeValues: { ':v0': 'USER#STATUS#active' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI3PK', 'GSI3SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.userShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** inactive users: `GSI3PK = USER#STATUS#inactive, across tenants`. Crosses tenants: for operators. */
export async function inactiveUsers(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI3',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI3PK' },
      ExpressionAttributeValues: { ':v0': 'USER#STATUS#inactive' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI3PK', 'GSI3SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.userShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** sent notifications between: `GSI3PK = NOTIFICATION#STATUS#sent and GSI3SK between <start> and <end>, across tenants`. Crosses tenants: for operators. */
export async function sentNotificationsBetween(
  client: DynamoDBDocumentClient,
  args: { start: string; end: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.NotificationAudit>> {
  args = support.check(args, { start: { fits: support.isMoment({ digits: 3, zone: 'Z' }), rule: 'a datetime in UTC with milliseconds (2026-11-15T08:00:00.000Z), or a date (YYYY-MM-DD)', normalize: support.inFormat({ digits: 3, zone: 'Z' }) }, end: { fits: support.isMoment({ digits: 3, zone: 'Z' }), rule: 'a datetime in UTC with milliseconds (2026-11-15T08:00:00.000Z), or a date (YYYY-MM-DD)', normalize: support.inFormat({ digits: 3, zone: 'Z' }) } });
  return access.page<entities.NotificationAudit>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI3',
      KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'GSI3PK', '#n1': 'GSI3SK' },
      ExpressionAttributeValues: { ':v0': 'NOTIFICATION#STATUS#sent', ':v1': `${support.part('start', args.start, [support.startOfDay('T')])}`, ':v2': `${support.part('end', args.end, [support.endOfDay('T')])}` + '$' },
    }],
    between: [':v1', ':v2'],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI3PK', 'GSI3SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.notificationAuditShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** failed notifications: `GSI3PK = NOTIFICATION#STATUS#failed, across tenants`. Crosses tenants: for operators. */
export async function failedNotifications(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.NotificationAudit>> {
  return access.page<entities.NotificationAudit>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI3',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI3PK' },
      ExpressionAttributeValues: { ':v0': 'NOTIFICATION#STATUS#failed' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI3PK', 'GSI3SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.notificationAuditShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** skipped notifications: `GSI3PK = NOTIFICATION#STATUS#skipped, across tenants`. Crosses tenants: for operators. */
export async function skippedNotifications(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.NotificationAudit>> {
  return access.page<entities.NotificationAudit>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI3',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI3PK' },
      ExpressionAttributeValues: { ':v0': 'NOTIFICATION#STATUS#skipped' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI3PK', 'GSI3SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.notificationAuditShape, scope: 'tenant', source: 'query' },
    ],
  });
}
