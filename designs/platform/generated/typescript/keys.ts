// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Account: `ACCOUNT#<accountId>`. */
export function pkAccount(values: Pick<entities.Account, 'accountId'>): string {
  return `ACCOUNT#${support.part('accountId', values.accountId)}`;
}

/** SK of Account: `METADATA`. */
export function skAccount(): string {
  return 'METADATA';
}

/** Account in GSI1. */
export function gsi1Account(values: Pick<entities.Account, 'accountId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#ACCOUNT', GSI1SK: `ACCOUNT#${support.part('accountId', values.accountId)}` };
}

/** PK of Address: `ACCOUNT#<accountId>`. */
export function pkAddress(values: Pick<entities.Address, 'accountId'>): string {
  return `ACCOUNT#${support.part('accountId', values.accountId)}`;
}

/** SK of Address: `ADDRESS#<addressId>`. */
export function skAddress(values: Pick<entities.Address, 'addressId'>): string {
  return `ADDRESS#${support.part('addressId', values.addressId)}`;
}

/** PK of TechUser: `ACCOUNT#<accountId>`. */
export function pkTechUser(values: Pick<entities.TechUser, 'accountId'>): string {
  return `ACCOUNT#${support.part('accountId', values.accountId)}`;
}

/** SK of TechUser: `TECH_USER#<userId>`. */
export function skTechUser(values: Pick<entities.TechUser, 'userId'>): string {
  return `TECH_USER#${support.part('userId', values.userId)}`;
}

/** PK of Enterprise: `ENTERPRISE#<enterpriseId>`. */
export function pkEnterprise(values: Pick<entities.Enterprise, 'enterpriseId'>): string {
  return `ENTERPRISE#${support.part('enterpriseId', values.enterpriseId)}`;
}

/** SK of Enterprise: `METADATA`. */
export function skEnterprise(): string {
  return 'METADATA';
}

/** Enterprise in GSI1. */
export function gsi1Enterprise(values: Pick<entities.Enterprise, 'enterpriseId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#ENTERPRISE', GSI1SK: `ENTERPRISE#${support.part('enterpriseId', values.enterpriseId)}` };
}

/** PK of EnterpriseProduct: `ENTERPRISE#<enterpriseId>`. */
export function pkEnterpriseProduct(values: Pick<entities.EnterpriseProduct, 'enterpriseId'>): string {
  return `ENTERPRISE#${support.part('enterpriseId', values.enterpriseId)}`;
}

/** SK of EnterpriseProduct: `PRODUCT#<productId>`. */
export function skEnterpriseProduct(values: Pick<entities.EnterpriseProduct, 'productId'>): string {
  return `PRODUCT#${support.part('productId', values.productId)}`;
}

/** PK of EnterpriseService: `ENTERPRISE#<enterpriseId>`. */
export function pkEnterpriseService(values: Pick<entities.EnterpriseService, 'enterpriseId'>): string {
  return `ENTERPRISE#${support.part('enterpriseId', values.enterpriseId)}`;
}

/** SK of EnterpriseService: `SERVICE#<serviceId>`. */
export function skEnterpriseService(values: Pick<entities.EnterpriseService, 'serviceId'>): string {
  return `SERVICE#${support.part('serviceId', values.serviceId)}`;
}

/** PK of License: `ACCOUNT#<accountId>`. */
export function pkLicense(values: Pick<entities.License, 'accountId'>): string {
  return `ACCOUNT#${support.part('accountId', values.accountId)}`;
}

/** SK of License: `LICENSE#<licenseId>`. */
export function skLicense(values: Pick<entities.License, 'licenseId'>): string {
  return `LICENSE#${support.part('licenseId', values.licenseId)}`;
}

/** License in GSI1. */
export function gsi1License(values: Pick<entities.License, 'licenseId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#LICENSE', GSI1SK: `LICENSE#${support.part('licenseId', values.licenseId)}` };
}

/** License in GSI2. */
export function gsi2License(values: Pick<entities.License, 'enterpriseId' | 'licenseId'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `ENTERPRISE#${support.part('enterpriseId', values.enterpriseId)}`, GSI2SK: `LICENSE#${support.part('licenseId', values.licenseId)}` };
}

