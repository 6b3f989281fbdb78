// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Item, Shape } from './support.js';

export const tenantShape: Shape<entities.Tenant> = {
  entity: 'Tenant',
  base: [
    ['PK', [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['SK', [/^METADATA#(.+)$/su, [['tenantId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['tenantId', 'name', 'memberCount', 'createdAt', 'createdBy', 'updatedAt', 'version'],
  keyOnly: [],
};

export const albumShape: Shape<entities.Album> = {
  entity: 'Album',
  base: [
    ['PK', [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['SK', [/^ALBUM#(.+)$/su, [['albumId', 'text']]]],
  ],
  computed: [
    ['GSI1PK', [/^ALBUM#(.+)$/su, [['parentId', 'text']]], [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['GSI1SK', [/^ALBUM#(.+)$/su, [['albumId', 'text']]]],
  ],
  stored: ['tenantId', 'albumId', 'parentId', 'title', 'description', 'childCount', 'imageCount', 'createdAt', 'createdBy', 'updatedAt', 'version'],
  keyOnly: [],
};

export const imageShape: Shape<entities.Image> = {
  entity: 'Image',
  base: [
    ['PK', [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['SK', [/^IMAGE#(.+)$/su, [['imageId', 'text']]]],
  ],
  computed: [
    ['GSI1PK', [/^ALBUM#(.+)$/su, [['albumId', 'text']]]],
    ['GSI1SK', [/^IMAGE#(.+)$/su, [['imageId', 'text']]]],
  ],
  stored: ['tenantId', 'imageId', 'albumId', 'objectKey', 'contentType', 'width', 'height', 'caption', 'createdAt', 'createdBy', 'updatedAt', 'version'],
  keyOnly: [],
};

export const userShape: Shape<entities.User> = {
  entity: 'User',
  base: [
    ['PK', [/^USER#(.+)$/su, [['userId', 'text']]]],
    ['SK', [/^METADATA#(.+)$/su, [['userId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['userId', 'issuer', 'subject', 'email', 'name', 'membershipCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const userByEmailShape: Shape<Item> = {
  entity: 'lookup',
  base: [
    ['PK', [/^LOOKUP#USER#EMAIL#(.+)$/su, [['email', 'lower']]]],
    ['SK', [/^LOOKUP$/su, []]],
  ],
  computed: [
    ['GSI2PK', [/^LOOKUP#USER#EMAIL#(.+)$/su, [['email', 'lower']]]],
    ['GSI2SK', [/^USER#(.+)$/su, [['userId', 'text']]]],
  ],
  stored: ['userId'],
  keyOnly: [],
};

export const userByOidcSubShape: Shape<Item> = {
  entity: 'lookup',
  base: [
    ['PK', [/^LOOKUP#USER#OIDC_SUB#([A-Za-z0-9._~%\-]+)#([A-Za-z0-9._~%\-]+)$/su, [['issuer', 'url'], ['subject', 'url']]]],
    ['SK', [/^LOOKUP$/su, []]],
  ],
  computed: [
    ['GSI2PK', [/^LOOKUP#USER#OIDC_SUB#([A-Za-z0-9._~%\-]+)#([A-Za-z0-9._~%\-]+)$/su, [['issuer', 'url'], ['subject', 'url']]]],
    ['GSI2SK', [/^USER#(.+)$/su, [['userId', 'text']]]],
  ],
  stored: ['userId'],
  keyOnly: [],
};

export const membershipShape: Shape<entities.Membership> = {
  entity: 'Membership',
  base: [
    ['PK', [/^MEMBERSHIP#(.+)$/su, [['membershipId', 'text']]]],
    ['SK', [/^METADATA#(.+)$/su, [['membershipId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['membershipId', 'tenantId', 'userId', 'role', 'createdAt', 'createdBy', 'updatedAt', 'version'],
  keyOnly: [],
};

export const membershipByUserInTenantShape: Shape<Item> = {
  entity: 'lookup',
  base: [
    ['PK', [/^LOOKUP#MEMBERSHIP#TENANT_USER#([^#]+)#(.+)$/su, [['tenantId', 'text'], ['userId', 'text']]]],
    ['SK', [/^LOOKUP$/su, []]],
  ],
  computed: [
  ],
  stored: ['membershipId'],
  keyOnly: [],
};

export const membershipByTenantShape: Shape<entities.MembershipByTenant> = {
  entity: 'MembershipByTenant',
  base: [
    ['PK', [/^MEMBERSHIP#(.+)$/su, [['membershipId', 'text']]]],
    ['SK', [/^LOOKUP#TENANT$/su, []]],
  ],
  computed: [
    ['GSI2PK', [/^LOOKUP#MEMBERSHIP#TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['GSI2SK', [/^USER#(.+)$/su, [['userId', 'text']]]],
  ],
  stored: ['tenantId', 'userId', 'role'],
  keyOnly: ['membershipId'],
};

export const membershipByUserShape: Shape<entities.MembershipByUser> = {
  entity: 'MembershipByUser',
  base: [
    ['PK', [/^MEMBERSHIP#(.+)$/su, [['membershipId', 'text']]]],
    ['SK', [/^LOOKUP#USER$/su, []]],
  ],
  computed: [
    ['GSI2PK', [/^LOOKUP#MEMBERSHIP#USER#(.+)$/su, [['userId', 'text']]]],
    ['GSI2SK', [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
  ],
  stored: ['tenantId', 'userId', 'role'],
  keyOnly: ['membershipId'],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  membershipByTenantShape,
  membershipByUserShape,
  membershipShape,
  tenantShape,
  userShape,
  albumShape,
  imageShape,
];

/** Every lookup. */
export const lookups: readonly Shape<unknown>[] = [
  userByEmailShape,
  userByOidcSubShape,
  membershipByUserInTenantShape,
];

/** The keys of the table. */
export const tableKeys: readonly string[] = ['PK', 'SK'];

/** The attribute that marks an item as being deleted, and its value. */
export const deletionMark = { attribute: 'kf_delete', value: 'deleting' };

/** How many items a request reads for the results that a page lacks, where some items are not results. */
export const readAhead = { factor: 4, least: 50, most: 1000 };
