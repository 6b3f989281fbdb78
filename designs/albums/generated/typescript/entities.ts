// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Tenant {
  tenantId: string;
  name: string;
  memberCount: number;
  createdAt?: string;
  createdBy?: string;
  updatedAt?: string;
  version?: number;
}

/** An album of images and further albums; one without a parent is a root of its tenant. */
export interface Album {
  tenantId: string;
  albumId: string;
  parentId?: string;
  title: string;
  description?: string;
  childCount: number;
  imageCount: number;
  createdAt?: string;
  createdBy?: string;
  updatedAt?: string;
  version?: number;
}

export interface Image {
  tenantId: string;
  imageId: string;
  albumId: string;
  /** where the bytes lie */
  objectKey: string;
  contentType: string;
  width?: number;
  height?: number;
  caption?: string;
  createdAt?: string;
  createdBy?: string;
  updatedAt?: string;
  version?: number;
}

/** A person, as their identity provider tells of them. Issuer and subject of a token lead to the user, whose `userId` is the caller. */
export interface User {
  userId: string;
  issuer: string;
  subject: string;
  email?: string;
  name: string;
  membershipCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** A user is a member of a tenant, in a role. */
export interface Membership {
  membershipId: string;
  tenantId: string;
  userId: string;
  role: 'admin' | 'editor' | 'viewer';
  createdAt?: string;
  createdBy?: string;
  updatedAt?: string;
  version?: number;
}

/** A membership as its tenant sees it. */
export interface MembershipByTenant {
  tenantId: string;
  userId: string;
  role: 'admin' | 'editor' | 'viewer';
  membershipId: string;
}

/** A membership as its user sees it, whichever tenant they act in. */
export interface MembershipByUser {
  tenantId: string;
  userId: string;
  role: 'admin' | 'editor' | 'viewer';
  membershipId: string;
}
