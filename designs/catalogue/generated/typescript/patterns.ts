// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type * as entities from './entities.js';
import { shapes } from './shapes.js';
import { days, part, query, queryInTurn, recognise, type Item, type Page, type PageOptions } from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'fus-main';

/** all sites: `entityType = SITE`. */
export async function allSites(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Site>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byEntity',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'entityType' },
    ExpressionAttributeValues: { ':v0': 'SITE' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Site') {
      const value = found.item as entities.Site;
      return value;
    }
    return undefined;
  };
  return query<entities.Site>(client, input, options, ['PK', 'SK', 'entityType', 'entitySk'], take);
}

/** sites by tag: `tag = <tag>`. */
export async function sitesByTag(
  client: DynamoDBDocumentClient,
  args: { tag: string },
  options: PageOptions = {},
): Promise<Page<entities.SiteTag>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byTag',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'tag' },
    ExpressionAttributeValues: { ':v0': `${part('tag', args.tag)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'SiteTag') {
      const value = found.item as entities.SiteTag;
      return value;
    }
    return undefined;
  };
  return query<entities.SiteTag>(client, input, options, ['PK', 'SK', 'tag', 'siteId'], take);
}

/** tags of a site: `PK = SITE#<site> and begins_with(SK, TAG#)`. */
export async function tagsOfASite(
  client: DynamoDBDocumentClient,
  args: { site: string },
  options: PageOptions = {},
): Promise<Page<entities.SiteTag>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `SITE#${part('site', args.site)}`, ':v1': 'TAG#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'SiteTag') {
      const value = found.item as entities.SiteTag;
      return value;
    }
    return undefined;
  };
  return query<entities.SiteTag>(client, input, options, ['PK', 'SK'], take);
}

/** comments of a site: `PK = SITE#<site> and begins_with(SK, COMMENT#)`. */
export async function commentsOfASite(
  client: DynamoDBDocumentClient,
  args: { site: string },
  options: PageOptions = {},
): Promise<Page<entities.SiteComment>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `SITE#${part('site', args.site)}`, ':v1': 'COMMENT#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'SiteComment') {
      const value = found.item as entities.SiteComment;
      return value;
    }
    return undefined;
  };
  return query<entities.SiteComment>(client, input, options, ['PK', 'SK'], take);
}

/** site with everything: `PK = SITE#<site> -> Site, SiteTag, SiteComment`. */
export async function siteWithEverything(
  client: DynamoDBDocumentClient,
  args: { site: string },
  options: PageOptions = {},
): Promise<Page<{ entity: 'Site'; item: entities.Site } | { entity: 'SiteTag'; item: entities.SiteTag } | { entity: 'SiteComment'; item: entities.SiteComment }>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'PK' },
    ExpressionAttributeValues: { ':v0': `SITE#${part('site', args.site)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Site') {
      const value = found.item as entities.Site;
      return { entity: 'Site' as const, item: value };
    }
    if (found?.entity === 'SiteTag') {
      const value = found.item as entities.SiteTag;
      return { entity: 'SiteTag' as const, item: value };
    }
    if (found?.entity === 'SiteComment') {
      const value = found.item as entities.SiteComment;
      return { entity: 'SiteComment' as const, item: value };
    }
    return undefined;
  };
  return query<{ entity: 'Site'; item: entities.Site } | { entity: 'SiteTag'; item: entities.SiteTag } | { entity: 'SiteComment'; item: entities.SiteComment }>(client, input, options, ['PK', 'SK'], take);
}

/** my ratings: `PK = USER#<user> and begins_with(SK, SITE#) -> Rating`. */
export async function myRatings(
  client: DynamoDBDocumentClient,
  args: { user: string },
  options: PageOptions = {},
): Promise<Page<entities.Rating>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `USER#${part('user', args.user)}`, ':v1': 'SITE#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Rating') {
      const value = found.item as entities.Rating;
      return value;
    }
    return undefined;
  };
  return query<entities.Rating>(client, input, options, ['PK', 'SK'], take);
}

/** my comments: `PK = USER#<user> and begins_with(SK, SITE#) -> Comment`. */
export async function myComments(
  client: DynamoDBDocumentClient,
  args: { user: string },
  options: PageOptions = {},
): Promise<Page<entities.Comment>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `USER#${part('user', args.user)}`, ':v1': 'SITE#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Comment') {
      const value = found.item as entities.Comment;
      return value;
    }
    return undefined;
  };
  return query<entities.Comment>(client, input, options, ['PK', 'SK'], take);
}

