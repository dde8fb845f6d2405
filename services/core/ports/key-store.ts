import type { KeyObject } from 'node:crypto';
import type { RewrapProgress } from '../log/installation-keys.ts';

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
  /** Ids of the keys of a session, or of a whole user partition: its own key and those of all its sessions. */
  idsOf(org: string, user: string, session?: string): Promise<string[]>;
  /**
   * Destroys the keys of a session, or of a whole user partition. Resolves with their ids once no process uses any of
   * them for new events.
   */
  destroy(org: string, user: string, session?: string): Promise<string[]>;
  /** Destroys keys by their ids; ignores keys that are already destroyed. */
  destroyKeys(keyIds: readonly string[]): Promise<void>;
  /**
   * Wraps every user's key that another key of the installation has wrapped by the first one, while others use them. What an
   * interrupted call has wrapped stays so, and the next call continues. `dryRun`: only counts them.
   */
  rewrap(options: { dryRun: boolean }, signal: AbortSignal): AsyncIterable<RewrapProgress>;
  close(): Promise<void>;
}
