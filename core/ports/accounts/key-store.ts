import type { KeyObject } from 'node:crypto';
import type { RewrapProgress } from '../../log/keys/installation-keys.ts';

export interface SessionKey {
  /** Names the key in the envelope; reveals nothing of its scope. */
  keyId: string;
  /** AES-256-GCM key that seals the session's events. */
  sealing: KeyObject;
  /** HMAC-SHA-256 key of the session from which ids are derived: turns sent again after an erasure get other ids. */
  identity: KeyObject;
}

export interface KeyStore {
  /** The scope's keys, created on first use and durable when the promise resolves. */
  forSession(org: string, user: string, session: string): Promise<SessionKey>;
  /** The sealing key of an envelope; undefined once it is destroyed. */
  byId(keyId: string): Promise<KeyObject | undefined>;
  /**
   * Ids of all living keys of a session or, without one, of the user's own, which wrap those of all sessions. Usually one; a session
   * whose key was replaced has the former ones, too.
   */
  idsOf(org: string, user: string, session?: string): Promise<string[]>;
  /**
   * Destroys a session's keys or, without one, the user's own, and with it all that it wraps: from then on these are found by
   * nothing and open nothing, however many they are. Resolves with the ids of the former once no process uses any of these
   * keys for new events.
   */
  destroy(org: string, user: string, session?: string): Promise<string[]>;
  /**
   * Gives a session that has a key a new one for what is sealed from now on; ids are derived as before. Resolves with the ids of the
   * former keys, which still open what they have sealed, once no process takes them up for new events: a call that had one before may
   * still append what it seals. Without a key: with none.
   */
  replace(org: string, user: string, session: string): Promise<string[]>;
  /**
   * Destroys keys by their ids, and what they wrap; ignores keys that are already destroyed. `former`: they were replaced long ago, and
   * nobody seals with them. Then, if they are destroyed already, other processes may open with them what they had opened for a minute more.
   */
  destroyKeys(keyIds: readonly string[], are?: 'former'): Promise<void>;
  /**
   * Removes what destroyed users' keys have left behind: the keys of sessions that they wrapped, which nothing can open any
   * more, and with them the names of these sessions. In steps that others' calls don't wait for long for; what an interrupted
   * call has left is removed by the next one, of any process. Resolves with how many it removed once nothing is left.
   */
  sweep(signal: AbortSignal): Promise<number>;
  /**
   * Wraps every user's key that another key of the installation has wrapped by the first one, while others use them. What an
   * interrupted call has wrapped stays so, and the next call continues. `dryRun`: only counts them.
   */
  rewrap(options: { dryRun: boolean }, signal: AbortSignal): AsyncIterable<RewrapProgress>;
  close(): Promise<void>;
}