/** my comments on a site: `PK = USER#<user> and begins_with(SK, SITE#<site>#COMMENT#)`. */
export async function myCommentsOnASite(
  client: DynamoDBDocumentClient,
  args: { user: string; site: string },
  options: PageOptions = {},
): Promise<Page<entities.Comment>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `USER#${part('user', args.user)}`, ':v1': `SITE#${part('site', args.site, [], '#')}#COMMENT#` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Comment') {
      const value = found.item as entities.Comment;
      return value;
    }
    return undefined;
  };
  return query<entities.Comment>(client, input, options, ['PK', 'SK'], take);
}

/** ratings by stars: `starRating = <stars>`. */
export async function ratingsByStars(
  client: DynamoDBDocumentClient,
  args: { stars: number },
  options: PageOptions = {},
): Promise<Page<entities.Rating>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byStars',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'starRating' },
    ExpressionAttributeValues: { ':v0': args.stars },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Rating') {
      const value = found.item as entities.Rating;
      return value;
    }
    return undefined;
  };
  return query<entities.Rating>(client, input, options, ['PK', 'SK', 'starRating', 'siteId'], take);
}

/** five star ratings: `starRating = 5`. */
export async function fiveStarRatings(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Rating>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byStars',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'starRating' },
    ExpressionAttributeValues: { ':v0': 5 },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Rating') {
      const value = found.item as entities.Rating;
      return value;
    }
    return undefined;
  };
  return query<entities.Rating>(client, input, options, ['PK', 'SK', 'starRating', 'siteId'], take);
}

/** ratings of a site: `starRating in <stars> and siteId = SITE#<site>, at most 5 values`. */
export async function ratingsOfASite(
  client: DynamoDBDocumentClient,
  args: { stars: Array<number>; site: string },
  options: PageOptions = {},
): Promise<Page<entities.Rating>> {
  if (args.stars.length > 5) throw new RangeError('more than 5 values');
  const inputs = args.stars.map((value): QueryCommandInput => ({
    TableName: TABLE,
    IndexName: 'byStars',
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    ExpressionAttributeNames: { '#n0': 'starRating', '#n1': 'siteId' },
    ExpressionAttributeValues: { ':v0': value, ':v1': `SITE#${part('site', args.site)}` },
  }));
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Rating') {
      const value = found.item as entities.Rating;
      return value;
    }
    return undefined;
  };
  return queryInTurn<entities.Rating>(client, inputs, options, ['PK', 'SK', 'starRating', 'siteId'], take);
}

/** all groups: `entityType = GROUP`. */
export async function allGroups(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Group>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byEntity',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'entityType' },
    ExpressionAttributeValues: { ':v0': 'GROUP' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Group') {
      const value = found.item as entities.Group;
      return value;
    }
    return undefined;
  };
  return query<entities.Group>(client, input, options, ['PK', 'SK', 'entityType', 'entitySk'], take);
}

/** groups of a user: `PK = USER#<userId> and begins_with(SK, MEMBERSHIP#)`. */
export async function groupsOfAUser(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: PageOptions = {},
): Promise<Page<entities.GroupMembership>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `USER#${part('userId', args.userId)}`, ':v1': 'MEMBERSHIP#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'GroupMembership') {
      const value = found.item as entities.GroupMembership;
      return value;
    }
    return undefined;
  };
  return query<entities.GroupMembership>(client, input, options, ['PK', 'SK'], take);
}

/** members of a group: `groupName = <groupName>`. */
export async function membersOfAGroup(
  client: DynamoDBDocumentClient,
  args: { groupName: string },
  options: PageOptions = {},
): Promise<Page<entities.GroupMembership>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byGroup',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'groupName' },
    ExpressionAttributeValues: { ':v0': `${part('groupName', args.groupName)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'GroupMembership') {
      const value = found.item as entities.GroupMembership;
      return value;
    }
    return undefined;
  };
  return query<entities.GroupMembership>(client, input, options, ['PK', 'SK', 'groupName', 'userId'], take);
}

/** profile: `PK = USER#<userId> and SK = PROFILE`. */
export async function profile(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: PageOptions = {},
): Promise<Page<entities.Profile>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `USER#${part('userId', args.userId)}`, ':v1': 'PROFILE' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Profile') {
      const value = found.item as entities.Profile;
      return value;
    }
    return undefined;
  };
  return query<entities.Profile>(client, input, options, ['PK', 'SK'], take);
}

