// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const accountShape: Shape<entities.Account> = {
  entity: 'Account',
  base: [
    ['PK', [/^ACCOUNT#(.+)$/su, [['accountId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^ACCOUNT#(.+)$/su, [['accountId', 'text']]]],
  ],
  stored: ['accountId', 'name', 'status', 'userCount', 'roleCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const addressShape: Shape<entities.Address> = {
  entity: 'Address',
  base: [
    ['PK', [/^ACCOUNT#(.+)$/su, [['accountId', 'text']]]],
    ['SK', [/^ADDRESS#(.+)$/su, [['addressId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['accountId', 'addressId', 'kind', 'street', 'postalCode', 'city', 'country', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const techUserShape: Shape<entities.TechUser> = {
  entity: 'TechUser',
  base: [
    ['PK', [/^ACCOUNT#(.+)$/su, [['accountId', 'text']]]],
    ['SK', [/^TECH_USER#(.+)$/su, [['userId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['accountId', 'userId', 'name', 'email', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const enterpriseShape: Shape<entities.Enterprise> = {
  entity: 'Enterprise',
  base: [
    ['PK', [/^ENTERPRISE#(.+)$/su, [['enterpriseId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^ENTERPRISE#(.+)$/su, [['enterpriseId', 'text']]]],
  ],
  stored: ['enterpriseId', 'name', 'licenseCount', 'workstreamCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const enterpriseProductShape: Shape<entities.EnterpriseProduct> = {
  entity: 'EnterpriseProduct',
  base: [
    ['PK', [/^ENTERPRISE#(.+)$/su, [['enterpriseId', 'text']]]],
    ['SK', [/^PRODUCT#(.+)$/su, [['productId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['enterpriseId', 'productId', 'createdAt'],
  keyOnly: [],
};

export const enterpriseServiceShape: Shape<entities.EnterpriseService> = {
  entity: 'EnterpriseService',
  base: [
    ['PK', [/^ENTERPRISE#(.+)$/su, [['enterpriseId', 'text']]]],
    ['SK', [/^SERVICE#(.+)$/su, [['serviceId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['enterpriseId', 'serviceId', 'createdAt'],
  keyOnly: [],
};

export const licenseShape: Shape<entities.License> = {
  entity: 'License',
  base: [
    ['PK', [/^ACCOUNT#(.+)$/su, [['accountId', 'text']]]],
    ['SK', [/^LICENSE#(.+)$/su, [['licenseId', 'text']]]],
  ],
  computed: [
    ['GSI1SK', [/^LICENSE#(.+)$/su, [['licenseId', 'text']]]],
    ['GSI2PK', [/^ENTERPRISE#(.+)$/su, [['enterpriseId', 'text']]]],
    ['GSI2SK', [/^LICENSE#(.+)$/su, [['licenseId', 'text']]]],
    ['GSI3PK', [/^LICENSE#STATUS#(active|expired)$/su, [['status', 'text']]]],
    ['GSI3SK', [/^(\d{4}-\d{2}-\d{2})#(.+)$/su, [['endDate', 'text'], ['licenseId', 'text']]]],
  ],
  stored: ['accountId', 'licenseId', 'enterpriseId', 'status', 'startDate', 'endDate', 'seats', 'note', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const workstreamShape: Shape<entities.Workstream> = {
  entity: 'Workstream',
  base: [
    ['PK', [/^ACCOUNT#(.+)$/su, [['accountId', 'text']]]],
    ['SK', [/^WORKSTREAM#(.+)$/su, [['workstreamId', 'text']]]],
  ],
  computed: [
    ['GSI1SK', [/^WORKSTREAM#(.+)$/su, [['workstreamId', 'text']]]],
    ['GSI2PK', [/^ENTERPRISE#(.+)$/su, [['enterpriseId', 'text']]]],
    ['GSI2SK', [/^WORKSTREAM#(.+)$/su, [['workstreamId', 'text']]]],
  ],
  stored: ['accountId', 'workstreamId', 'enterpriseId', 'name', 'description', 'userCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const toolShape: Shape<entities.Tool> = {
  entity: 'Tool',
  base: [
    ['PK', [/^WORKSTREAM#(.+)$/su, [['workstreamId', 'text']]]],
    ['SK', [/^TOOL#(.+)$/su, [['toolId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['accountId', 'workstreamId', 'toolId', 'name', 'url', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const userShape: Shape<entities.User> = {
  entity: 'User',
  base: [
    ['PK', [/^USER#(.+)$/su, [['userId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^USER#(.+)$/su, [['userId', 'text']]]],
    ['GSI2PK', [/^ACCOUNT#([^#]+)#USERS$/su, [['accountId', 'text']]]],
    ['GSI2SK', [/^USER#(.+)$/su, [['userId', 'text']]]],
    ['GSI3PK', [/^USER#STATUS#(active|inactive)$/su, [['status', 'text']]]],
    ['GSI3SK', [/^(\d{4}-\d{2}-\d{2}|9999-12-31)#(.+)$/su, [['endDate', 'none'], ['userId', 'text']]]],
  ],
  stored: ['userId', 'accountId', 'roleId', 'email', 'firstName', 'lastName', 'status', 'endDate', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const userWorkstreamShape: Shape<entities.UserWorkstream> = {
  entity: 'UserWorkstream',
  base: [
    ['PK', [/^USER#(.+)$/su, [['userId', 'text']]]],
    ['SK', [/^WORKSTREAM#(.+)$/su, [['workstreamId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['accountId', 'userId', 'workstreamId', 'assignedAt', 'assignedBy'],
  keyOnly: [],
};

export const roleShape: Shape<entities.Role> = {
  entity: 'Role',
  base: [
    ['PK', [/^ROLE#(.+)$/su, [['roleId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^ROLE#(.+)$/su, [['roleId', 'text']]]],
    ['GSI2PK', [/^ACCOUNT#([^#]+)#ROLES$/su, [['accountId', 'text']]]],
    ['GSI2SK', [/^ROLE#(.+)$/su, [['roleId', 'text']]]],
  ],
  stored: ['roleId', 'accountId', 'name', 'userCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const permissionShape: Shape<entities.Permission> = {
  entity: 'Permission',
  base: [
    ['PK', [/^ROLE#(.+)$/su, [['roleId', 'text']]]],
    ['SK', [/^PERMISSION#(.+)$/su, [['menuKey', 'text']]]],
  ],
  computed: [
  ],
  stored: ['roleId', 'accountId', 'menuKey', 'actions', 'createdAt', 'updatedAt'],
  keyOnly: [],
};

export const groupShape: Shape<entities.Group> = {
  entity: 'Group',
  base: [
    ['PK', [/^GROUP#(.+)$/su, [['groupId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^GROUP#(.+)$/su, [['groupId', 'text']]]],
  ],
  stored: ['groupId', 'name', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const productShape: Shape<entities.Product> = {
  entity: 'Product',
  base: [
    ['PK', [/^PRODUCT#(.+)$/su, [['productId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^PRODUCT#(.+)$/su, [['productId', 'text']]]],
  ],
  stored: ['productId', 'name', 'enterpriseCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const serviceShape: Shape<entities.Service> = {
  entity: 'Service',
  base: [
    ['PK', [/^SERVICE#(.+)$/su, [['serviceId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^SERVICE#(.+)$/su, [['serviceId', 'text']]]],
  ],
  stored: ['serviceId', 'name', 'enterpriseCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const notificationAuditShape: Shape<entities.NotificationAudit> = {
  entity: 'NotificationAudit',
  base: [
    ['PK', [/^NOTIFICATION_AUDIT#(.+)$/su, [['id', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1SK', [/^NOTIFICATION_AUDIT#(.+)$/su, [['id', 'text']]]],
    ['GSI2PK', [/^ACCOUNT#([^#]+)#NOTIFICATIONS$/su, [['accountId', 'text']]]],
    ['GSI2SK', [/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)#(.+)$/su, [['sentAt', 'text'], ['id', 'text']]]],
    ['GSI3PK', [/^NOTIFICATION#STATUS#(sent|failed|skipped)$/su, [['deliveryStatus', 'text']]]],
    ['GSI3SK', [/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)#(.+)$/su, [['sentAt', 'text'], ['id', 'text']]]],
  ],
  stored: ['id', 'notificationType', 'recipientEmail', 'recipientFirstName', 'recipientLastName', 'accountId', 'accountName', 'userId', 'deliveryStatus', 'sesMessageId', 'errorMessage', 'skipReason', 'senderEmail', 'subject', 'sentAt', 'createdAt', 'metadata'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  workstreamShape,
  userWorkstreamShape,
  permissionShape,
  techUserShape,
  notificationAuditShape,
  enterpriseShape,
  enterpriseProductShape,
  enterpriseServiceShape,
  accountShape,
  addressShape,
  licenseShape,
  productShape,
  serviceShape,
  groupShape,
  userShape,
  roleShape,
  toolShape,
];

/** Every lookup. */
export const lookups: readonly Shape<unknown>[] = [
];

/** The keys of the table. */
export const tableKeys: readonly string[] = ['PK', 'SK'];

/** The attribute that marks an item as being deleted, and its value. */
export const deletionMark = { attribute: 'kf_delete', value: 'deleting' };

/** How many items a request reads for the results that a page lacks, where some items are not results. */
export const readAhead = { factor: 4, least: 50, most: 1000 };
