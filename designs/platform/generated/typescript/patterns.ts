// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import { shapes } from './shapes.js';
import { part, query, recognise, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'app_data';

/** all accounts: `GSI1PK = ENTITY#ACCOUNT, across tenants`. Crosses tenants: for operators. */
export async function allAccounts(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Account>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#ACCOUNT' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Account') {
      const value = found.item as entities.Account;
      return value;
    }
    return undefined;
  };
  return query<entities.Account>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all enterprises: `GSI1PK = ENTITY#ENTERPRISE`. */
export async function allEnterprises(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Enterprise>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#ENTERPRISE' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Enterprise') {
      const value = found.item as entities.Enterprise;
      return value;
    }
    return undefined;
  };
  return query<entities.Enterprise>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all licenses: `GSI1PK = ENTITY#LICENSE, across tenants`. Crosses tenants: for operators. */
export async function allLicenses(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.License>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#LICENSE' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'License') {
      const value = found.item as entities.License;
      return value;
    }
    return undefined;
  };
  return query<entities.License>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all workstreams: `GSI1PK = ENTITY#WORKSTREAM, across tenants`. Crosses tenants: for operators. */
export async function allWorkstreams(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Workstream>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#WORKSTREAM' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Workstream') {
      const value = found.item as entities.Workstream;
      return value;
    }
    return undefined;
  };
  return query<entities.Workstream>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all users: `GSI1PK = ENTITY#USER, across tenants`. Crosses tenants: for operators. */
export async function allUsers(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#USER' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'User') {
      const value = found.item as entities.User;
      return value;
    }
    return undefined;
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all roles: `GSI1PK = ENTITY#ROLE, own tenant only`. With `tenant`, other tenants' items are left out. */
export async function allRoles(
  client: DynamoDBDocumentClient,
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<entities.Role>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#ROLE' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Role') {
      const value = found.item as entities.Role;
      if (value.accountId !== undefined && options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.Role>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all groups: `GSI1PK = ENTITY#GROUP`. */
export async function allGroups(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Group>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#GROUP' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Group') {
      const value = found.item as entities.Group;
      return value;
    }
    return undefined;
  };
  return query<entities.Group>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all products: `GSI1PK = ENTITY#PRODUCT`. */
export async function allProducts(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Product>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#PRODUCT' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Product') {
      const value = found.item as entities.Product;
      return value;
    }
    return undefined;
  };
  return query<entities.Product>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all services: `GSI1PK = ENTITY#SERVICE`. */
export async function allServices(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Service>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#SERVICE' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Service') {
      const value = found.item as entities.Service;
      return value;
    }
    return undefined;
  };
  return query<entities.Service>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** all notification audits: `GSI1PK = ENTITY#NOTIFICATION_AUDIT, across tenants`. Crosses tenants: for operators. */
export async function allNotificationAudits(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.NotificationAudit>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI1',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI1PK' },
    ExpressionAttributeValues: { ':v0': 'ENTITY#NOTIFICATION_AUDIT' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'NotificationAudit') {
      const value = found.item as entities.NotificationAudit;
      return value;
    }
    return undefined;
  };
  return query<entities.NotificationAudit>(client, input, options, ['PK', 'SK', 'GSI1PK', 'GSI1SK'], take);
}

