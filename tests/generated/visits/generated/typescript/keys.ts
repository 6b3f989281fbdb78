// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import { part, shard } from './support.js';

/** PK of Person: `PERSON#<personId>`. */
export function pkPerson(values: Pick<entities.Person, 'personId'>): string {
  return `PERSON#${part('personId', values.personId)}`;
}

/** SK of Person: `METADATA`. */
export function skPerson(): string {
  return 'METADATA';
}

/** PK of Visit: `PERSON#<personId>`. */
export function pkVisit(values: Pick<entities.Visit, 'personId'>): string {
  return `PERSON#${part('personId', values.personId)}`;
}

/** SK of Visit: `VISIT#<visitId>`. */
export function skVisit(values: Pick<entities.Visit, 'visitId'>): string {
  return `VISIT#${part('visitId', values.visitId)}`;
}

/** Visit in GSI1. */
export function gsi1Visit(values: Pick<entities.Visit, 'at' | 'day' | 'visitId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: `VISITS#${part('day', values.day)}#${part('visitId', values.visitId, [shard(4)])}`, GSI1SK: `${part('at', values.at)}#${part('visitId', values.visitId)}` };
}
