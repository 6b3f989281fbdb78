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

/** PK of Tick: `TENANT#<tenantId>`. */
export function pkTick(values: Pick<entities.Tick, 'tenantId'>): string {
  return `TENANT#${support.part('tenantId', values.tenantId)}`;
}

/** SK of Tick: `TICK#<round:descending(6)>#<at>`. */
export function skTick(values: Pick<entities.Tick, 'at' | 'round'>): string {
  return `TICK#${support.part('round', values.round, [support.descending(6)])}#${support.part('at', values.at)}`;
}