/** License in GSI3. */
export function gsi3License(values: Pick<entities.License, 'endDate' | 'licenseId' | 'status'>): { GSI3PK: string; GSI3SK: string } {
  return { GSI3PK: `LICENSE#STATUS#${support.part('status', values.status)}`, GSI3SK: `${support.part('endDate', values.endDate)}#${support.part('licenseId', values.licenseId)}` };
}

/** PK of Workstream: `ACCOUNT#<accountId>`. */
export function pkWorkstream(values: Pick<entities.Workstream, 'accountId'>): string {
  return `ACCOUNT#${support.part('accountId', values.accountId)}`;
}

/** SK of Workstream: `WORKSTREAM#<workstreamId>`. */
export function skWorkstream(values: Pick<entities.Workstream, 'workstreamId'>): string {
  return `WORKSTREAM#${support.part('workstreamId', values.workstreamId)}`;
}

/** Workstream in GSI1. */
export function gsi1Workstream(values: Pick<entities.Workstream, 'workstreamId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#WORKSTREAM', GSI1SK: `WORKSTREAM#${support.part('workstreamId', values.workstreamId)}` };
}

/** Workstream in GSI2. */
export function gsi2Workstream(values: Pick<entities.Workstream, 'enterpriseId' | 'workstreamId'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `ENTERPRISE#${support.part('enterpriseId', values.enterpriseId)}`, GSI2SK: `WORKSTREAM#${support.part('workstreamId', values.workstreamId)}` };
}

/** PK of Tool: `WORKSTREAM#<workstreamId>`. */
export function pkTool(values: Pick<entities.Tool, 'workstreamId'>): string {
  return `WORKSTREAM#${support.part('workstreamId', values.workstreamId)}`;
}

/** SK of Tool: `TOOL#<toolId>`. */
export function skTool(values: Pick<entities.Tool, 'toolId'>): string {
  return `TOOL#${support.part('toolId', values.toolId)}`;
}

/** PK of User: `USER#<userId>`. */
export function pkUser(values: Pick<entities.User, 'userId'>): string {
  return `USER#${support.part('userId', values.userId)}`;
}

/** SK of User: `METADATA`. */
export function skUser(): string {
  return 'METADATA';
}

/** User in GSI1. */
export function gsi1User(values: Pick<entities.User, 'userId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#USER', GSI1SK: `USER#${support.part('userId', values.userId)}` };
}

/** User in GSI2. */
export function gsi2User(values: Pick<entities.User, 'accountId' | 'userId'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `ACCOUNT#${support.part('accountId', values.accountId, [], '#')}#USERS`, GSI2SK: `USER#${support.part('userId', values.userId)}` };
}

/** User in GSI3. */
export function gsi3User(values: Pick<entities.User, 'endDate' | 'status' | 'userId'>): { GSI3PK: string; GSI3SK: string } {
  return { GSI3PK: `USER#STATUS#${support.part('status', values.status)}`, GSI3SK: `${support.part('endDate', values.endDate ?? '9999-12-31')}#${support.part('userId', values.userId)}` };
}

/** PK of UserWorkstream: `USER#<userId>`. */
export function pkUserWorkstream(values: Pick<entities.UserWorkstream, 'userId'>): string {
  return `USER#${support.part('userId', values.userId)}`;
}

/** SK of UserWorkstream: `WORKSTREAM#<workstreamId>`. */
export function skUserWorkstream(values: Pick<entities.UserWorkstream, 'workstreamId'>): string {
  return `WORKSTREAM#${support.part('workstreamId', values.workstreamId)}`;
}

/** PK of Role: `ROLE#<roleId>`. */
export function pkRole(values: Pick<entities.Role, 'roleId'>): string {
  return `ROLE#${support.part('roleId', values.roleId)}`;
}

/** SK of Role: `METADATA`. */
export function skRole(): string {
  return 'METADATA';
}

/** Role in GSI1. */
export function gsi1Role(values: Pick<entities.Role, 'roleId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#ROLE', GSI1SK: `ROLE#${support.part('roleId', values.roleId)}` };
}

