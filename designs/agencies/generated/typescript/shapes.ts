// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const agencyShape: Shape<entities.Agency> = {
  entity: 'Agency',
  base: [
    ['PK', /^AGENCY#(.+)$/su, [['agencyId', 'text']]],
    ['SK', /^AGENCY#(.+)$/su, [['agencyId', 'text']]],
  ],
  told: [
  ],
  stored: ['agencyId', 'name', 'status', 'created', 'createdBy', 'modified', 'modifiedBy', 'version'],
  keyOnly: [],
};

export const memberShape: Shape<entities.Member> = {
  entity: 'Member',
  base: [
    ['PK', /^AGENCY#(.+)$/su, [['agencyId', 'text']]],
    ['SK', /^MEMBER#(.+)$/su, [['idpid', 'text']]],
  ],
  told: [
  ],
  stored: ['agencyId', 'idpid', 'created', 'createdBy', 'modified', 'modifiedBy', 'version'],
  keyOnly: [],
};

/** Every entity, those with the most literal keys first. */
export const shapes: readonly Shape<unknown>[] = [
  agencyShape,
  memberShape,
];
