// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Option {
  type: string;
  self: string;
  fooBar: string;
  foo_bar: string;
  kind: 'fn' | 'Self' | 'self' | '2nd';
  other?: number;
  default: boolean;
}

export interface Result {
  [name: string]: unknown;
  type: string;
  options: number;
  item: Array<string>;
  other?: string;
  kind?: 'a' | 'b';
}

export interface Promise {
  await: string;
  letter: 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z';
}

export interface NewOption {
  crate: string;
  theLongestNameInAllOfThisDesign: string;
}
