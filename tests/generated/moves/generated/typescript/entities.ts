// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Person {
  personId: string;
  org: string;
  team: string;
  name: string;
  email: string;
  city: string;
}

export interface Room {
  org: string;
  roomId: string;
  city: string;
}

export interface Desk {
  org: string;
  number: number;
  row: string;
  free: boolean;
  locked?: boolean;
}

export interface Locker {
  org: string;
  number: number;
  row: string;
  free: boolean;
  code?: string;
}

export interface Entrance {
  org: string;
  name: string;
}
