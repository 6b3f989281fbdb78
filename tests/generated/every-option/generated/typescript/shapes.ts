// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const tenantShape: Shape<entities.Tenant> = {
  entity: 'Tenant',
  base: [
    ['PK', [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
  ],
  stored: ['tenantId', 'name'],
  keyOnly: [],
};

export const noteShape: Shape<entities.Note> = {
  entity: 'Note',
  base: [
    ['PK', [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['SK', [/^NOTE#([0-7][0-9A-HJKMNP-TV-Z]{25})$/su, [['noteId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['tenantId', 'noteId', 'title', 'value', 'weight', 'day', 'hour', 'expiresAt'],
  keyOnly: [],
};

export const tickShape: Shape<entities.Tick> = {
  entity: 'Tick',
  base: [
    ['PK', [/^TENANT#(.+)$/su, [['tenantId', 'text']]]],
    ['SK', [/^TICK#(\d{6})#(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})$/su, [['round', 'descending'], ['at', 'text']]]],
  ],
  computed: [
  ],
  stored: ['tenantId', 'round', 'at', 'epoch', 'heardAt', 'createdAt'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  tenantShape,
  tickShape,
  noteShape,
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
