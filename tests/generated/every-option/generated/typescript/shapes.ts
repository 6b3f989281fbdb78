// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import type { Shape } from './support.js';

export const tenantShape: Shape<entities.Tenant> = {
  entity: 'Tenant',
  base: [
    ['PK', /^TENANT#(.+)$/su, [['tenantId', 'text']]],
    ['SK', /^METADATA$/su, []],
  ],
  told: [
  ],
  stored: ['tenantId', 'name'],
  keyOnly: [],
};

export const noteShape: Shape<entities.Note> = {
  entity: 'Note',
  base: [
    ['PK', /^TENANT#(.+)$/su, [['tenantId', 'text']]],
    ['SK', /^NOTE#([0-7][0-9A-HJKMNP-TV-Z]{25})$/su, [['noteId', 'text']]],
  ],
  told: [
  ],
  stored: ['tenantId', 'noteId', 'title', 'value', 'weight', 'day', 'hour', 'expiresAt'],
  keyOnly: [],
};

/** Every entity, those with the most literal keys first. */
export const shapes: readonly Shape<unknown>[] = [
  tenantShape,
  noteShape,
];
