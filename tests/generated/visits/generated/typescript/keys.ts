// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Person: `PERSON#<personId>`. */
export function pkPerson(values: Pick<entities.Person, 'personId'>): string {
  return `PERSON#${support.part('personId', values.personId)}`;
}

/** SK of Person: `METADATA`. */
export function skPerson(): string {
  return 'METADATA';
}

/** PK of Visit: `PERSON#<personId>`. */
export function pkVisit(values: Pick<entities.Visit, 'personId'>): string {
  return `PERSON#${support.part('personId', values.personId)}`;
}

/** SK of Visit: `VISIT#<visitId>`. */
export function skVisit(values: Pick<entities.Visit, 'visitId'>): string {
  return `VISIT#${support.part('visitId', values.visitId)}`;
}

/** Visit in GSI1. */
export function gsi1Visit(values: Pick<entities.Visit, 'at' | 'day' | 'visitId'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: `VISITS#${support.part('day', values.day)}#${support.part('visitId', values.visitId, [support.shard(4)])}`, GSI1SK: `${support.part('at', values.at)}#${support.part('visitId', values.visitId)}` };
}
