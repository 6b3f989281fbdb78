// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Item, Shape } from './support.js';

export const categoryShape: Shape<entities.Category> = {
  entity: 'Category',
  base: [
    ['PK', [/^(.+)$/su, [['id', 'text']]]],
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
    ['PK', [/^(.+)$/su, [['id', 'text']]]],
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
    ['PK', [/^(.+)$/su, [['collectionId', 'text']]]],
    ['SK', [/^collection_category#(.+)$/su, [['categoryId', 'text']]]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['collectionId', 'text']]]],
  ],
  stored: ['collectionId', 'categoryId'],
  keyOnly: [],
};

export const placeShape: Shape<entities.Place> = {
  entity: 'Place',
  base: [
    ['PK', [/^(.+)$/su, [['id', 'text']]]],
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
    ['PK', [/^(.+)$/su, [['id', 'text']]]],
    ['SK', [/^post$/su, []]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['collectionId', 'text']]]],
  ],
  stored: ['id', 'collectionId', 'name', 'recordCount', 'version'],
  keyOnly: [],
};

export const recordShape: Shape<entities.Record> = {
  entity: 'Record',
  base: [
    ['PK', [/^(.+)$/su, [['id', 'text']]]],
    ['SK', [/^record_post#(.+)$/su, [['postId', 'text']]]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['id', 'text']]]],
  ],
  stored: ['id', 'postId', 'household', 'data', 'version'],
  keyOnly: [],
};

export const recordHouseholdShape: Shape<entities.RecordHousehold> = {
  entity: 'RecordHousehold',
  base: [
    ['PK', [/^(.+)$/su, [['postId', 'text']]]],
    ['SK', [/^record_household#(.+)$/su, [['household', 'text']]]],
  ],
  computed: [
    ['GSISK', [/^(.+)$/su, [['postId', 'text']]]],
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
    ['PK', [/^(.+)$/su, [['id', 'text']]]],
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
