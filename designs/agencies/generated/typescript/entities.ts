// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Agency {
  agencyId: string;
  name: string;
  status: 'active' | 'inactive';
  created?: string;
  createdBy?: string;
  modified?: string;
  modifiedBy?: string;
  version?: number;
}

export interface Member {
  agencyId: string;
  idpid: string;
  role?: 'admin' | 'member';
  created?: string;
  createdBy?: string;
  modified?: string;
  modifiedBy?: string;
  version?: number;
}
