// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Site: `SITE#<site>`. */
export function pkSite(values: Pick<entities.Site, 'site'>): string {
  return `SITE#${support.part('site', values.site)}`;
}

/** SK of Site: `METADATA`. */
export function skSite(): string {
  return 'METADATA';
}

/** Site in byEntity. */
export function byEntitySite(values: Pick<entities.Site, 'site'>): { entityType: string; entitySk: string } {
  return { entityType: 'SITE', entitySk: `SITE#${support.part('site', values.site)}` };
}

/** PK of SiteTag: `SITE#<site>`. */
export function pkSiteTag(values: Pick<entities.SiteTag, 'site'>): string {
  return `SITE#${support.part('site', values.site)}`;
}

/** SK of SiteTag: `TAG#<tag>`. */
export function skSiteTag(values: Pick<entities.SiteTag, 'tag'>): string {
  return `TAG#${support.part('tag', values.tag)}`;
}

/** SiteTag in byTag. */
export function byTagSiteTag(values: Pick<entities.SiteTag, 'site'>): { siteId: string } {
  return { siteId: `SITE#${support.part('site', values.site)}` };
}

/** PK of Rating: `USER#<user>`. */
export function pkRating(values: Pick<entities.Rating, 'user'>): string {
  return `USER#${support.part('user', values.user)}`;
}

/** SK of Rating: `SITE#<site>`. */
export function skRating(values: Pick<entities.Rating, 'site'>): string {
  return `SITE#${support.part('site', values.site)}`;
}

/** Rating in byStars. */
export function byStarsRating(values: Pick<entities.Rating, 'site'>): { siteId: string } {
  return { siteId: `SITE#${support.part('site', values.site)}` };
}

/** PK of Comment: `USER#<user>`. */
export function pkComment(values: Pick<entities.Comment, 'user'>): string {
  return `USER#${support.part('user', values.user)}`;
}

/** SK of Comment: `SITE#<site>#COMMENT#<commentId>`. */
export function skComment(values: Pick<entities.Comment, 'commentId' | 'site'>): string {
  return `SITE#${support.part('site', values.site, [], '#')}#COMMENT#${support.part('commentId', values.commentId)}`;
}

/** PK of SiteComment: `SITE#<site>`. */
export function pkSiteComment(values: Pick<entities.SiteComment, 'site'>): string {
  return `SITE#${support.part('site', values.site)}`;
}

/** SK of SiteComment: `COMMENT#<commentId>`. */
export function skSiteComment(values: Pick<entities.SiteComment, 'commentId'>): string {
  return `COMMENT#${support.part('commentId', values.commentId)}`;
}

/** PK of Group: `GROUP#<name>`. */
export function pkGroup(values: Pick<entities.Group, 'name'>): string {
  return `GROUP#${support.part('name', values.name)}`;
}

/** SK of Group: `METADATA`. */
export function skGroup(): string {
  return 'METADATA';
}

/** Group in byEntity. */
export function byEntityGroup(values: Pick<entities.Group, 'name'>): { entityType: string; entitySk: string } {
  return { entityType: 'GROUP', entitySk: `GROUP#${support.part('name', values.name)}` };
}

/** PK of GroupMembership: `USER#<userId>`. */
export function pkGroupMembership(values: Pick<entities.GroupMembership, 'userId'>): string {
  return `USER#${support.part('userId', values.userId)}`;
}

/** SK of GroupMembership: `MEMBERSHIP#<groupName>`. */
export function skGroupMembership(values: Pick<entities.GroupMembership, 'groupName'>): string {
  return `MEMBERSHIP#${support.part('groupName', values.groupName)}`;
}

/** PK of Profile: `USER#<userId>`. */
export function pkProfile(values: Pick<entities.Profile, 'userId'>): string {
  return `USER#${support.part('userId', values.userId)}`;
}

/** SK of Profile: `PROFILE`. */
export function skProfile(): string {
  return 'PROFILE';
}

/** PK of Player: `SQUASH#PLAYER#<playerId>`. */
export function pkPlayer(values: Pick<entities.Player, 'playerId'>): string {
  return `SQUASH#PLAYER#${support.part('playerId', values.playerId)}`;
}

/** SK of Player: `METADATA`. */
export function skPlayer(): string {
  return 'METADATA';
}

/** Player in byEntity. */
export function byEntityPlayer(values: Pick<entities.Player, 'playerId'>): { entityType: string; entitySk: string } {
  return { entityType: 'SQUASH_PLAYER', entitySk: `SQUASH#PLAYER#${support.part('playerId', values.playerId)}` };
}

/** PK of Match: `SQUASH#MATCH#<matchId>`. */
export function pkMatch(values: Pick<entities.Match, 'matchId'>): string {
  return `SQUASH#MATCH#${support.part('matchId', values.matchId)}`;
}

/** SK of Match: `METADATA`. */
export function skMatch(): string {
  return 'METADATA';
}

/** Match in byEntity. */
export function byEntityMatch(values: Pick<entities.Match, 'date' | 'matchId'>): { entityType: string; entitySk: string } {
  return { entityType: 'SQUASH_MATCH', entitySk: `SQUASH#MATCH#${support.part('date', values.date)}#${support.part('matchId', values.matchId)}` };
}

/** PK of Participation: `SQUASH#PLAYER#<playerId>`. */
export function pkParticipation(values: Pick<entities.Participation, 'playerId'>): string {
  return `SQUASH#PLAYER#${support.part('playerId', values.playerId)}`;
}

/** SK of Participation: `MATCH#<matchId>`. */
export function skParticipation(values: Pick<entities.Participation, 'matchId'>): string {
  return `MATCH#${support.part('matchId', values.matchId)}`;
}
