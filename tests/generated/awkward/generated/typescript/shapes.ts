// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const optionShape: Shape<entities.Option> = {
  entity: 'Option',
  base: [
    ['PK', [/^OPTION#(.+)$/su, [['type', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
    ['GSI1PK', [/^KIND#(fn|Self|self|2nd)$/su, [['kind', 'text']]]],
    ['GSI1SK', [/^([^#]+)#(.+)$/su, [['fooBar', 'text'], ['foo_bar', 'text']]]],
  ],
  stored: ['type', 'self', 'fooBar', 'foo_bar', 'kind', 'other', 'default'],
  keyOnly: [],
};

export const resultShape: Shape<entities.Result> = {
  entity: 'Result',
  base: [
    ['PK', [/^OPTION#(.+)$/su, [['type', 'text']]]],
    ['SK', [/^RESULT#(\d{6})$/su, [['options', 'number']]]],
  ],
  computed: [
  ],
  stored: ['type', 'options', 'item', 'other', 'kind'],
  keyOnly: [],
  openBut: ['PK', 'SK'],
};

export const promiseShape: Shape<entities.Promise> = {
  entity: 'Promise',
  base: [
    ['PK', [/^PROMISE$/su, []]],
    ['SK', [/^PROMISE$/su, []]],
  ],
  computed: [
  ],
  stored: ['await', 'letter'],
  keyOnly: [],
};

export const newOptionShape: Shape<entities.NewOption> = {
  entity: 'NewOption',
  base: [
    ['PK', [/^NEW#(.+)$/su, [['crate', 'text']]]],
    ['SK', [/^METADATA#(.+)$/su, [['theLongestNameInAllOfThisDesign', 'text']]]],
  ],
  computed: [
  ],
  stored: ['crate', 'theLongestNameInAllOfThisDesign'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  newOptionShape,
  optionShape,
  resultShape,
  promiseShape,
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
