// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const sensorShape: Shape<entities.Sensor> = {
  entity: 'Sensor',
  base: [
    ['PK', [/^SENSOR#(.+)$/su, [['sensorId', 'text']]]],
    ['SK', [/^METADATA$/su, []]],
  ],
  computed: [
  ],
  stored: ['sensorId'],
  keyOnly: [],
};

export const readingShape: Shape<entities.Reading> = {
  entity: 'Reading',
  base: [
    ['PK', [/^SENSOR#(.+)$/su, [['sensorId', 'text']]]],
    ['SK', [/^VALUE#(-?[0-9.E+\-]+)#(.+)$/su, [['value', 'number'], ['readingId', 'text']]]],
  ],
  computed: [
    ['GSI1PK', [/^UNIT#(celsius|pascal)#(\d{1})$/su, [['unit', 'text'], ['readingId', 'none']]]],
    ['GSI1SK', [/^(-?[0-9.E+\-]+)$/su, [['value', 'number']]]],
    ['GSI2SK', [/^(.+)$/su, [['readingId', 'text']]]],
  ],
  stored: ['sensorId', 'readingId', 'value', 'unit', 'digest', 'remark', 'measuredAt'],
  keyOnly: [],
};

export const beatShape: Shape<entities.Beat> = {
  entity: 'Beat',
  base: [
    ['PK', [/^BEAT#([^#]+)#(\d{4}-\d{2}-\d{2})$/su, [['station', 'text'], ['at', 'none']]]],
    ['SK', [/^ROUND#(\d{4})#(\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}z)$/su, [['round', 'descending'], ['at', 'text']]]],
  ],
  computed: [
    ['GSI1PK', [/^STATION#(.+)$/su, [['station', 'text']]]],
    ['GSI1SK', [/^(-?\d+)$/su, [['second', 'number']]]],
  ],
  stored: ['station', 'round', 'at', 'second', 'heardAt', 'seenAt'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  sensorShape,
  readingShape,
  beatShape,
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