/** all players: `entityType = SQUASH_PLAYER`. */
export async function allPlayers(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Player>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byEntity',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'entityType' },
    ExpressionAttributeValues: { ':v0': 'SQUASH_PLAYER' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Player') {
      const value = found.item as entities.Player;
      return value;
    }
    return undefined;
  };
  return query<entities.Player>(client, input, options, ['PK', 'SK', 'entityType', 'entitySk'], take);
}

/** all matches: `entityType = SQUASH_MATCH, newest first`. */
export async function allMatches(
  client: DynamoDBDocumentClient,
  options: PageOptions = {},
): Promise<Page<entities.Match>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byEntity',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'entityType' },
    ExpressionAttributeValues: { ':v0': 'SQUASH_MATCH' },
    ScanIndexForward: false,
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Match') {
      const value = found.item as entities.Match;
      return value;
    }
    return undefined;
  };
  return query<entities.Match>(client, input, options, ['PK', 'SK', 'entityType', 'entitySk'], take);
}

/** matches on a day: `squashDate = <date> -> Match`. */
export async function matchesOnADay(
  client: DynamoDBDocumentClient,
  args: { date: string },
  options: PageOptions = {},
): Promise<Page<entities.Match>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'bySquashDate',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'squashDate' },
    ExpressionAttributeValues: { ':v0': `${part('date', args.date)}` },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Match') {
      const value = found.item as entities.Match;
      return value;
    }
    return undefined;
  };
  return query<entities.Match>(client, input, options, ['PK', 'SK', 'squashDate', 'matchId'], take);
}

/** matches in a range: `entityType = SQUASH_MATCH and entitySk between SQUASH#MATCH#<from> and SQUASH#MATCH#<to>`. */
export async function matchesInARange(
  client: DynamoDBDocumentClient,
  args: { from: string; to: string },
  options: PageOptions = {},
): Promise<Page<entities.Match>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    IndexName: 'byEntity',
    KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
    ExpressionAttributeNames: { '#n0': 'entityType', '#n1': 'entitySk' },
    ExpressionAttributeValues: { ':v0': 'SQUASH_MATCH', ':v1': `SQUASH#MATCH#${part('from', args.from)}`, ':v2': `SQUASH#MATCH#${part('to', args.to)}` + '$' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Match') {
      const value = found.item as entities.Match;
      return value;
    }
    return undefined;
  };
  return query<entities.Match>(client, input, options, ['PK', 'SK', 'entityType', 'entitySk'], take);
}

/** matches between: `squashDate between <from> and <to>, at most 92 days -> Match`. */
export async function matchesBetween(
  client: DynamoDBDocumentClient,
  args: { from: string; to: string },
  options: PageOptions = {},
): Promise<Page<entities.Match>> {
  const inputs = days(`${part('from', args.from)}`, `${part('to', args.to)}`, 92).map((value): QueryCommandInput => ({
    TableName: TABLE,
    IndexName: 'bySquashDate',
    KeyConditionExpression: '#n0 = :v0',
    ExpressionAttributeNames: { '#n0': 'squashDate' },
    ExpressionAttributeValues: { ':v0': value },
  }));
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Match') {
      const value = found.item as entities.Match;
      return value;
    }
    return undefined;
  };
  return queryInTurn<entities.Match>(client, inputs, options, ['PK', 'SK', 'squashDate', 'matchId'], take);
}

/** matches of a player: `PK = SQUASH#PLAYER#<playerId> and begins_with(SK, MATCH#)`. */
export async function matchesOfAPlayer(
  client: DynamoDBDocumentClient,
  args: { playerId: string },
  options: PageOptions = {},
): Promise<Page<entities.Participation>> {
  const input: QueryCommandInput = {
    TableName: TABLE,
    KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
    ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
    ExpressionAttributeValues: { ':v0': `SQUASH#PLAYER#${part('playerId', args.playerId)}`, ':v1': 'MATCH#' },
  };
  const take = async (item: Item) => {
    const found = recognise<unknown>(shapes, item);
    if (found?.entity === 'Participation') {
      const value = found.item as entities.Participation;
      return value;
    }
    return undefined;
  };
  return query<entities.Participation>(client, input, options, ['PK', 'SK'], take);
}
