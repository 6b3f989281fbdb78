// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import { part, width } from './support.js';

/** PK of Option: `OPTION#<type>`. */
export function pkOption(values: Pick<entities.Option, 'type'>): string {
  return `OPTION#${part('type', values.type)}`;
}

/** SK of Option: `METADATA`. */
export function skOption(): string {
  return 'METADATA';
}

/** Option in GSI1. */
export function gsi1Option(values: Pick<entities.Option, 'fooBar' | 'foo_bar' | 'kind'>): { GSI1PK: string; GSI1SK: string } {
  return { GSI1PK: `KIND#${part('kind', values.kind)}`, GSI1SK: `${part('fooBar', values.fooBar, [], '#')}#${part('foo_bar', values.foo_bar)}` };
}

/** PK of Result: `OPTION#<type>`. */
export function pkResult(values: Pick<entities.Result, 'type'>): string {
  return `OPTION#${part('type', values.type)}`;
}

/** SK of Result: `RESULT#<options:width(6)>`. */
export function skResult(values: Pick<entities.Result, 'options'>): string {
  return `RESULT#${part('options', values.options, [width(6)])}`;
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
  return `NEW#${part('crate', values.crate)}`;
}

/** SK of NewOption: `METADATA#<theLongestNameInAllOfThisDesign>`. */
export function skNewOption(values: Pick<entities.NewOption, 'theLongestNameInAllOfThisDesign'>): string {
  return `METADATA#${part('theLongestNameInAllOfThisDesign', values.theLongestNameInAllOfThisDesign)}`;
}
