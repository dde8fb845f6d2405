import type { KeyObject } from 'node:crypto';
import type { RewrapProgress } from '../../log/keys/installation-keys.ts';

export interface SessionKey {
  /** Names the key in the envelope; reveals nothing of its scope. */
  keyId: string;
  /** Names the user's own key, which wraps those of all sessions: as random. */
  userKeyId?: string | undefined;
  /** AES-256-GCM key that seals the session's events. */
  sealing: KeyObject;
  /**
   * HMAC-SHA-256 key from which the session's ids are derived: turns sent again after an erasure get other
   * ids.
   */
  identity: KeyObject;
}

/** The sessions of a user, by their keys: whatever is said in a session is sealed with one of its keys. */
export interface KeyedSessions {
  /**
   * Yield the names, page by page, of all sessions that had a living key when the call began. Also of some
   * whose key is destroyed.
   */
  names(): AsyncIterable<readonly string[]>;
  /**
   * Yield the names of those that got a key since then, whatever has become of it. Others may be among them.
   */
  since(): AsyncIterable<readonly string[]>;
}

export interface KeyStore {
  /** Return the scope's keys. Create them on first use and make them durable before the promise resolves. */
  forSession(org: string, user: string, session: string): Promise<SessionKey>;
  /** Return whether the scope has keys, without making any. */
  has(org: string, user: string, session: string): Promise<boolean>;
  /** Return the sealing key of an envelope; undefined once it is destroyed. */
  byId(keyId: string): Promise<KeyObject | undefined>;
  /**
   * Return the ids of all living keys of a session or, without a session, of the user's own keys, which wrap
   * those of all sessions. Usually one; a session whose key was replaced also has the replaced ones.
   */
  idsOf(org: string, user: string, session?: string): Promise<string[]>;
  /** Find the sessions that have keys under a user's own. */
  sessionsOf(org: string, user: string): Promise<KeyedSessions>;
  /**
   * Yield, page by page, the users of an organization who have a key when the call begins. Others may have
   * one by the end of it.
   */
  usersOf(org: string): AsyncIterable<readonly string[]>;
  /**
   * Destroy a session's keys or, without a session, the user's own, and with them all keys that they wrap:
   * from then on none of these can be found or open anything. Resolve with the ids of the destroyed session's
   * or user's keys once no process uses any of them for new events.
   */
  destroy(org: string, user: string, session?: string): Promise<string[]>;
  /**
   * Give a session that has a key a new one for later events; ids are derived as before. Resolve with the ids
   * of the replaced keys, which still open what they sealed, once no process starts to use them for new
   * events: a call that already holds one may still append what it seals. Resolve with none when the session
   * has no key.
   */
  replace(org: string, user: string, session: string): Promise<string[]>;
  /**
   * Destroy keys by their ids, and the keys that they wrap; ignore keys that are already destroyed. `former`:
   * the keys were replaced long ago, and nobody seals with them. If such keys are already destroyed, other
   * processes may use their cached copies for another minute.
   */
  destroyKeys(keyIds: readonly string[], are?: 'former'): Promise<void>;
  /**
   * Remove what destroyed users' keys leave behind: their wrapped session keys, which nothing can open any
   * more, and with them the names of these sessions. Work in small steps that don't delay other calls for
   * long, and continue where an interrupted call, of any process, ended. Resolve with the number of removed
   * keys once nothing is left.
   */
  sweep(signal: AbortSignal): Promise<number>;
  /**
   * Wrap with the installation's first key every user's key that another one has wrapped, while others use
   * them. Keep the progress of an interrupted call; the next call continues. `dryRun`: only count the keys.
   */
  rewrap(options: { dryRun: boolean }, signal: AbortSignal): AsyncIterable<RewrapProgress>;
  close(): Promise<void>;
}
