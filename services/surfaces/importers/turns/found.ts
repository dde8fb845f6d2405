import type { Location, Turn } from './item.ts';

/** A conversation, channel or chat, which becomes one session. */
export interface Conversation {
  /** The session's id, the same in every export of this conversation. */
  session: string;
  /** The title shown to people. */
  title: string;
  /** The user that it belongs to, where the export says so; undefined: the one that the import is for. */
  user?: string | undefined;
  /** The conversation that this one is a part of, whose parts are mixed in the file: a thread's channel. */
  within?: { session: string; title: string };
}

/** A message of an export. */
export interface Said {
  location: Location;
  conversation: Conversation;
  role: string;
  text: string;
  /** Unix milliseconds. */
  at: number;
  /** Known of this message, in the form of the contract. */
  observations?: unknown[] | undefined;
}

/** Something that is not a turn, and the reason, which is the same for all items of a kind. */
export interface LeftOut {
  leftOut: string;
  count: number;
}

export interface Faulty {
  location: Location;
  faults: string[];
}

/** A change that was made to meet the service's rules. */
export type Change = 'renamed' | 'split';

/** A turn as it will be sent. */
export interface FoundTurn {
  location: Location;
  turn: Turn;
  user?: string;
  session?: string;
  /** The title of the conversation; undefined if the file names none. */
  title?: string;
  /** The conversation that this one is a part of. Turns of all others are adjacent. */
  within?: Conversation['within'];
  /** Reported once per message, on its first turn. */
  changes?: Change[];
}

export type Found = FoundTurn | LeftOut | Faulty;

export const leftOut = (reason: string, count = 1): LeftOut => ({ leftOut: reason, count });

/**
 * An error for a file that has the wrong format or is damaged, so that none of it can be trusted. The message
 * names the location, never content.
 */
export type ImportFault = Error & { name: 'ImportFault' };

export const importFault = (message: string, cause?: unknown): ImportFault =>
  Object.assign(new Error(message, { cause }), { name: 'ImportFault' as const });

export const isImportFault = (error: unknown): error is ImportFault =>
  error instanceof Error && error.name === 'ImportFault';
