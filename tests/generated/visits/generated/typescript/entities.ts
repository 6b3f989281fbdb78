// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Person {
  personId: string;
  name: string;
}

export interface Visit {
  personId: string;
  visitId: string;
  day: string;
  at: string;
  mood?: '1st-rate' | 'so-so' | '?';
  type: string;
  weight?: number;
}
