// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Tenant {
  tenantId: string;
  name: string;
}

export interface Note {
  tenantId: string;
  noteId: string;
  title: string;
  value: number;
  weight?: number;
  day: string;
  hour: string;
  expiresAt?: number;
}

export interface Tick {
  tenantId: string;
  round: number;
  at: string;
  epoch: number;
  heardAt?: string;
  createdAt?: string;
}