/** account with everything: `PK = ACCOUNT#<accountId> -> Account, Address, TechUser, License, Workstream`. */
export async function accountWithEverything(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Account'; item: entities.Account } | { entity: 'Address'; item: entities.Address } | { entity: 'TechUser'; item: entities.TechUser } | { entity: 'License'; item: entities.License } | { entity: 'Workstream'; item: entities.Workstream }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `ACCOUNT#${part('accountId', args.accountId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Account') {
      const value = found.item as entities.Account;
      return { entity: 'Account' as const, item: value };
    }
    if (found?.entity === 'Address') {
      const value = found.item as entities.Address;
      return { entity: 'Address' as const, item: value };
    }
    if (found?.entity === 'TechUser') {
      const value = found.item as entities.TechUser;
      return { entity: 'TechUser' as const, item: value };
    }
    if (found?.entity === 'License') {
      const value = found.item as entities.License;
      return { entity: 'License' as const, item: value };
    }
    if (found?.entity === 'Workstream') {
      const value = found.item as entities.Workstream;
      return { entity: 'Workstream' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Account'; item: entities.Account } | { entity: 'Address'; item: entities.Address } | { entity: 'TechUser'; item: entities.TechUser } | { entity: 'License'; item: entities.License } | { entity: 'Workstream'; item: entities.Workstream }>(client, input, options, ['PK', 'SK'], take);
}

/** enterprise with products and services: `PK = ENTERPRISE#<enterpriseId> -> Enterprise, EnterpriseProduct, EnterpriseService`. */
export async function enterpriseWithProductsAndServices(
  client: DynamoDBDocumentClient,
  args: { enterpriseId: string },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Enterprise'; item: entities.Enterprise } | { entity: 'EnterpriseProduct'; item: entities.EnterpriseProduct } | { entity: 'EnterpriseService'; item: entities.EnterpriseService }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `ENTERPRISE#${part('enterpriseId', args.enterpriseId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Enterprise') {
      const value = found.item as entities.Enterprise;
      return { entity: 'Enterprise' as const, item: value };
    }
    if (found?.entity === 'EnterpriseProduct') {
      const value = found.item as entities.EnterpriseProduct;
      return { entity: 'EnterpriseProduct' as const, item: value };
    }
    if (found?.entity === 'EnterpriseService') {
      const value = found.item as entities.EnterpriseService;
      return { entity: 'EnterpriseService' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Enterprise'; item: entities.Enterprise } | { entity: 'EnterpriseProduct'; item: entities.EnterpriseProduct } | { entity: 'EnterpriseService'; item: entities.EnterpriseService }>(client, input, options, ['PK', 'SK'], take);
}

/** licenses by account: `PK = ACCOUNT#<accountId> and begins_with(SK, LICENSE#)`. */
export async function licensesByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: PageOptions = {},
): Promise<Page<entities.License>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `ACCOUNT#${part('accountId', args.accountId)}`, ':v1': 'LICENSE#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'License') {
      const value = found.item as entities.License;
      return value;
    }
    return undefined;
  };
  return query<entities.License>(client, input, options, ['PK', 'SK'], take);
}

/** workstreams by account: `PK = ACCOUNT#<accountId> and begins_with(SK, WORKSTREAM#)`. */
export async function workstreamsByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: PageOptions = {},
): Promise<Page<entities.Workstream>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `ACCOUNT#${part('accountId', args.accountId)}`, ':v1': 'WORKSTREAM#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Workstream') {
      const value = found.item as entities.Workstream;
      return value;
    }
    return undefined;
  };
  return query<entities.Workstream>(client, input, options, ['PK', 'SK'], take);
}

