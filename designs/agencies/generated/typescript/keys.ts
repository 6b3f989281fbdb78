// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Agency: `AGENCY#<agencyId>`. */
export function pkAgency(values: Pick<entities.Agency, 'agencyId'>): string {
  return `AGENCY#${support.part('agencyId', values.agencyId)}`;
}

/** SK of Agency: `AGENCY#<agencyId>`. */
export function skAgency(values: Pick<entities.Agency, 'agencyId'>): string {
  return `AGENCY#${support.part('agencyId', values.agencyId)}`;
}

/** Agency in GSI1. */
export function gsi1Agency(): { type: string } {
  return { type: 'Agency' };
}

/** PK of Member: `AGENCY#<agencyId>`. */
export function pkMember(values: Pick<entities.Member, 'agencyId'>): string {
  return `AGENCY#${support.part('agencyId', values.agencyId)}`;
}

/** SK of Member: `MEMBER#<idpid>`. */
export function skMember(values: Pick<entities.Member, 'idpid'>): string {
  return `MEMBER#${support.part('idpid', values.idpid)}`;
}

/** Member in GSI1. */
export function gsi1Member(): { type: string } {
  return { type: 'Member' };
}
