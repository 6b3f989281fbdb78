// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

export interface Category {
  id: string;
  name: string;
  collectionCount: number;
  version?: number;
}

export interface Collection {
  id: string;
  name: string;
  postCount: number;
  version?: number;
}

/** That a collection is in a category. The document calls it collection_category. */
export interface CollectionCategory {
  collectionId: string;
  categoryId: string;
}

export interface Place {
  id: string;
  fullName: string;
  latitude?: number;
  longitude?: number;
  version?: number;
}

export interface PlaceSettings {
  [name: string]: unknown;
  version?: number;
}

/** The places that have a word in their name, kept in step with the names. */
export interface PlaceWord {
  placeIds: Set<string>;
  word: string;
}

export interface Post {
  id: string;
  collectionId: string;
  name: string;
  recordCount: number;
  version?: number;
}

export interface Record {
  id: string;
  postId: string;
  household?: string;
  data?: { [name: string]: unknown };
  version?: number;
}

/** The records of one household of a post, kept in step with them. The document calls it record_household. */
export interface RecordHousehold {
  recordIds: Set<string>;
  postId: string;
  household: string;
}

export interface Settings {
  [name: string]: unknown;
  name: string;
  version?: number;
}

/** The last number drawn of each sequence. */
export interface Sequence {
  category?: number;
  collection?: number;
  place?: number;
  post?: number;
  record?: number;
}

export interface User {
  id: string;
  issuer: string;
  subject: string;
  name: string;
  role?: 'admin' | 'editor';
  version?: number;
}
