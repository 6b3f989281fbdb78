// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Account {
  accountId: string;
  name: string;
  status: 'active' | 'closed';
  userCount: number;
  roleCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface Address {
  accountId: string;
  addressId: string;
  kind: 'billing' | 'shipping' | 'office';
  street: string;
  postalCode: string;
  city: string;
  country: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** A technical user, who acts for an account. */
export interface TechUser {
  accountId: string;
  userId: string;
  name: string;
  email: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface Enterprise {
  enterpriseId: string;
  name: string;
  licenseCount: number;
  workstreamCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface EnterpriseProduct {
  enterpriseId: string;
  productId: string;
  createdAt?: string;
}

export interface EnterpriseService {
  enterpriseId: string;
  serviceId: string;
  createdAt?: string;
}

export interface License {
  accountId: string;
  licenseId: string;
  enterpriseId: string;
  status: 'active' | 'expired';
  startDate?: string;
  endDate: string;
  seats: number;
  note?: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface Workstream {
  accountId: string;
  workstreamId: string;
  enterpriseId: string;
  name: string;
  description?: string;
  userCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface Tool {
  accountId: string;
  workstreamId: string;
  toolId: string;
  name: string;
  url?: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface User {
  userId: string;
  accountId: string;
  roleId?: string;
  email: string;
  firstName: string;
  lastName: string;
  status: 'active' | 'inactive';
  endDate?: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** A user works on a workstream. */
export interface UserWorkstream {
  accountId: string;
  userId: string;
  workstreamId: string;
  assignedAt?: string;
  assignedBy?: string;
}

/** A set of permissions; of one account, or of all where no account is named. */
export interface Role {
  roleId: string;
  accountId?: string;
  name: string;
  userCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface Permission {
  roleId: string;
  accountId?: string;
  menuKey: string;
  actions: Array<'read' | 'write'>;
  createdAt?: string;
  updatedAt?: string;
}

export interface Group {
  groupId: string;
  name: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface Product {
  productId: string;
  name: string;
  enterpriseCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

export interface Service {
  serviceId: string;
  name: string;
  enterpriseCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** What was sent to whom, or why not; never changed. */
export interface NotificationAudit {
  id: string;
  notificationType: string;
  recipientEmail: string;
  recipientFirstName?: string;
  recipientLastName?: string;
  accountId: string;
  accountName: string;
  userId?: string;
  deliveryStatus: 'sent' | 'failed' | 'skipped';
  sesMessageId?: string;
  errorMessage?: string;
  skipReason?: string;
  senderEmail: string;
  subject: string;
  sentAt: string;
  createdAt?: string;
  metadata?: { [name: string]: unknown };
}
