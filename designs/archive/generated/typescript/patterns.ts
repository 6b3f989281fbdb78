// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import { shapes } from './shapes.js';
import { first, part, query, recognise, url, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'archive';

/** categories: `SK = category`. */
export async function categories(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Category>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'SK' },
    ExpressionAttributeValues: { ':v0': 'category' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Category') {
      const value = found.item as entities.Category;
      return value;
    }
    return undefined;
  };
  return query<entities.Category>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** collections: `SK = collection`. */
export async function collections(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Collection>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'SK' },
    ExpressionAttributeValues: { ':v0': 'collection' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Collection') {
      const value = found.item as entities.Collection;
      return value;
    }
    return undefined;
  };
  return query<entities.Collection>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** collection with categories: `PK = <collectionId> -> Collection, CollectionCategory`. */
export async function collectionWithCategories(
  client: DynamoDBDocumentClient,
  args: { collectionId: number },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Collection'; item: entities.Collection } | { entity: 'CollectionCategory'; item: entities.CollectionCategory }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `${part('collectionId', args.collectionId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Collection') {
      const value = found.item as entities.Collection;
      return { entity: 'Collection' as const, item: value };
    }
    if (found?.entity === 'CollectionCategory') {
      const value = found.item as entities.CollectionCategory;
      return { entity: 'CollectionCategory' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Collection'; item: entities.Collection } | { entity: 'CollectionCategory'; item: entities.CollectionCategory }>(client, input, options, ['PK', 'SK'], take);
}

/** categories of a collection: `PK = <collectionId> and begins_with(SK, collection_category#)`. */
export async function categoriesOfACollection(
  client: DynamoDBDocumentClient,
  args: { collectionId: number },
  options: PageOptions = {},
): Promise<Page<entities.CollectionCategory>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `${part('collectionId', args.collectionId)}`, ':v1': 'collection_category#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'CollectionCategory') {
      const value = found.item as entities.CollectionCategory;
      return value;
    }
    return undefined;
  };
  return query<entities.CollectionCategory>(client, input, options, ['PK', 'SK'], take);
}