/** role with permissions: `PK = ROLE#<roleId>, own tenant only -> Role, Permission`. With `tenant`, other tenants' items are left out. */
export async function roleWithPermissions(
  client: DynamoDBDocumentClient,
  args: { roleId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<{ entity: 'Role'; item: entities.Role } | { entity: 'Permission'; item: entities.Permission }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `ROLE#${part('roleId', args.roleId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Role') {
      const value = found.item as entities.Role;
      if (value.accountId !== undefined && options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return { entity: 'Role' as const, item: value };
    }
    if (found?.entity === 'Permission') {
      const value = found.item as entities.Permission;
      if (value.accountId !== undefined && options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return { entity: 'Permission' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Role'; item: entities.Role } | { entity: 'Permission'; item: entities.Permission }>(client, input, options, ['PK', 'SK'], take);
}

/** user with workstreams: `PK = USER#<userId>, own tenant only -> User, UserWorkstream`. With `tenant`, other tenants' items are left out. */
export async function userWithWorkstreams(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<{ entity: 'User'; item: entities.User } | { entity: 'UserWorkstream'; item: entities.UserWorkstream }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `USER#${part('userId', args.userId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'User') {
      const value = found.item as entities.User;
      if (options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return { entity: 'User' as const, item: value };
    }
    if (found?.entity === 'UserWorkstream') {
      const value = found.item as entities.UserWorkstream;
      if (options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return { entity: 'UserWorkstream' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'User'; item: entities.User } | { entity: 'UserWorkstream'; item: entities.UserWorkstream }>(client, input, options, ['PK', 'SK'], take);
}

/** tools of a workstream: `PK = WORKSTREAM#<workstreamId> and begins_with(SK, TOOL#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function toolsOfAWorkstream(
  client: DynamoDBDocumentClient,
  args: { workstreamId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<entities.Tool>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `WORKSTREAM#${part('workstreamId', args.workstreamId)}`, ':v1': 'TOOL#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Tool') {
      const value = found.item as entities.Tool;
      if (options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.Tool>(client, input, options, ['PK', 'SK'], take);
}

/** users by account: `GSI2PK = ACCOUNT#<accountId>#USERS`. */
export async function usersByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI2PK' },
    ExpressionAttributeValues: { ':v0': `ACCOUNT#${part('accountId', args.accountId, [], '#')}#USERS` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'User') {
      const value = found.item as entities.User;
      return value;
    }
    return undefined;
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** roles by account: `GSI2PK = ACCOUNT#<accountId>#ROLES`. */
export async function rolesByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: PageOptions = {},
): Promise<Page<entities.Role>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI2PK' },
    ExpressionAttributeValues: { ':v0': `ACCOUNT#${part('accountId', args.accountId, [], '#')}#ROLES` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Role') {
      const value = found.item as entities.Role;
      return value;
    }
    return undefined;
  };
  return query<entities.Role>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** licenses by enterprise: `GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, LICENSE#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function licensesByEnterprise(
  client: DynamoDBDocumentClient,
  args: { enterpriseId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<entities.License>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'GSI2PK', '#n1': 'GSI2SK' },
    ExpressionAttributeValues: { ':v0': `ENTERPRISE#${part('enterpriseId', args.enterpriseId)}`, ':v1': 'LICENSE#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'License') {
      const value = found.item as entities.License;
      if (options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.License>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** workstreams by enterprise: `GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, WORKSTREAM#), own tenant only`. With `tenant`, other tenants' items are left out. */
export async function workstreamsByEnterprise(
  client: DynamoDBDocumentClient,
  args: { enterpriseId: string },
  options: PageOptions & { tenant?: string } = {},
): Promise<Page<entities.Workstream>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'GSI2PK', '#n1': 'GSI2SK' },
    ExpressionAttributeValues: { ':v0': `ENTERPRISE#${part('enterpriseId', args.enterpriseId)}`, ':v1': 'WORKSTREAM#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Workstream') {
      const value = found.item as entities.Workstream;
      if (options.tenant !== undefined && value.accountId !== options.tenant) return undefined;
      return value;
    }
    return undefined;
  };
  return query<entities.Workstream>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** notifications by account: `GSI2PK = ACCOUNT#<accountId>#NOTIFICATIONS`. */
export async function notificationsByAccount(
  client: DynamoDBDocumentClient,
  args: { accountId: string },
  options: PageOptions = {},
): Promise<Page<entities.NotificationAudit>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI2',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI2PK' },
    ExpressionAttributeValues: { ':v0': `ACCOUNT#${part('accountId', args.accountId, [], '#')}#NOTIFICATIONS` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'NotificationAudit') {
      const value = found.item as entities.NotificationAudit;
      return value;
    }
    return undefined;
  };
  return query<entities.NotificationAudit>(client, input, options, ['PK', 'SK', 'GSI2PK', 'GSI2SK'], take);
}

