// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Option: `OPTION#<type>`. */
export function pkOption(values: Pick<entities.Option, 'type'>): string {
  return `OPTION#${support.part('type', values.type)}`;
}

/** SK of Option: `METADATA`. */
export function skOption(): string {
  return 'METADATA';
}

/** Option in GSI1. */
export function gsi1Option(values: Pick<entities.Option, 'fooBar' | 'foo_bar' | 'kind'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: `KIND#${support.part('kind', values.kind)}`, GSI1SK: `${support.part('fooBar', values.fooBar, [], '#')}#${support.part('foo_bar', values.foo_bar)}` };
}

/** PK of Result: `OPTION#<type>`. */
export function pkResult(values: Pick<entities.Result, 'type'>): string {
  return `OPTION#${support.part('type', values.type)}`;
}

/** SK of Result: `RESULT#<options:width(6)>`. */
export function skResult(values: Pick<entities.Result, 'options'>): string {
  return `RESULT#${support.part('options', values.options, [support.width(6)])}`;
}

/** PK of Promise: `PROMISE`. */
export function pkPromise(): string {
  return 'PROMISE';
}

/** SK of Promise: `PROMISE`. */
export function skPromise(): string {
  return 'PROMISE';
}

/** PK of NewOption: `NEW#<crate>`. */
export function pkNewOption(values: Pick<entities.NewOption, 'crate'>): string {
  return `NEW#${support.part('crate', values.crate)}`;
}

/** SK of NewOption: `METADATA#<theLongestNameInAllOfThisDesign>`. */
export function skNewOption(values: Pick<entities.NewOption, 'theLongestNameInAllOfThisDesign'>): string {
  return `METADATA#${support.part('theLongestNameInAllOfThisDesign', values.theLongestNameInAllOfThisDesign)}`;
}
