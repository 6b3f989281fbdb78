// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const personShape: Shape<entities.Person> = {
  entity: 'Person',
  base: [
    ['PK', [/^PERSON#(.+)$/su, [['personId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
  ],
  stored: ['personId', 'name'],
  keyOnly: [],
};

export const visitShape: Shape<entities.Visit> = {
  entity: 'Visit',
  base: [
    ['PK', [/^PERSON#(.+)$/su, [['personId', 'text']]]],
    ['SK', [/^VISIT#(.+)$/su, [['visitId', 'text']]]],
  ],
  computed: [
    ['GSI1PK', [/^VISITS#(\d{4}-\d{2}-\d{2})#(\d{1})$/su, [['day', 'text'], ['visitId', 'none']]]],
    ['GSI1SK', [/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)#(.+)$/su, [['at', 'text'], ['visitId', 'text']]]],
  ],
  stored: ['personId', 'visitId', 'day', 'at', 'mood', 'type', 'weight'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  personShape,
  visitShape,
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
