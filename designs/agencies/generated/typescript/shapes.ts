// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const agencyShape: Shape<entities.Agency> = {
  entity: 'Agency',
  base: [
    ['PK', [/^AGENCY#(.+)$/su, [['agencyId', 'text']]]],
    ['SK', [/^AGENCY#(.+)$/su, [['agencyId', 'text']]]],
  ],
  computed: [
  ],
  stored: ['agencyId', 'name', 'status', 'created', 'createdBy', 'modified', 'modifiedBy', 'version'],
  keyOnly: [],
};

export const memberShape: Shape<entities.Member> = {
  entity: 'Member',
  base: [
    ['PK', [/^AGENCY#(.+)$/su, [['agencyId', 'text']]]],
    ['SK', [/^MEMBER#(.+)$/su, [['idpid', 'text']]]],
  ],
  computed: [
  ],
  stored: ['agencyId', 'idpid', 'role', 'created', 'createdBy', 'modified', 'modifiedBy', 'version'],
  keyOnly: [],
};

/** Every entity, in the order in which items are matched against them. */
export const shapes: readonly Shape<unknown>[] = [
  agencyShape,
  memberShape,
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