/** collections of a category: `SK = collection_category#<categoryId>`. */
export async function collectionsOfACategory(
  client: DynamoDBDocumentClient,
  args: { categoryId: number },
  options: PageOptions = {},
): Promise<Page<entities.CollectionCategory>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'SK' },
    ExpressionAttributeValues: { ':v0': `collection_category#${part('categoryId', args.categoryId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'CollectionCategory') {
      const value = found.item as entities.CollectionCategory;
      return value;
    }
    return undefined;
  };
  return query<entities.CollectionCategory>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** places by name: `SK = place#<name:first(2)> and begins_with(GSISK, <name>)`. */
export async function placesByName(
  client: DynamoDBDocumentClient,
  args: { name: string },
  options: PageOptions = {},
): Promise<Page<entities.Place>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
    ExpressionAttributeValues: { ':v0': `place#${part('name', args.name, [first(2)])}`, ':v1': `${part('name', args.name)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Place') {
      const value = found.item as entities.Place;
      return value;
    }
    return undefined;
  };
  return query<entities.Place>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** places with a word: `PK = placeWord#<word>`. */
export async function placesWithAWord(
  client: DynamoDBDocumentClient,
  args: { word: string },
  options: PageOptions = {},
): Promise<Page<entities.PlaceWord>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `placeWord#${part('word', args.word)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'PlaceWord') {
      const value = found.item as entities.PlaceWord;
      return value;
    }
    return undefined;
  };
  return query<entities.PlaceWord>(client, input, options, ['PK', 'SK'], take);
}

/** posts: `SK = post`. */
export async function posts(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Post>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'SK' },
    ExpressionAttributeValues: { ':v0': 'post' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Post') {
      const value = found.item as entities.Post;
      return value;
    }
    return undefined;
  };
  return query<entities.Post>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** posts of a collection: `SK = post and GSISK = <collectionId>`. */
export async function postsOfACollection(
  client: DynamoDBDocumentClient,
  args: { collectionId: number },
  options: PageOptions = {},
): Promise<Page<entities.Post>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
    ExpressionAttributeValues: { ':v0': 'post', ':v1': `${part('collectionId', args.collectionId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Post') {
      const value = found.item as entities.Post;
      return value;
    }
    return undefined;
  };
  return query<entities.Post>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** post with households: `PK = <postId> -> Post, RecordHousehold`. */
export async function postWithHouseholds(
  client: DynamoDBDocumentClient,
  args: { postId: number },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Post'; item: entities.Post } | { entity: 'RecordHousehold'; item: entities.RecordHousehold }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `${part('postId', args.postId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Post') {
      const value = found.item as entities.Post;
      return { entity: 'Post' as const, item: value };
    }
    if (found?.entity === 'RecordHousehold') {
      const value = found.item as entities.RecordHousehold;
      return { entity: 'RecordHousehold' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Post'; item: entities.Post } | { entity: 'RecordHousehold'; item: entities.RecordHousehold }>(client, input, options, ['PK', 'SK'], take);
}

/** records of a post: `SK = record_post#<postId>`. */
export async function recordsOfAPost(
  client: DynamoDBDocumentClient,
  args: { postId: number },
  options: PageOptions = {},
): Promise<Page<entities.Record>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'SK' },
    ExpressionAttributeValues: { ':v0': `record_post#${part('postId', args.postId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Record') {
      const value = found.item as entities.Record;
      return value;
    }
    return undefined;
  };
  return query<entities.Record>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** households of a post: `PK = <postId> and begins_with(SK, record_household#)`. */
export async function householdsOfAPost(
  client: DynamoDBDocumentClient,
  args: { postId: number },
  options: PageOptions = {},
): Promise<Page<entities.RecordHousehold>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `${part('postId', args.postId)}`, ':v1': 'record_household#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'RecordHousehold') {
      const value = found.item as entities.RecordHousehold;
      return value;
    }
    return undefined;
  };
  return query<entities.RecordHousehold>(client, input, options, ['PK', 'SK'], take);
}

/** records of a household: `SK = record_household#<household> and GSISK = <postId>`. */
export async function recordsOfAHousehold(
  client: DynamoDBDocumentClient,
  args: { household: string; postId: number },
  options: PageOptions = {},
): Promise<Page<entities.RecordHousehold>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
    ExpressionAttributeValues: { ':v0': `record_household#${part('household', args.household)}`, ':v1': `${part('postId', args.postId)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'RecordHousehold') {
      const value = found.item as entities.RecordHousehold;
      return value;
    }
    return undefined;
  };
  return query<entities.RecordHousehold>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** settings: `SK = settings`. */
export async function settings(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Settings>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'SK' },
    ExpressionAttributeValues: { ':v0': 'settings' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Settings') {
      const value = found.item as entities.Settings;
      return value;
    }
    return undefined;
  };
  return query<entities.Settings>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** settings by name: `SK = settings and GSISK = <name>`. */
export async function settingsByName(
  client: DynamoDBDocumentClient,
  args: { name: string },
  options: PageOptions = {},
): Promise<Page<entities.Settings>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK' },
    ExpressionAttributeValues: { ':v0': 'settings', ':v1': `${part('name', args.name)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Settings') {
      const value = found.item as entities.Settings;
      return value;
    }
    return undefined;
  };
  return query<entities.Settings>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** users: `SK = user`. */
export async function users(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'SK' },
    ExpressionAttributeValues: { ':v0': 'user' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'User') {
      const value = found.item as entities.User;
      return value;
    }
    return undefined;
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}

/** user by identity: `SK = user and GSISK = <issuer><subject> where issuer = <issuer> and subject = <subject>`. */
export async function userByIdentity(
  client: DynamoDBDocumentClient,
  args: { issuer: string; subject: string },
  options: PageOptions = {},
): Promise<Page<entities.User>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'GSI',
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    FilterExpression: '(#n2 = :v2) AND (#n3 = :v3)',
    ExpressionAttributeNames: { '#n0': 'SK', '#n1': 'GSISK', '#n2': 'issuer', '#n3': 'subject' },
    ExpressionAttributeValues: { ':v0': 'user', ':v1': `${part('issuer', args.issuer, [url], '#')}${part('subject', args.subject, [url])}`, ':v2': args.issuer, ':v3': args.subject },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'User') {
      const value = found.item as entities.User;
      return value;
    }
    return undefined;
  };
  return query<entities.User>(client, input, options, ['PK', 'SK', 'GSISK'], take);
}
