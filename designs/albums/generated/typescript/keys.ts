// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Tenant: `TENANT#<tenantId>`. */
export function pkTenant(values: Pick<entities.Tenant, 'tenantId'>): string {
  return `TENANT#${support.part('tenantId', values.tenantId)}`;
}

/** SK of Tenant: `METADATA#<tenantId>`. */
export function skTenant(values: Pick<entities.Tenant, 'tenantId'>): string {
  return `METADATA#${support.part('tenantId', values.tenantId)}`;
}

/** PK of Album: `TENANT#<tenantId>`. */
export function pkAlbum(values: Pick<entities.Album, 'tenantId'>): string {
  return `TENANT#${support.part('tenantId', values.tenantId)}`;
}

/** SK of Album: `ALBUM#<albumId>`. */
export function skAlbum(values: Pick<entities.Album, 'albumId'>): string {
  return `ALBUM#${support.part('albumId', values.albumId)}`;
}

/** Album in GSI1. */
export function gsi1AlbumChild(values: Pick<entities.Album, 'albumId' | 'parentId' | 'tenantId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: values.parentId !== undefined ? `ALBUM#${support.part('parentId', values.parentId)}` : `TENANT#${support.part('tenantId', values.tenantId)}`, GSI1SK: `ALBUM#${support.part('albumId', values.albumId)}` };
}

/** PK of Image: `TENANT#<tenantId>`. */
export function pkImage(values: Pick<entities.Image, 'tenantId'>): string {
  return `TENANT#${support.part('tenantId', values.tenantId)}`;
}

/** SK of Image: `IMAGE#<imageId>`. */
export function skImage(values: Pick<entities.Image, 'imageId'>): string {
  return `IMAGE#${support.part('imageId', values.imageId)}`;
}

/** Image in GSI1. */
export function gsi1ImageByAlbum(values: Pick<entities.Image, 'albumId' | 'imageId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: `ALBUM#${support.part('albumId', values.albumId)}`, GSI1SK: `IMAGE#${support.part('imageId', values.imageId)}` };
}

/** PK of User: `USER#<userId>`. */
export function pkUser(values: Pick<entities.User, 'userId'>): string {
  return `USER#${support.part('userId', values.userId)}`;
}

/** SK of User: `METADATA#<userId>`. */
export function skUserMetadata(values: Pick<entities.User, 'userId'>): string {
  return `METADATA#${support.part('userId', values.userId)}`;
}

/** The attributes by which a User can be looked up. */
export type UserLookupScope = 'EMAIL' | 'OIDC_SUB';

/** The partition of a lookup: `LOOKUP#USER#<scope>#<value>`. */
export function userLookupPartition(scope: UserLookupScope, value: string): string {
  return `LOOKUP#USER#${scope}#${support.part('value', value)}`;
}

/** The item that a lookup refers to: `USER#<userId>`. */
export function userLookupSort(values: Required<Pick<entities.User, 'userId'>>): string {
  return `USER#${support.part('userId', values.userId)}`;
}

/** The key of the lookup of User by email. */
export function lookupUserByEmail(values: Required<Pick<entities.User, 'email'>>): { PK: string; SK: string } {
  return { PK: `LOOKUP#USER#EMAIL#${support.part('email', values.email, [support.lower])}`, SK: 'LOOKUP' };
}

/** The index key of the lookup of User by email. */
export function gsi2UserByEmail(values: Required<Pick<entities.User, 'email' | 'userId'>>): { GSI2PK: string; GSI2SK: string } {
  const value = `${support.part('email', values.email, [support.lower])}`;
  return { GSI2PK: userLookupPartition('EMAIL', value), GSI2SK: userLookupSort(values) };
}

/** The key of the lookup of User by oidcSub. */
export function lookupUserByOidcSub(values: Required<Pick<entities.User, 'issuer' | 'subject'>>): { PK: string; SK: string } {
  return { PK: `LOOKUP#USER#OIDC_SUB#${support.part('issuer', values.issuer, [support.url], '#')}#${support.part('subject', values.subject, [support.url])}`, SK: 'LOOKUP' };
}

/** The index key of the lookup of User by oidcSub. */
export function gsi2UserByOidcSub(values: Required<Pick<entities.User, 'issuer' | 'subject' | 'userId'>>): { GSI2PK: string; GSI2SK: string } {
  const value = `${support.part('issuer', values.issuer, [support.url], '#')}#${support.part('subject', values.subject, [support.url])}`;
  return { GSI2PK: userLookupPartition('OIDC_SUB', value), GSI2SK: userLookupSort(values) };
}

/** PK of Membership: `MEMBERSHIP#<membershipId>`. */
export function pkMembership(values: Pick<entities.Membership, 'membershipId'>): string {
  return `MEMBERSHIP#${support.part('membershipId', values.membershipId)}`;
}

/** SK of Membership: `METADATA#<membershipId>`. */
export function skMembership(values: Pick<entities.Membership, 'membershipId'>): string {
  return `METADATA#${support.part('membershipId', values.membershipId)}`;
}

/** The key of the lookup of Membership by user in tenant. */
export function lookupMembershipByUserInTenant(values: Required<Pick<entities.Membership, 'tenantId' | 'userId'>>): { PK: string; SK: string } {
  return { PK: `LOOKUP#MEMBERSHIP#TENANT_USER#${support.part('tenantId', values.tenantId, [], '#')}#${support.part('userId', values.userId)}`, SK: 'LOOKUP' };
}

/** PK of MembershipByTenant: `MEMBERSHIP#<membershipId>`. */
export function pkMembershipByTenant(values: Pick<entities.MembershipByTenant, 'membershipId'>): string {
  return `MEMBERSHIP#${support.part('membershipId', values.membershipId)}`;
}

/** SK of MembershipByTenant: `LOOKUP#TENANT`. */
export function skMembershipByTenant(): string {
  return 'LOOKUP#TENANT';
}

/** MembershipByTenant in GSI2. */
export function gsi2MembershipByTenant(values: Pick<entities.MembershipByTenant, 'tenantId' | 'userId'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `LOOKUP#MEMBERSHIP#TENANT#${support.part('tenantId', values.tenantId)}`, GSI2SK: `USER#${support.part('userId', values.userId)}` };
}

/** PK of MembershipByUser: `MEMBERSHIP#<membershipId>`. */
export function pkMembershipByUser(values: Pick<entities.MembershipByUser, 'membershipId'>): string {
  return `MEMBERSHIP#${support.part('membershipId', values.membershipId)}`;
}

/** SK of MembershipByUser: `LOOKUP#USER`. */
export function skMembershipByUser(): string {
  return 'LOOKUP#USER';
}

/** MembershipByUser in GSI2. */
export function gsi2MembershipByUser(values: Pick<entities.MembershipByUser, 'tenantId' | 'userId'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `LOOKUP#MEMBERSHIP#USER#${support.part('userId', values.userId)}`, GSI2SK: `TENANT#${support.part('tenantId', values.tenantId)}` };
}
