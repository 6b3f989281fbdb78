// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.

/** An entry of the catalogue. */
export interface Site {
  site: string;
  url: string;
  title: string;
  description?: string;
  scrapedContent?: string;
  tags: Array<string>;
  ratingCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** A tag of a site. */
export interface SiteTag {
  site: string;
  tag: string;
}

/** The stars that a user gives to a site, with a note. */
export interface Rating {
  user: string;
  site: string;
  stars: number;
  note?: string;
  starRating: number;
  updatedAt?: string;
}

/** What a user says about a site. */
export interface Comment {
  user: string;
  site: string;
  commentId: string;
  body: string;
  createdAt?: string;
  updatedAt?: string;
}

/** A comment as its site has it. */
export interface SiteComment {
  user: string;
  body: string;
  createdAt: string;
  updatedAt: string;
  site: string;
  commentId: string;
}

/** A custom group; its permissions are those of its members. */
export interface Group {
  name: string;
  description?: string;
  permissions: Array<string>;
  memberCount: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** A user in a custom group. */
export interface GroupMembership {
  userId: string;
  groupName: string;
  addedAt?: string;
  addedBy?: string;
}

/** What a user shows of themselves, and their last login. */
export interface Profile {
  userId: string;
  avatarKey?: string;
  description?: string;
  lastLoginAt?: string;
  lastLoginIp?: string;
  updatedAt?: string;
}

/** Someone who plays squash, with or without an account here. */
export interface Player {
  playerId: string;
  name: string;
  email?: string;
  userId?: string;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** A match of two teams of two. */
export interface Match {
  matchId: string;
  date: string;
  squashDate: string;
  teamAPlayer1Id: string;
  teamAPlayer2Id: string;
  teamBPlayer1Id: string;
  teamBPlayer2Id: string;
  winningTeam: 'A' | 'B';
  teamAGames: number;
  teamBGames: number;
  createdAt?: string;
  updatedAt?: string;
  version?: number;
}

/** A player in a match. */
export interface Participation {
  matchId: string;
  squashDate: string;
  playerId: string;
}
