// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Person: `PERSON#<personId>`. */
export function pkPerson(values: Pick<entities.Person, 'personId'>): string {
  return `PERSON#${support.part('personId', values.personId)}`;
}

/** SK of Person: `PERSON#<team>#<name>`. */
export function skPerson(values: Pick<entities.Person, 'name' | 'team'>): string {
  return `PERSON#${support.part('team', values.team, [], '#')}#${support.part('name', values.name)}`;
}

/** Person in GSI1. */
export function gsi1Person(values: Pick<entities.Person, 'name' | 'personId' | 'team'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: `TEAM#${support.part('team', values.team)}`, GSI1SK: `${support.part('name', values.name, [], '#')}#${support.part('personId', values.personId)}` };
}

/** Person in GSI2. */
export function gsi2Person(values: Pick<entities.Person, 'city' | 'personId'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `CITY#${support.part('city', values.city)}`, GSI2SK: `PERSON#${support.part('personId', values.personId)}` };
}

/** The key of the lookup of Person by email. */
export function lookupPersonByEmail(values: Required<Pick<entities.Person, 'email'>>): { PK: string; SK: string } {
  return { PK: `EMAIL#${support.part('email', values.email, [support.lower])}`, SK: 'LOOKUP' };
}

/** The index key of the lookup of Person by email. */
export function personByEmail(values: Required<Pick<entities.Person, 'email' | 'personId'>>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: `EMAIL#${support.part('email', values.email, [support.lower])}`, GSI1SK: `PERSON#${support.part('personId', values.personId)}` };
}

/** PK of Room: `ORG#<org>#ROOMS`. */
export function pkRoom(values: Pick<entities.Room, 'org'>): string {
  return `ORG#${support.part('org', values.org, [], '#')}#ROOMS`;
}

/** SK of Room: `ROOM#<roomId>`. */
export function skRoom(values: Pick<entities.Room, 'roomId'>): string {
  return `ROOM#${support.part('roomId', values.roomId)}`;
}

/** Room in GSI2. */
export function gsi2Room(values: Pick<entities.Room, 'city' | 'roomId'>): { GSI2PK: string; GSI2SK: string } {
  return { GSI2PK: `CITY#${support.part('city', values.city)}`, GSI2SK: `ROOM#${support.part('roomId', values.roomId)}` };
}

/** PK of Desk: `ORG#<org>#PLACES`. */
export function pkDesk(values: Pick<entities.Desk, 'org'>): string {
  return `ORG#${support.part('org', values.org, [], '#')}#PLACES`;
}

/** SK of Desk: `PLACE#<number>`. */
export function skDesk(values: Pick<entities.Desk, 'number'>): string {
  return `PLACE#${support.part('number', values.number)}`;
}

/** Desk in GSI1; only while `free && !locked`, which `holds` tells. */
export function gsi1Desk(values: Pick<entities.Desk, 'number' | 'org' | 'row'>, holds: boolean): { GSI1PK: string; GSI1SK: string } | Record<string, never> {
  if (!holds) return {};
  return { GSI1PK: `ORG#${support.part('org', values.org, [], '#')}#FREE`, GSI1SK: `${support.part('row', values.row, [], '#', '#')}#${support.part('number', values.number)}` };
}

/** PK of Locker: `ORG#<org>#PLACES`. */
export function pkLocker(values: Pick<entities.Locker, 'org'>): string {
  return `ORG#${support.part('org', values.org, [], '#')}#PLACES`;
}

/** SK of Locker: `PLACE#<number>`. */
export function skLocker(values: Pick<entities.Locker, 'number'>): string {
  return `PLACE#${support.part('number', values.number)}`;
}

/** Locker in GSI1; only while `free`, which `holds` tells. */
export function gsi1Locker(values: Pick<entities.Locker, 'number' | 'org' | 'row'>, holds: boolean): { GSI1PK: string; GSI1SK: string } | Record<string, never> {
  if (!holds) return {};
  return { GSI1PK: `ORG#${support.part('org', values.org, [], '#')}#FREE`, GSI1SK: `${support.part('row', values.row, [], '#', '#')}#${support.part('number', values.number)}` };
}

/** The key of the lookup of Locker by code, which exists only while `free`. */
export function lookupLockerByCode(values: Required<Pick<entities.Locker, 'code'>>): { PK: string; SK: string } {
  return { PK: `UNIQUE#Locker#code#${support.part('code', values.code, [support.url])}`, SK: 'UNIQUE' };
}

/** PK of Entrance: `ORG#<org>#PLACES`. */
export function pkEntrance(values: Pick<entities.Entrance, 'org'>): string {
  return `ORG#${support.part('org', values.org, [], '#')}#PLACES`;
}

/** SK of Entrance: `PLACE#0`. */
export function skEntrance(): string {
  return 'PLACE#0';
}
