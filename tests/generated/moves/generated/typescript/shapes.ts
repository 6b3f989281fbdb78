// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Item, Shape } from './support.js';

export const personShape: Shape<entities.Person> = {
  entity: 'Person',
  base: [
    ['PK', [/^PERSON#(.+)$/su, [['personId', 'text']]]],
    ['SK', [/^PERSON#([^#]+)#(.+)$/su, [['team', 'text'], ['name', 'text']]]],
  ],
  computed: [
    ['GSI1PK', [/^TEAM#(.+)$/su, [['team', 'text']]]],
    ['GSI1SK', [/^([^#]+)#(.+)$/su, [['name', 'text'], ['personId', 'text']]]],
    ['GSI2PK', [/^CITY#(.+)$/su, [['city', 'text']]]],
    ['GSI2SK', [/^PERSON#(.+)$/su, [['personId', 'text']]]],
  ],
  stored: ['personId', 'org', 'team', 'name', 'email', 'city'],
  keyOnly: [],
};

export const personByEmailShape: Shape<Item> = {
  entity: 'lookup',
  base: [
    ['PK', [/^EMAIL#(.+)$/su, [['email', 'lower']]]],
    ['SK', [/^LOOKUP$/su, []]],
  ],
  computed: [
    ['GSI1PK', [/^EMAIL#(.+)$/su, [['email', 'lower']]]],
    ['GSI1SK', [/^PERSON#(.+)$/su, [['personId', 'text']]]],
  ],
  stored: ['personId'],
  keyOnly: [],
};

export const roomShape: Shape<entities.Room> = {
  entity: 'Room',
  base: [
    ['PK', [/^ORG#([^#]+)#ROOMS$/su, [['org', 'text']]]],
    ['SK', [/^ROOM#(.+)$/su, [['roomId', 'text']]]],
  ],
  computed: [
    ['GSI2PK', [/^CITY#(.+)$/su, [['city', 'text']]]],
    ['GSI2SK', [/^ROOM#(.+)$/su, [['roomId', 'text']]]],
  ],
  stored: ['org', 'roomId', 'city'],
  keyOnly: [],
};

export const deskShape: Shape<entities.Desk> = {
  entity: 'Desk',
  kind: ['type', 'Desk'],
  base: [
    ['PK', [/^ORG#([^#]+)#PLACES$/su, [['org', 'text']]]],
    ['SK', [/^(?!PLACE#0$)PLACE#(-?\d+)$/su, [['number', 'number']]]],
  ],
  computed: [
    ['GSI1PK', [/^ORG#([^#]+)#FREE$/su, [['org', 'text']]]],
    ['GSI1SK', [/^([^#]+|#)#(-?\d+)$/su, [['row', 'text'], ['number', 'number']]]],
  ],
  stored: ['org', 'number', 'row', 'free', 'locked'],
  keyOnly: [],
};

export const lockerShape: Shape<entities.Locker> = {
  entity: 'Locker',
  kind: ['type', 'Locker'],
  base: [
    ['PK', [/^ORG#([^#]+)#PLACES$/su, [['org', 'text']]]],
    ['SK', [/^(?!PLACE#0$)PLACE#(-?\d+)$/su, [['number', 'number']]]],
  ],
  computed: [
    ['GSI1PK', [/^ORG#([^#]+)#FREE$/su, [['org', 'text']]]],
    ['GSI1SK', [/^([^#]+|#)#(-?\d+)$/su, [['row', 'text'], ['number', 'number']]]],
  ],
  stored: ['org', 'number', 'row', 'free', 'code'],
  keyOnly: [],
};

export const lockerByCodeShape: Shape<Item> = {
  entity: 'lookup',
  base: [
    ['PK', [/^UNIQUE#Locker#code#([A-Za-z0-9._~%\-]+)$/su, [['code', 'url']]]],
    ['SK', [/^UNIQUE$/su, []]],
  ],
  computed: [
  ],
  stored: ['org', 'number'],
  keyOnly: [],
};

export const entranceShape: Shape<entities.Entrance> = {
  entity: 'Entrance',
  base: [
    ['PK', [/^ORG#([^#]+)#PLACES$/su, [['org', 'text']]]],
    ['SK', [/^(?!PLACE#(?:[1-9]|[1-9][0-9]|[1-9][0-9][0-9])$)(?!PLACE#(?:[1-9]|[1-9][0-9]|[1-9][0-9][0-9])$)PLACE#0$/su, []]],
  ],
  computed: [
  ],
  stored: ['org', 'name'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  personShape,
  entranceShape,
  deskShape,
  lockerShape,
  roomShape,
];

/** Every lookup. */
export const lookups: readonly Shape<unknown>[] = [
  personByEmailShape,
  lockerByCodeShape,
];

/** The keys of the table. */
export const tableKeys: readonly string[] = ['PK', 'SK'];

/** The attribute that marks an item as being deleted, and its value. */
export const deletionMark = { attribute: 'kf_delete', value: 'deleting' };

/** How many items a request reads for the results that a page lacks, where some items are not results. */
export const readAhead = { factor: 4, least: 50, most: 1000 };