/** expiring licenses: `GSI3PK = LICENSE#STATUS#active and GSI3SK <= <before>, across tenants`. Crosses tenants: for operators. */
export async function expiringLicenses(
  client: DynamoDBDocumentClient,
  args: { before: string },
  options: PageOptions = {},
): Promise<Page<entities.License>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI3',
    KeyConditionExpression: '#n0 = :v0 AND #n1 < :v1',
    ExpressionAttributeNames: { '#n0': 'GSI3PK', '#n1': 'GSI3SK' },
    ExpressionAttributeValues: { ':v0': 'LICENSE#STATUS#active', ':v1': `${part('before', args.before)}` + '$' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'License') {
      const value = found.item as entities.License;
      return value;
    }
    return undefined;
  };
  return query<entities.License>(client, input, options, ['PK', 'SK', 'GSI3PK', 'GSI3SK'], take);
}

/** expired licenses: `GSI3PK = LICENSE#STATUS#expired, across tenants`. Crosses tenants: for operators. */
export async function expiredLicenses(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.License>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI3',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI3PK' },
    ExpressionAttributeValues: { ':v0': 'LICENSE#STATUS#expired' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'License') {
      const value = found.item as entities.License;
      return value;
    }
    return undefined;
  };
  return query<entities.License>(client, input, options, ['PK', 'SK', 'GSI3PK', 'GSI3SK'], take);
}

/** active users by end date: `GSI3PK = USER#STATUS#active, across tenants`. Crosses tenants: for operators. */
export async function activeUsersByEndDate(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI3',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI3PK' },
    ExpressionAttributeValues: { ':v0': 'USER#STATUS#active' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'User') {
      const value = found.item as entities.User;
      return value;
    }
    return undefined;
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSI3PK', 'GSI3SK'], take);
}

/** inactive users: `GSI3PK = USER#STATUS#inactive, across tenants`. Crosses tenants: for operators. */
export async function inactiveUsers(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI3',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI3PK' },
    ExpressionAttributeValues: { ':v0': 'USER#STATUS#inactive' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'User') {
      const value = found.item as entities.User;
      return value;
    }
    return undefined;
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSI3PK', 'GSI3SK'], take);
}

/** sent notifications between: `GSI3PK = NOTIFICATION#STATUS#sent and GSI3SK between <start> and <end>, across tenants`. Crosses tenants: for operators. */
export async function sentNotificationsBetween(
  client: DynamoDBDocumentClient,
  args: { start: string; end: string },
  options: PageOptions = {},
): Promise<Page<entities.NotificationAudit>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI3',
    KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
    ExpressionAttributeNames: { '#n0': 'GSI3PK', '#n1': 'GSI3SK' },
    ExpressionAttributeValues: { ':v0': 'NOTIFICATION#STATUS#sent', ':v1': `${part('start', args.start)}`, ':v2': `${part('end', args.end)}` + '$' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'NotificationAudit') {
      const value = found.item as entities.NotificationAudit;
      return value;
    }
    return undefined;
  };
  return query<entities.NotificationAudit>(client, input, options, ['PK', 'SK', 'GSI3PK', 'GSI3SK'], take);
}

/** failed notifications: `GSI3PK = NOTIFICATION#STATUS#failed, across tenants`. Crosses tenants: for operators. */
export async function failedNotifications(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.NotificationAudit>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI3',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI3PK' },
    ExpressionAttributeValues: { ':v0': 'NOTIFICATION#STATUS#failed' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'NotificationAudit') {
      const value = found.item as entities.NotificationAudit;
      return value;
    }
    return undefined;
  };
  return query<entities.NotificationAudit>(client, input, options, ['PK', 'SK', 'GSI3PK', 'GSI3SK'], take);
}

/** skipped notifications: `GSI3PK = NOTIFICATION#STATUS#skipped, across tenants`. Crosses tenants: for operators. */
export async function skippedNotifications(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.NotificationAudit>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI3',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'GSI3PK' },
    ExpressionAttributeValues: { ':v0': 'NOTIFICATION#STATUS#skipped' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'NotificationAudit') {
      const value = found.item as entities.NotificationAudit;
      return value;
    }
    return undefined;
  };
  return query<entities.NotificationAudit>(client, input, options, ['PK', 'SK', 'GSI3PK', 'GSI3SK'], take);
}
