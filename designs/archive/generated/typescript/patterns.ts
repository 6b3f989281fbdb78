// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'archive';

/** categories: `SK = category`. */
export async function categories(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Category>> {
  return access.page<entities.Category>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'SK' },
      ExpressionAttributeValues: { ':v0': 'category' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.categoryShape, scope: 'global', source: 'query' },
    ],
  });
}

/** collections: `SK = collection`. */
export async function collections(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Collection>> {
  return access.page<entities.Collection>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'SK' },
      ExpressionAttributeValues: { ':v0': 'collection' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.collectionShape, scope: 'global', source: 'query' },
    ],
  });
}

/** collection with categories: `PK = <collectionId> -> Collection, CollectionCategory`. */
export async function collectionWithCategories(
  client: DynamoDBDocumentClient,
  args: { collectionId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Collection'; item: entities.Collection } | { entity: 'CollectionCategory'; item: entities.CollectionCategory }>> {
  args = support.check(args, { collectionId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Collection'; item: entities.Collection } | { entity: 'CollectionCategory'; item: entities.CollectionCategory }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `${support.part('collectionId', args.collectionId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.collectionShape, scope: 'global', source: 'query' },
      { shape: shapes.collectionCategoryShape, scope: 'global', source: 'query' },
    ],
  });
}

/** categories of a collection: `PK = <collectionId> and begins_with(SK, collection_category#)`. */
export async function categoriesOfACollection(
  client: DynamoDBDocumentClient,
  args: { collectionId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.CollectionCategory>> {
  args = support.check(args, { collectionId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.CollectionCategory>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `${support.part('collectionId', args.collectionId)}`, ':v1': 'collection_category#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.collectionCategoryShape, scope: 'global', source: 'query' },
    ],
  });
}

/** collections of a category: `SK = collection_category#<categoryId>`. */
export async function collectionsOfACategory(
  client: DynamoDBDocumentClient,
  args: { categoryId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.CollectionCategory>> {
  args = support.check(args, { categoryId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.CollectionCategory>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'SK' },
      ExpressionAttributeValues: { ':v0': `collection_category#${support.part('categoryId', args.categoryId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.collectionCategoryShape, scope: 'global', source: 'query' },
    ],
  });
}

/** places by name: `SK = place#<name:first(2)> and begins_with(GSISK, <name>)`. */
export async function placesByName(
  client: DynamoDBDocumentClient,
  args: { name: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Place>> {
  args = support.check(args, { name: { fits: support.isText, rule: 'a string', atLeastCharacters: 2 } });
  return access.page<entities.Place>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
      ExpressionAttributeValues: { ':v0': `place#${support.part('name', args.name, [support.first(2)])}`, ':v1': `${support.part('name', args.name)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.placeShape, scope: 'global', source: 'query' },
    ],
  });
}

/** places with a word: `PK = placeWord#<word>`. */
export async function placesWithAWord(
  client: DynamoDBDocumentClient,
  args: { word: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.PlaceWord>> {
  args = support.check(args, { word: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.PlaceWord>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `placeWord#${support.part('word', args.word)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.placeWordShape, scope: 'global', source: 'query' },
    ],
  });
}

/** posts: `SK = post`. */
export async function posts(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Post>> {
  return access.page<entities.Post>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'SK' },
      ExpressionAttributeValues: { ':v0': 'post' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.postShape, scope: 'global', source: 'query' },
    ],
  });
}

/** posts of a collection: `SK = post and GSISK = <collectionId>`. */
export async function postsOfACollection(
  client: DynamoDBDocumentClient,
  args: { collectionId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Post>> {
  args = support.check(args, { collectionId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Post>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
      ExpressionAttributeValues: { ':v0': 'post', ':v1': `${support.part('collectionId', args.collectionId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.postShape, scope: 'global', source: 'query' },
    ],
  });
}

/** post with households: `PK = <postId> -> Post, RecordHousehold`. */
export async function postWithHouseholds(
  client: DynamoDBDocumentClient,
  args: { postId: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Post'; item: entities.Post } | { entity: 'RecordHousehold'; item: entities.RecordHousehold }>> {
  args = support.check(args, { postId: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Post'; item: entities.Post } | { entity: 'RecordHousehold'; item: entities.RecordHousehold }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `${support.part('postId', args.postId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.postShape, scope: 'global', source: 'query' },
      { shape: shapes.recordHouseholdShape, scope: 'global', source: 'query' },
    ],
  });
}

/** records of a post: `SK = record_post#<postId>`. */
export async function recordsOfAPost(
  client: DynamoDBDocumentClient,
  args: { postId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Record>> {
  args = support.check(args, { postId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Record>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'SK' },
      ExpressionAttributeValues: { ':v0': `record_post#${support.part('postId', args.postId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.recordShape, scope: 'global', source: 'query' },
    ],
  });
}

/** households of a post: `PK = <postId> and begins_with(SK, record_household#)`. */
export async function householdsOfAPost(
  client: DynamoDBDocumentClient,
  args: { postId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.RecordHousehold>> {
  args = support.check(args, { postId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.RecordHousehold>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `${support.part('postId', args.postId)}`, ':v1': 'record_household#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.recordHouseholdShape, scope: 'global', source: 'query' },
    ],
  });
}

/** records of a household: `SK = record_household#<household> and GSISK = <postId>`. */
export async function recordsOfAHousehold(
  client: DynamoDBDocumentClient,
  args: { household: string; postId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.RecordHousehold>> {
  args = support.check(args, { household: { fits: support.isText, rule: 'a string' }, postId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.RecordHousehold>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
      ExpressionAttributeValues: { ':v0': `record_household#${support.part('household', args.household)}`, ':v1': `${support.part('postId', args.postId)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.recordHouseholdShape, scope: 'global', source: 'query' },
    ],
  });
}

/** settings: `SK = settings`. */
export async function settings(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Settings>> {
  return access.page<entities.Settings>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'SK' },
      ExpressionAttributeValues: { ':v0': 'settings' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.settingsShape, scope: 'global', source: 'query' },
    ],
  });
}

/** settings by name: `SK = settings and GSISK = <name>`. */
export async function settingsByName(
  client: DynamoDBDocumentClient,
  args: { name: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Settings>> {
  args = support.check(args, { name: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Settings>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
      ExpressionAttributeValues: { ':v0': 'settings', ':v1': `${support.part('name', args.name)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.settingsShape, scope: 'global', source: 'query' },
    ],
  });
}

/** users: `SK = user`. */
export async function users(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'SK' },
      ExpressionAttributeValues: { ':v0': 'user' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.userShape, scope: 'global', source: 'query' },
    ],
  });
}

/** user by identity: `SK = user and GSISK = <issuer><subject> where issuer = <issuer> and subject = <subject>`. */
export async function userByIdentity(
  client: DynamoDBDocumentClient,
  args: { issuer: string; subject: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.User>> {
  args = support.check(args, { issuer: { fits: support.isText, rule: 'a string' }, subject: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.User>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'GSI',
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      FilterExpression: '(#n2 = :v2) AND (#n3 = :v3)',
      ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK', '#n2': 'issuer', '#n3': 'subject' },
      ExpressionAttributeValues: { ':v0': 'user', ':v1': `${support.part('issuer', args.issuer, [support.url], '#')}${support.part('subject', args.subject, [support.url])}`, ':v2': args.issuer, ':v3': args.subject },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'GSISK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.userShape, scope: 'global', source: 'query' },
    ],
  });
}
