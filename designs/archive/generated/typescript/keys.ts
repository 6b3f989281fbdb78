// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Category: `<id>`. */
export function pkCategory(values: Pick<entities.Category, 'id'>): string {
  return `${support.part('id', values.id)}`;
}

/** SK of Category: `category`. */
export function skCategory(): string {
  return 'category';
}

/** Category in GSI. */
export function gsiCategory(values: Pick<entities.Category, 'name'>): { GSISK: string } {
  return { GSISK: `${support.part('name', values.name)}` };
}

/** PK of Collection: `<id>`. */
export function pkCollection(values: Pick<entities.Collection, 'id'>): string {
  return `${support.part('id', values.id)}`;
}

/** SK of Collection: `collection`. */
export function skCollection(): string {
  return 'collection';
}

/** Collection in GSI. */
export function gsiCollection(values: Pick<entities.Collection, 'name'>): { GSISK: string } {
  return { GSISK: `${support.part('name', values.name)}` };
}

/** PK of CollectionCategory: `<collectionId>`. */
export function pkCollectionCategory(values: Pick<entities.CollectionCategory, 'collectionId'>): string {
  return `${support.part('collectionId', values.collectionId)}`;
}

/** SK of CollectionCategory: `collection_category#<categoryId>`. */
export function skCollectionCategory(values: Pick<entities.CollectionCategory, 'categoryId'>): string {
  return `collection_category#${support.part('categoryId', values.categoryId)}`;
}

/** CollectionCategory in GSI. */
export function gsiCollectionCategory(values: Pick<entities.CollectionCategory, 'collectionId'>): { GSISK: string } {
  return { GSISK: `${support.part('collectionId', values.collectionId)}` };
}

/** PK of Place: `<id>`. */
export function pkPlace(values: Pick<entities.Place, 'id'>): string {
  return `${support.part('id', values.id)}`;
}

/** SK of Place: `place#<fullName:first(2)>`. */
export function skPlace(values: Pick<entities.Place, 'fullName'>): string {
  return `place#${support.part('fullName', values.fullName, [support.first(2)])}`;
}

/** Place in GSI. */
export function gsiPlace(values: Pick<entities.Place, 'fullName'>): { GSISK: string } {
  return { GSISK: `${support.part('fullName', values.fullName)}` };
}

/** PK of PlaceSettings: `placeSettings`. */
export function pkPlaceSettings(): string {
  return 'placeSettings';
}

/** SK of PlaceSettings: `placeSettings`. */
export function skPlaceSettings(): string {
  return 'placeSettings';
}

/** PK of PlaceWord: `placeWord#<word>`. */
export function pkPlaceWord(values: Pick<entities.PlaceWord, 'word'>): string {
  return `placeWord#${support.part('word', values.word)}`;
}

/** SK of PlaceWord: `placeWord`. */
export function skPlaceWord(): string {
  return 'placeWord';
}

/** PK of Post: `<id>`. */
export function pkPost(values: Pick<entities.Post, 'id'>): string {
  return `${support.part('id', values.id)}`;
}

/** SK of Post: `post`. */
export function skPost(): string {
  return 'post';
}

/** Post in GSI. */
export function gsiPost(values: Pick<entities.Post, 'collectionId'>): { GSISK: string } {
  return { GSISK: `${support.part('collectionId', values.collectionId)}` };
}

/** PK of Record: `<id>`. */
export function pkRecord(values: Pick<entities.Record, 'id'>): string {
  return `${support.part('id', values.id)}`;
}

/** SK of Record: `record_post#<postId>`. */
export function skRecord(values: Pick<entities.Record, 'postId'>): string {
  return `record_post#${support.part('postId', values.postId)}`;
}

/** Record in GSI. */
export function gsiRecord(values: Pick<entities.Record, 'id'>): { GSISK: string } {
  return { GSISK: `${support.part('id', values.id)}` };
}

/** PK of RecordHousehold: `<postId>`. */
export function pkRecordHousehold(values: Pick<entities.RecordHousehold, 'postId'>): string {
  return `${support.part('postId', values.postId)}`;
}

/** SK of RecordHousehold: `record_household#<household>`. */
export function skRecordHousehold(values: Pick<entities.RecordHousehold, 'household'>): string {
  return `record_household#${support.part('household', values.household)}`;
}

/** RecordHousehold in GSI; only items that have all its attributes are in the index. */
export function gsiRecordHousehold(values: Pick<entities.RecordHousehold, 'postId'>): { GSISK: string } | Record<string, never> {
  return { GSISK: `${support.part('postId', values.postId)}` };
}

/** PK of Settings: `settings`. */
export function pkSettings(): string {
  return 'settings';
}

/** SK of Settings: `settings`. */
export function skSettings(): string {
  return 'settings';
}

/** Settings in GSI. */
export function gsiSettings(values: Pick<entities.Settings, 'name'>): { GSISK: string } {
  return { GSISK: `${support.part('name', values.name)}` };
}

/** PK of Sequence: `sequence`. */
export function pkSequence(): string {
  return 'sequence';
}

/** SK of Sequence: `sequence`. */
export function skSequence(): string {
  return 'sequence';
}

/** PK of User: `<id>`. */
export function pkUser(values: Pick<entities.User, 'id'>): string {
  return `${support.part('id', values.id)}`;
}

/** SK of User: `user`. */
export function skUser(): string {
  return 'user';
}

/** User in GSI. */
export function gsiUser(values: Pick<entities.User, 'issuer' | 'subject'>): { GSISK: string } {
  return { GSISK: `${support.part('issuer', values.issuer, [support.url], '#')}${support.part('subject', values.subject, [support.url])}` };
}

/** The key of the lookup of User by identity. */
export function lookupUserByIdentity(values: Required<Pick<entities.User, 'issuer' | 'subject'>>): { PK: string; SK: string } {
  return { PK: `userIdentity#${support.part('issuer', values.issuer, [support.url], '#')}#${support.part('subject', values.subject, [support.url])}`, SK: 'userIdentity' };
}
