// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'moves';

/** people of a team: `GSI1PK = TEAM#<team>, own tenant only -> Person`. With `tenant`, other tenants' items are left out. */
export async function peopleOfATeam(
  client: DynamoDBDocumentClient,
  args: { team: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Person>> {
  args = support.check(args, { team: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Person>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `TEAM#${support.part('team', args.team)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'org', conditions: [{ attribute: 'org', value: (tenant) => tenant }] },
    results: [
      access.again<entities.Person>({
        shape: shapes.personShape, scope: 'tenant',
        moved: { partition: { attribute: 'PK', value: (known) => `PERSON#${support.part('personId', known.personId)}` }, sortPrefix: { attribute: 'SK', prefix: 'PERSON#' }, identity: ['personId'], attempts: 2 },
      }),
    ],
  });
}

/** person by email: `GSI1PK = EMAIL#<email>, own tenant only -> Person`. With `tenant`, other tenants' items are left out. */
export async function personByEmail(
  client: DynamoDBDocumentClient,
  args: { email: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Person>> {
  args = support.check(args, { email: { fits: support.isEmail, rule: 'an email address' } });
  return access.page<entities.Person>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `EMAIL#${support.part('email', args.email, [support.lower])}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'org' },
    results: [
      access.through<entities.Person>({
        shape: shapes.personShape, scope: 'tenant',
        lookup: shapes.personByEmailShape,
        read: { search: { partition: { attribute: 'PK', value: (known) => `PERSON#${support.part('personId', known.personId)}` }, sortPrefix: { attribute: 'SK', prefix: 'PERSON#' }, identity: ['personId'], attempts: 2 } },
        lookupKey: (item) => (item.email === undefined ? undefined : { PK: `EMAIL#${support.part('email', item.email, [support.lower])}`, SK: 'LOOKUP' }),
      }),
    ],
  });
}

/** everything in a city: `GSI2PK = CITY#<city>, own tenant only -> Person, Room`. With `tenant`, other tenants' items are left out. */
export async function everythingInACity(
  client: DynamoDBDocumentClient,
  args: { city: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<{ entity: 'Person'; item: entities.Person } | { entity: 'Room'; item: entities.Room }>> {
  args = support.check(args, { city: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Person'; item: entities.Person } | { entity: 'Room'; item: entities.Room }>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI2PK' },
      ExpressionAttributeValues: { ':v0': `CITY#${support.part('city', args.city)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'org', conditions: [{ attribute: 'org', value: (tenant) => tenant }, { attribute: 'PK', value: (tenant) => `ORG#${support.part('org', tenant, [], '#')}#ROOMS` }] },
    results: [
      { shape: shapes.personShape, scope: 'tenant', source: 'query' },
      { shape: shapes.roomShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** rooms in a city: `GSI2PK = CITY#<city> and begins_with(GSI2SK, ROOM#), own tenant only -> Room`. With `tenant`, other tenants' items are left out. */
export async function roomsInACity(
  client: DynamoDBDocumentClient,
  args: { city: string },
  options: access.PageOptions & access.TenantOptions = {},
): Promise<access.Page<entities.Room>> {
  args = support.check(args, { city: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Room>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI2',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'GSI2PK', '#n1': 'GSI2SK' },
      ExpressionAttributeValues: { ':v0': `CITY#${support.part('city', args.city)}`, ':v1': 'ROOM#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI2PK', 'GSI2SK'],
    pageSize: 100,
    pageBytes: 1048576,
    tenant: { attribute: 'org', conditions: [{ attribute: 'PK', value: (tenant) => `ORG#${support.part('org', tenant, [], '#')}#ROOMS` }] },
    results: [
      { shape: shapes.roomShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** places of an org: `PK = ORG#<org>#PLACES -> Desk, Locker, Entrance`. */
export async function placesOfAnOrg(
  client: DynamoDBDocumentClient,
  args: { org: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Desk'; item: entities.Desk } | { entity: 'Locker'; item: entities.Locker } | { entity: 'Entrance'; item: entities.Entrance }>> {
  args = support.check(args, { org: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Desk'; item: entities.Desk } | { entity: 'Locker'; item: entities.Locker } | { entity: 'Entrance'; item: entities.Entrance }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `ORG#${support.part('org', args.org, [], '#')}#PLACES` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.deskShape, scope: 'tenant', source: 'query' },
      { shape: shapes.lockerShape, scope: 'tenant', source: 'query' },
      { shape: shapes.entranceShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** lockers: `PK = ORG#<org>#PLACES and begins_with(SK, PLACE#) -> Locker`. */
export async function lockers(
  client: DynamoDBDocumentClient,
  args: { org: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Locker>> {
  args = support.check(args, { org: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Locker>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `ORG#${support.part('org', args.org, [], '#')}#PLACES`, ':v1': 'PLACE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.lockerShape, scope: 'tenant', source: 'query' },
    ],
  });
}

/** free places: `GSI1PK = ORG#<org>#FREE -> Desk, Locker`. Finds Desk only when `free && !locked`. Finds Locker only when `free`. */
export async function freePlaces(
  client: DynamoDBDocumentClient,
  args: { org: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Desk'; item: entities.Desk } | { entity: 'Locker'; item: entities.Locker }>> {
  args = support.check(args, { org: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Desk'; item: entities.Desk } | { entity: 'Locker'; item: entities.Locker }>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'GSI1PK' },
      ExpressionAttributeValues: { ':v0': `ORG#${support.part('org', args.org, [], '#')}#FREE` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.deskShape, scope: 'tenant', source: 'table' },
      { shape: shapes.lockerShape, scope: 'tenant', source: 'table' },
    ],
  });
}

/** free places in a row: `GSI1PK = ORG#<org>#FREE and begins_with(GSI1SK, <row>#) -> Desk, Locker`. Finds Desk only when `free && !locked`. Finds Locker only when `free`. */
export async function freePlacesInARow(
  client: DynamoDBDocumentClient,
  args: { org: string; row: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Desk'; item: entities.Desk } | { entity: 'Locker'; item: entities.Locker }>> {
  args = support.check(args, { org: { fits: support.isText, rule: 'a string' }, row: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Desk'; item: entities.Desk } | { entity: 'Locker'; item: entities.Locker }>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI1',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'GSI1PK', '#n1': 'GSI1SK' },
      ExpressionAttributeValues: { ':v0': `ORG#${support.part('org', args.org, [], '#')}#FREE`, ':v1': `${support.part('row', args.row, [], '#', '#')}#` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSI1PK', 'GSI1SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.deskShape, scope: 'tenant', source: 'table' },
      { shape: shapes.lockerShape, scope: 'tenant', source: 'table' },
    ],
  });
}
