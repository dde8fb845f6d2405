import type { Place, Turn } from './item.ts';

/** What one session is to be: a conversation, a channel, a chat. */
export interface Conversation {
  /** Id of the session, the same in every export of this conversation. */
  session: string;
  /** Its name for people. */
  title: string;
}

/** A message as an export has it. */
export interface Said {
  place: Place;
  conversation: Conversation;
  role: string;
  text: string;
  /** Unix milliseconds. */
  at: number;
}

/** Something that is no turn, and why: the reason is the same sentence for all of its kind. */
export interface LeftOut {
  leftOut: string;
  count: number;
}

export interface Faulty {
  place: Place;
  faults: string[];
}

/** What had to be changed so that the service takes it. */
export type Change = 'renamed' | 'split';

/** A turn as it will be sent. */
export interface FoundTurn {
  place: Place;
  turn: Turn;
  user?: string;
  session?: string;
  /** Of the conversation, whose turns stand together; undefined where a file may mix its sessions. */
  title?: string;
  /** Each is told of once a message, by its first turn. */
  changes?: Change[];
}

export type Found = FoundTurn | LeftOut | Faulty;

export const leftOut = (reason: string, count = 1): LeftOut => ({ leftOut: reason, count });

/** The file is none of this format, or is damaged: nothing of it can be trusted. Its message names the place, never words. */
export type ImportFault = Error & { name: 'ImportFault' };

export const importFault = (message: string, cause?: unknown): ImportFault =>
  Object.assign(new Error(message, { cause }), { name: 'ImportFault' as const });

export const isImportFault = (error: unknown): error is ImportFault =>
  error instanceof Error && error.name === 'ImportFault';
