// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Item, Shape } from './support.js';

export const categoryShape: Shape<entities.Category> = {
  entity: 'Category',
  base: [
    ['PK', [/^(-?\d+)$/su, [['id', 'number']]]],
    ['SK', [/^category$/su, []]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['name', 'text']]]],
  ],
  stored: ['id', 'name', 'collectionCount', 'version'],
  keyOnly: [],
};

export const collectionShape: Shape<entities.Collection> = {
  entity: 'Collection',
  base: [
    ['PK', [/^(-?\d+)$/su, [['id', 'number']]]],
    ['SK', [/^collection$/su, []]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['name', 'text']]]],
  ],
  stored: ['id', 'name', 'postCount', 'version'],
  keyOnly: [],
};

export const collectionCategoryShape: Shape<entities.CollectionCategory> = {
  entity: 'CollectionCategory',
  base: [
    ['PK', [/^(-?\d+)$/su, [['collectionId', 'number']]]],
    ['SK', [/^collection_category#(-?\d+)$/su, [['categoryId', 'number']]]],
  ],
  computed: [
    ['GSISK', [/^(-?\d+)$/su, [['collectionId', 'number']]]],
  ],
  stored: ['collectionId', 'categoryId'],
  keyOnly: [],
};

export const placeShape: Shape<entities.Place> = {
  entity: 'Place',
  base: [
    ['PK', [/^(-?\d+)$/su, [['id', 'number']]]],
    ['SK', [/^place#(.{1,2})$/su, [['fullName', 'none']]]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['fullName', 'text']]]],
  ],
  stored: ['id', 'fullName', 'latitude', 'longitude', 'version'],
  keyOnly: [],
};

export const placeSettingsShape: Shape<entities.PlaceSettings> = {
  entity: 'PlaceSettings',
  base: [
    ['PK', [/^placeSettings$/su, []]],
    ['SK', [/^placeSettings$/su, []]],
  ],
  computed: [
  ],
  stored: ['version'],
  keyOnly: [],
  openBut: ['PK', 'SK'],
};

export const placeWordShape: Shape<entities.PlaceWord> = {
  entity: 'PlaceWord',
  base: [
    ['PK', [/^placeWord#(.+)$/su, [['word', 'text']]]],
    ['SK', [/^placeWord$/su, []]],
  ],
  computed: [
  ],
  stored: ['placeIds'],
  keyOnly: ['word'],
};

export const postShape: Shape<entities.Post> = {
  entity: 'Post',
  base: [
    ['PK', [/^(-?\d+)$/su, [['id', 'number']]]],
    ['SK', [/^post$/su, []]],
  ],
  computed: [
    ['GSISK', [/^(-?\d+)$/su, [['collectionId', 'number']]]],
  ],
  stored: ['id', 'collectionId', 'name', 'recordCount', 'version'],
  keyOnly: [],
};

export const recordShape: Shape<entities.Record> = {
  entity: 'Record',
  base: [
    ['PK', [/^(-?\d+)$/su, [['id', 'number']]]],
    ['SK', [/^record_post#(-?\d+)$/su, [['postId', 'number']]]],
  ],
  computed: [
    ['GSISK', [/^(-?\d+)$/su, [['id', 'number']]]],
  ],
  stored: ['id', 'postId', 'household', 'data', 'version'],
  keyOnly: [],
};

export const recordHouseholdShape: Shape<entities.RecordHousehold> = {
  entity: 'RecordHousehold',
  base: [
    ['PK', [/^(-?\d+)$/su, [['postId', 'number']]]],
    ['SK', [/^record_household#(.+)$/su, [['household', 'text']]]],
  ],
  computed: [
    ['GSISK', [/^(-?\d+)$/su, [['postId', 'number']]]],
  ],
  stored: ['recordIds'],
  keyOnly: ['postId', 'household'],
};

export const settingsShape: Shape<entities.Settings> = {
  entity: 'Settings',
  base: [
    ['PK', [/^settings$/su, []]],
    ['SK', [/^settings$/su, []]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['name', 'text']]]],
  ],
  stored: ['name', 'version'],
  keyOnly: [],
  openBut: ['PK', 'SK', 'GSISK'],
};

export const sequenceShape: Shape<entities.Sequence> = {
  entity: 'Sequence',
  base: [
    ['PK', [/^sequence$/su, []]],
    ['SK', [/^sequence$/su, []]],
  ],
  computed: [
  ],
  stored: ['category', 'collection', 'place', 'post', 'record'],
  keyOnly: [],
};

export const userShape: Shape<entities.User> = {
  entity: 'User',
  base: [
    ['PK', [/^([0-7][0-9A-HJKMNP-TV-Z]{25})$/su, [['id', 'text']]]],
    ['SK', [/^user$/su, []]],
  ],
  computed: [
    ['GSISK', [/^([A-Za-z0-9._~%\-]+)([A-Za-z0-9._~%\-]+)$/su, [['issuer', 'url'], ['subject', 'url']]]],
  ],
  stored: ['id', 'issuer', 'subject', 'name', 'role', 'version'],
  keyOnly: [],
};

export const userByIdentityShape: Shape<Item> = {
  entity: 'lookup',
  base: [
    ['PK', [/^userIdentity#([A-Za-z0-9._~%\-]+)#([A-Za-z0-9._~%\-]+)$/su, [['issuer', 'url'], ['subject', 'url']]]],
    ['SK', [/^userIdentity$/su, []]],
  ],
  computed: [
  ],
  stored: ['id'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  collectionCategoryShape,
  recordHouseholdShape,
  placeSettingsShape,
  recordShape,
  collectionShape,
  placeWordShape,
  settingsShape,
  sequenceShape,
  categoryShape,
  placeShape,
  postShape,
  userShape,
];

/** Every lookup. */
export const lookups: readonly Shape<unknown>[] = [
  userByIdentityShape,
];

/** The keys of the table. */
export const tableKeys: readonly string[] = ['PK', 'SK'];

/** The attribute that marks an item as being deleted, and its value. */
export const deletionMark = { attribute: 'kf_delete', value: 'deleting' };

/** How many items a request reads for the results that a page lacks, where some items are not results. */
export const readAhead = { factor: 4, least: 50, most: 1000 };
