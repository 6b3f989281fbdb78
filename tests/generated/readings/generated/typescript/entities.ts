// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Sensor {
  sensorId: string;
}

export interface Reading {
  sensorId: string;
  readingId: string;
  value: number;
  unit: 'celsius' | 'pascal';
  digest?: Uint8Array;
  remark?: unknown;
  measuredAt?: string;
}

export interface Beat {
  station: string;
  round: number;
  at: string;
  second: number;
  heardAt?: string;
  seenAt?: string;
}
