// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const siteShape: Shape<entities.Site> = {
  entity: 'Site',
  base: [
    ['PK', [/^SITE#(.+)$/su, [['site', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['entitySk', [/^SITE#(.+)$/su, [['site', 'text']]]],
  ],
  stored: ['url', 'title', 'description', 'scrapedContent', 'tags', 'ratingCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: ['site'],
};

export const siteTagShape: Shape<entities.SiteTag> = {
  entity: 'SiteTag',
  base: [
    ['PK', [/^SITE#(.+)$/su, [['site', 'text']]]],
    ['SK', [/^TAG#(.+)$/su, [['tag', 'text']]]],
  ],
  computed: [
    ['siteId', [/^SITE#(.+)$/su, [['site', 'text']]]],
  ],
  stored: [],
  keyOnly: ['site', 'tag'],
};

export const ratingShape: Shape<entities.Rating> = {
  entity: 'Rating',
  base: [
    ['PK', [/^USER#(.+)$/su, [['user', 'text']]]],
    ['SK', [/^(?!SITE#(?:[^#]+)#COMMENT#(?:.+)$)SITE#(.+)$/su, [['site', 'text']]]],
  ],
  computed: [
    ['siteId', [/^SITE#(.+)$/su, [['site', 'text']]]],
  ],
  stored: ['stars', 'note', 'starRating', 'updatedAt'],
  keyOnly: ['user', 'site'],
};

export const commentShape: Shape<entities.Comment> = {
  entity: 'Comment',
  base: [
    ['PK', [/^USER#(.+)$/su, [['user', 'text']]]],
    ['SK', [/^SITE#([^#]+)#COMMENT#(.+)$/su, [['site', 'text'], ['commentId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['body', 'createdAt', 'updatedAt'],
  keyOnly: ['user', 'site', 'commentId'],
};

export const siteCommentShape: Shape<entities.SiteComment> = {
  entity: 'SiteComment',
  base: [
    ['PK', [/^SITE#(.+)$/su, [['site', 'text']]]],
    ['SK', [/^COMMENT#(.+)$/su, [['commentId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['user', 'body', 'createdAt', 'updatedAt'],
  keyOnly: ['site', 'commentId'],
};

export const groupShape: Shape<entities.Group> = {
  entity: 'Group',
  base: [
    ['PK', [/^GROUP#(.+)$/su, [['name', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['entitySk', [/^GROUP#(.+)$/su, [['name', 'text']]]],
  ],
  stored: ['name', 'description', 'permissions', 'memberCount', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const groupMembershipShape: Shape<entities.GroupMembership> = {
  entity: 'GroupMembership',
  base: [
    ['PK', [/^USER#(.+)$/su, [['userId', 'text']]]],
    ['SK', [/^MEMBERSHIP#(.+)$/su, [['groupName', 'text']]]],
  ],
  computed: [
  ],
  stored: ['userId', 'groupName', 'addedAt', 'addedBy'],
  keyOnly: [],
};

export const profileShape: Shape<entities.Profile> = {
  entity: 'Profile',
  base: [
    ['PK', [/^USER#(.+)$/su, [['userId', 'text']]]],
    ['SK', [/^PROFILE$/su, []]],
  ],
  computed: [
  ],
  stored: ['avatarKey', 'description', 'lastLoginAt', 'lastLoginIp', 'updatedAt'],
  keyOnly: ['userId'],
};

export const playerShape: Shape<entities.Player> = {
  entity: 'Player',
  base: [
    ['PK', [/^SQUASH#PLAYER#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/su, [['playerId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['entitySk', [/^SQUASH#PLAYER#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/su, [['playerId', 'text']]]],
  ],
  stored: ['name', 'email', 'userId', 'createdAt', 'updatedAt', 'version'],
  keyOnly: ['playerId'],
};

export const matchShape: Shape<entities.Match> = {
  entity: 'Match',
  base: [
    ['PK', [/^SQUASH#MATCH#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/su, [['matchId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['entitySk', [/^SQUASH#MATCH#(\d{4}-\d{2}-\d{2})#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/su, [['date', 'text'], ['matchId', 'text']]]],
  ],
  stored: ['matchId', 'date', 'squashDate', 'teamAPlayer1Id', 'teamAPlayer2Id', 'teamBPlayer1Id', 'teamBPlayer2Id', 'winningTeam', 'teamAGames', 'teamBGames', 'createdAt', 'updatedAt', 'version'],
  keyOnly: [],
};

export const participationShape: Shape<entities.Participation> = {
  entity: 'Participation',
  base: [
    ['PK', [/^SQUASH#PLAYER#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/su, [['playerId', 'text']]]],
    ['SK', [/^MATCH#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/su, [['matchId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['matchId', 'squashDate'],
  keyOnly: ['playerId'],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  commentShape,
  groupMembershipShape,
  playerShape,
  matchShape,
  groupShape,
  siteShape,
  siteCommentShape,
  profileShape,
  participationShape,
  ratingShape,
  siteTagShape,
];

/** Every lookup. */
export const lookups: readonly Shape<unknown>[] = [
];

/** The keys of the table. */
export const tableKeys: readonly string[] = ['PK', 'SK'];

/** The attribute that marks an item as being deleted, and its value. */
export const deletionMark = { attribute: 'kf_delete', value: 'deleting' };

/** How many items a request reads for the results that a page lacks, where some items are not results. */
export const readAhead = { factor: 4, least: 50, most: 1000 };