/** Role in GSI2; only items that have all its attributes are in the index. */
export function gsi2Role(values: Pick<entities.Role, 'accountId' | 'roleId'>): { GSI2PK: string; GSI2SK: string } | Record<string, never> {
  if (values.accountId === undefined) return {};
  return { GSI2PK: `ACCOUNT#${support.part('accountId', values.accountId, [], '#')}#ROLES`, GSI2SK: `ROLE#${support.part('roleId', values.roleId)}` };
}

/** PK of Permission: `ROLE#<roleId>`. */
export function pkPermission(values: Pick<entities.Permission, 'roleId'>): string {
  return `ROLE#${support.part('roleId', values.roleId)}`;
}

/** SK of Permission: `PERMISSION#<menuKey>`. */
export function skPermission(values: Pick<entities.Permission, 'menuKey'>): string {
  return `PERMISSION#${support.part('menuKey', values.menuKey)}`;
}

/** PK of Group: `GROUP#<groupId>`. */
export function pkGroup(values: Pick<entities.Group, 'groupId'>): string {
  return `GROUP#${support.part('groupId', values.groupId)}`;
}

/** SK of Group: `METADATA`. */
export function skGroup(): string {
  return 'METADATA';
}

/** Group in GSI1. */
export function gsi1Group(values: Pick<entities.Group, 'groupId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#GROUP', GSI1SK: `GROUP#${support.part('groupId', values.groupId)}` };
}

/** PK of Product: `PRODUCT#<productId>`. */
export function pkProduct(values: Pick<entities.Product, 'productId'>): string {
  return `PRODUCT#${support.part('productId', values.productId)}`;
}

/** SK of Product: `METADATA`. */
export function skProduct(): string {
  return 'METADATA';
}

/** Product in GSI1. */
export function gsi1Product(values: Pick<entities.Product, 'productId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#PRODUCT', GSI1SK: `PRODUCT#${support.part('productId', values.productId)}` };
}

/** PK of Service: `SERVICE#<serviceId>`. */
export function pkService(values: Pick<entities.Service, 'serviceId'>): string {
  return `SERVICE#${support.part('serviceId', values.serviceId)}`;
}

/** SK of Service: `METADATA`. */
export function skService(): string {
  return 'METADATA';
}

/** Service in GSI1. */
export function gsi1Service(values: Pick<entities.Service, 'serviceId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#SERVICE', GSI1SK: `SERVICE#${support.part('serviceId', values.serviceId)}` };
}

/** PK of NotificationAudit: `NOTIFICATION_AUDIT#<id>`. */
export function pkNotificationAudit(values: Pick<entities.NotificationAudit, 'id'>): string {
  return `NOTIFICATION_AUDIT#${support.part('id', values.id)}`;
}

/** SK of NotificationAudit: `METADATA`. */
export function skNotificationAudit(): string {
  return 'METADATA';
}

/** NotificationAudit in GSI1. */
export function gsi1NotificationAudit(values: Pick<entities.NotificationAudit, 'id'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: 'ENTITY#NOTIFICATION_AUDIT', GSI1SK: `NOTIFICATION_AUDIT#${support.part('id', values.id)}` };
}

/** NotificationAudit in GSI2. */
export function gsi2NotificationAudit(values: Pick<entities.NotificationAudit, 'accountId' | 'id' | 'sentAt'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `ACCOUNT#${support.part('accountId', values.accountId, [], '#')}#NOTIFICATIONS`, GSI2SK: `${support.part('sentAt', values.sentAt)}#${support.part('id', values.id)}` };
}

/** NotificationAudit in GSI3. */
export function gsi3NotificationAudit(values: Pick<entities.NotificationAudit, 'deliveryStatus' | 'id' | 'sentAt'>): { GSI3PK: string; GSI3SK: string } {
  return { GSI3PK: `NOTIFICATION#STATUS#${support.part('deliveryStatus', values.deliveryStatus)}`, GSI3SK: `${support.part('sentAt', values.sentAt)}#${support.part('id', values.id)}` };
}
