// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Tenant: `TENANT#<tenantId>`. */
export function pkTenant(values: Pick<entities.Tenant, 'tenantId'>): string {
  return `TENANT#${support.part('tenantId', values.tenantId)}`;
}

/** SK of Tenant: `METADATA`. */
export function skTenant(): string {
  return 'METADATA';
}

/** PK of Note: `TENANT#<tenantId>`. */
export function pkNote(values: Pick<entities.Note, 'tenantId'>): string {
  return `TENANT#${support.part('tenantId', values.tenantId)}`;
}

/** SK of Note: `NOTE#<noteId>`. */
export function skNote(values: Pick<entities.Note, 'noteId'>): string {
  return `NOTE#${support.part('noteId', values.noteId)}`;
}
