// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as access from './access.js';
import type * as entities from './entities.js';
import * as keys from './keys.js';
import * as shapes from './shapes.js';
import * as support from './support.js';

/** The table, unless a call names another. */
export const TABLE = 'fus-main';

/** all sites: `entityType = SITE`. */
export async function allSites(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Site>> {
  return access.page<entities.Site>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byEntity',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'entityType' },
      ExpressionAttributeValues: { ':v0': 'SITE' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'entityType', 'entitySk'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.siteShape, scope: 'global', source: 'query' },
    ],
  });
}

/** sites by tag: `tag = <tag>`. */
export async function sitesByTag(
  client: DynamoDBDocumentClient,
  args: { tag: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.SiteTag>> {
  args = support.check(args, { tag: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.SiteTag>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byTag',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'tag' },
      ExpressionAttributeValues: { ':v0': `${support.part('tag', args.tag)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'tag', 'siteId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.siteTagShape, scope: 'global', source: 'query' },
    ],
  });
}

/** sites with a tag: `tag = <tag> -> Site`. */
export async function sitesWithATag(
  client: DynamoDBDocumentClient,
  args: { tag: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Site>> {
  args = support.check(args, { tag: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Site>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byTag',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'tag' },
      ExpressionAttributeValues: { ':v0': `${support.part('tag', args.tag)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'tag', 'siteId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      access.referred<entities.Site, entities.SiteTag>({
        shape: shapes.siteShape, scope: 'global',
        from: shapes.siteTagShape,
        known: (item) => ({ site: item.site }),
        read: { key: (known) => ({ PK: keys.pkSite(known), SK: keys.skSite() }) },
      }),
    ],
  });
}

/** tags of a site: `PK = SITE#<site> and begins_with(SK, TAG#)`. */
export async function tagsOfASite(
  client: DynamoDBDocumentClient,
  args: { site: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.SiteTag>> {
  args = support.check(args, { site: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.SiteTag>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `SITE#${support.part('site', args.site)}`, ':v1': 'TAG#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.siteTagShape, scope: 'global', source: 'query' },
    ],
  });
}

/** comments of a site: `PK = SITE#<site> and begins_with(SK, COMMENT#)`. */
export async function commentsOfASite(
  client: DynamoDBDocumentClient,
  args: { site: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.SiteComment>> {
  args = support.check(args, { site: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.SiteComment>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `SITE#${support.part('site', args.site)}`, ':v1': 'COMMENT#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.siteCommentShape, scope: 'global', source: 'query' },
    ],
  });
}

/** site with everything: `PK = SITE#<site> -> Site, SiteTag, SiteComment`. */
export async function siteWithEverything(
  client: DynamoDBDocumentClient,
  args: { site: string },
  options: access.PageOptions = {},
): Promise<access.Page<{ entity: 'Site'; item: entities.Site } | { entity: 'SiteTag'; item: entities.SiteTag } | { entity: 'SiteComment'; item: entities.SiteComment }>> {
  args = support.check(args, { site: { fits: support.isText, rule: 'a string' } });
  return access.page<{ entity: 'Site'; item: entities.Site } | { entity: 'SiteTag'; item: entities.SiteTag } | { entity: 'SiteComment'; item: entities.SiteComment }>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'PK' },
      ExpressionAttributeValues: { ':v0': `SITE#${support.part('site', args.site)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.siteShape, scope: 'global', source: 'query' },
      { shape: shapes.siteTagShape, scope: 'global', source: 'query' },
      { shape: shapes.siteCommentShape, scope: 'global', source: 'query' },
    ],
  });
}

/** my ratings: `PK = USER#<user> and begins_with(SK, SITE#) -> Rating`. */
export async function myRatings(
  client: DynamoDBDocumentClient,
  args: { user: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Rating>> {
  args = support.check(args, { user: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Rating>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `USER#${support.part('user', args.user)}`, ':v1': 'SITE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.ratingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** my comments: `PK = USER#<user> and begins_with(SK, SITE#) -> Comment`. */
export async function myComments(
  client: DynamoDBDocumentClient,
  args: { user: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Comment>> {
  args = support.check(args, { user: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Comment>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `USER#${support.part('user', args.user)}`, ':v1': 'SITE#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.commentShape, scope: 'global', source: 'query' },
    ],
  });
}

/** my comments on a site: `PK = USER#<user> and begins_with(SK, SITE#<site>#COMMENT#)`. */
export async function myCommentsOnASite(
  client: DynamoDBDocumentClient,
  args: { user: string; site: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Comment>> {
  args = support.check(args, { user: { fits: support.isText, rule: 'a string' }, site: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Comment>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `USER#${support.part('user', args.user)}`, ':v1': `SITE#${support.part('site', args.site, [], '#')}#COMMENT#` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.commentShape, scope: 'global', source: 'query' },
    ],
  });
}

/** ratings by stars: `starRating = <stars>`. */
export async function ratingsByStars(
  client: DynamoDBDocumentClient,
  args: { stars: number },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Rating>> {
  args = support.check(args, { stars: { fits: support.isInteger, rule: 'an integer' } });
  return access.page<entities.Rating>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byStars',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'starRating' },
      ExpressionAttributeValues: { ':v0': args.stars },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'starRating', 'siteId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.ratingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** five star ratings: `starRating = 5`. */
export async function fiveStarRatings(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Rating>> {
  return access.page<entities.Rating>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byStars',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'starRating' },
      ExpressionAttributeValues: { ':v0': 5 },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'starRating', 'siteId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.ratingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** ratings of a site: `starRating in <stars> and siteId = SITE#<site>, at most 5 values`. */
export async function ratingsOfASite(
  client: DynamoDBDocumentClient,
  args: { stars: Array<number>; site: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Rating>> {
  args = support.check(args, { stars: { fits: support.isInteger, rule: 'an integer', isList: true }, site: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Rating>(client, options, {
    inputs: support.distinct(args.stars, 5).map((partition) => ({
      TableName: TABLE,
      IndexName: 'byStars',
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'starRating', '#n1': 'siteId' },
      ExpressionAttributeValues: { ':v0': partition, ':v1': `SITE#${support.part('site', args.site)}` },
    })),
    reading: 'in turn',
    cursorKeys: ['PK', 'SK', 'starRating', 'siteId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.ratingShape, scope: 'global', source: 'query' },
    ],
  });
}

/** all groups: `entityType = GROUP`. */
export async function allGroups(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Group>> {
  return access.page<entities.Group>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byEntity',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'entityType' },
      ExpressionAttributeValues: { ':v0': 'GROUP' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'entityType', 'entitySk'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.groupShape, scope: 'global', source: 'query' },
    ],
  });
}

/** groups of a user: `PK = USER#<userId> and begins_with(SK, MEMBERSHIP#)`. */
export async function groupsOfAUser(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.GroupMembership>> {
  args = support.check(args, { userId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.GroupMembership>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `USER#${support.part('userId', args.userId)}`, ':v1': 'MEMBERSHIP#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.groupMembershipShape, scope: 'global', source: 'query' },
    ],
  });
}

/** members of a group: `groupName = <groupName>`. */
export async function membersOfAGroup(
  client: DynamoDBDocumentClient,
  args: { groupName: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.GroupMembership>> {
  args = support.check(args, { groupName: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.GroupMembership>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byGroup',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'groupName' },
      ExpressionAttributeValues: { ':v0': `${support.part('groupName', args.groupName)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'groupName', 'userId'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.groupMembershipShape, scope: 'global', source: 'query' },
    ],
  });
}

/** profile: `PK = USER#<userId> and SK = PROFILE`. */
export async function profile(
  client: DynamoDBDocumentClient,
  args: { userId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Profile>> {
  args = support.check(args, { userId: { fits: support.isText, rule: 'a string' } });
  return access.page<entities.Profile>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND #n1 = :v1',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `USER#${support.part('userId', args.userId)}`, ':v1': 'PROFILE' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.profileShape, scope: 'global', source: 'query' },
    ],
  });
}

/** all players: `entityType = SQUASH_PLAYER`. */
export async function allPlayers(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Player>> {
  return access.page<entities.Player>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byEntity',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'entityType' },
      ExpressionAttributeValues: { ':v0': 'SQUASH_PLAYER' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'entityType', 'entitySk'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.playerShape, scope: 'global', source: 'query' },
    ],
  });
}

/** all matches: `entityType = SQUASH_MATCH, newest first`. */
export async function allMatches(
  client: DynamoDBDocumentClient,
  options: access.PageOptions = {},
): Promise<access.Page<entities.Match>> {
  return access.page<entities.Match>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byEntity',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'entityType' },
      ExpressionAttributeValues: { ':v0': 'SQUASH_MATCH' },
      ScanIndexForward: false,
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'entityType', 'entitySk'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.matchShape, scope: 'global', source: 'query' },
    ],
  });
}

/** matches on a day: `squashDate = <date> -> Match`. */
export async function matchesOnADay(
  client: DynamoDBDocumentClient,
  args: { date: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Match>> {
  args = support.check(args, { date: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Match>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'bySquashDate',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'squashDate' },
      ExpressionAttributeValues: { ':v0': `${support.part('date', args.date)}` },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'squashDate', 'matchId'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.matchShape, scope: 'global', source: 'query' },
    ],
  });
}

/** matches in a range: `entityType = SQUASH_MATCH and entitySk between SQUASH#MATCH#<from> and SQUASH#MATCH#<to>`. */
export async function matchesInARange(
  client: DynamoDBDocumentClient,
  args: { from: string; to: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Match>> {
  args = support.check(args, { from: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate }, to: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Match>(client, options, {
    inputs: [{
      TableName: TABLE,
      IndexName: 'byEntity',
      KeyConditionExpression: '#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2',
      ExpressionAttributeNames: { '#n0': 'entityType', '#n1': 'entitySk' },
      ExpressionAttributeValues: { ':v0': 'SQUASH_MATCH', ':v1': `SQUASH#MATCH#${support.part('from', args.from)}`, ':v2': `SQUASH#MATCH#${support.part('to', args.to)}` + '$' },
    }],
    between: [':v1', ':v2'],
    reading: 'one',
    cursorKeys: ['PK', 'SK', 'entityType', 'entitySk'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.matchShape, scope: 'global', source: 'query' },
    ],
  });
}

/** matches between: `squashDate between <from> and <to>, at most 92 days -> Match`. */
export async function matchesBetween(
  client: DynamoDBDocumentClient,
  args: { from: string; to: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Match>> {
  args = support.check(args, { from: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate }, to: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)', normalize: support.utcDate } });
  return access.page<entities.Match>(client, options, {
    inputs: support.days(args.from, args.to, 92).map((partition) => ({
      TableName: TABLE,
      IndexName: 'bySquashDate',
      KeyConditionExpression: '#n0 = :v0',
      ExpressionAttributeNames: { '#n0': 'squashDate' },
      ExpressionAttributeValues: { ':v0': partition },
    })),
    reading: 'in turn',
    cursorKeys: ['PK', 'SK', 'squashDate', 'matchId'],
    dropsItems: true,
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.matchShape, scope: 'global', source: 'query' },
    ],
  });
}

/** matches of a player: `PK = SQUASH#PLAYER#<playerId> and begins_with(SK, MATCH#)`. */
export async function matchesOfAPlayer(
  client: DynamoDBDocumentClient,
  args: { playerId: string },
  options: access.PageOptions = {},
): Promise<access.Page<entities.Participation>> {
  args = support.check(args, { playerId: { fits: support.isUuid, rule: 'a UUID in lower case' } });
  return access.page<entities.Participation>(client, options, {
    inputs: [{
      TableName: TABLE,
      KeyConditionExpression: '#n0 = :v0 AND begins_with(#n1, :v1)',
      ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'SK' },
      ExpressionAttributeValues: { ':v0': `SQUASH#PLAYER#${support.part('playerId', args.playerId)}`, ':v1': 'MATCH#' },
    }],
    reading: 'one',
    cursorKeys: ['PK', 'SK'],
    pageSize: 100,
    pageBytes: 1048576,
    results: [
      { shape: shapes.participationShape, scope: 'global', source: 'query' },
    ],
  });
}
