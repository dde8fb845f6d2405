import type { KeyObject } from 'node:crypto';

export interface SessionKey {
  /** Names the key in the envelope; reveals nothing of its scope. */
  keyId: string;
  /** AES-256-GCM key that seals the session's events. */
  sealing: KeyObject;
  /** HMAC-SHA-256 key of the session, under which ids are derived: turns sent again after an erasure get other ids. */
  identity: KeyObject;
}

export interface KeyStore {
  /** The scope's keys, made on first use; durable when it resolves. */
  forSession(org: string, user: string, session: string): Promise<SessionKey>;
  /** The sealing key of an envelope; undefined once it was destroyed. */
  byId(keyId: string): Promise<KeyObject | undefined>;
  /** Ids of the keys of a session, or of a whole user partition: its own and all sessions'. */
  idsOf(org: string, user: string, session?: string): Promise<string[]>;
  /**
   * Destroys the keys of a session, or of a whole user partition. Resolves with their ids once no process uses one of
   * them for new events.
   */
  destroy(org: string, user: string, session?: string): Promise<string[]>;
  /** Destroys keys by their ids; ignores those that are destroyed already. */
  destroyKeys(keyIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
