import { createHash } from 'node:crypto';
import type { WrappedKey } from '../../../core/log/keys/key-wrapping.ts';
import { partitionName } from '../../../core/log/positions.ts';
import type { LogRecord, NewRecord } from '../../../core/ports.ts';

/** A key as the topic `keys` stores it. */
export interface LoggedKey extends WrappedKey {
  /**
   * The id of the partition's key that wraps it; '' for a partition's own key, which the installation's key
   * wraps.
   */
  under: string;
}

/**
 * Returns a digest that replaces an owner's readable name: in Redis's key names and the index's search
 * fields.
 */
export const tagOf = (owner: string): string => digest(owner);
/** Returns a digest of an owner's session; '' for the owner's own key, as `session` itself. */
export const sessionTagOf = (owner: string, session: string): string =>
  session === '' ? '' : digest(`${owner}\n${session}`);

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

export const encodeKey = ({ keyId, owner, session, under, wrapped }: LoggedKey): string =>
  JSON.stringify({ keyId, owner, session, under, wrapped: Buffer.from(wrapped).toString('base64') });

export const decodeKey = (text: string): LoggedKey => {
  const { keyId, owner, session, under, wrapped } = JSON.parse(text) as Record<keyof LoggedKey, unknown>;
  if ([keyId, owner, session, under, wrapped].some(each => typeof each !== 'string')) {
    throw new Error('not a sealing key');
  }
  return {
    keyId: keyId as string,
    owner: owner as string,
    session: session as string,
    under: under as string,
    wrapped: Buffer.from(wrapped as string, 'base64'),
  };
};

/**
 * Makes a key's record. All keys of a user partition share a partition of the topic; each has its own name,
 * so none replaces another.
 */
export const keyRecord = (key: LoggedKey): NewRecord => ({
  topic: 'keys',
  key: key.owner,
  name: key.keyId,
  value: Buffer.from(encodeKey(key)),
});

/** Makes the record that destroys the key permanently: ids are never reused. */
export const tombstone = (owner: string, keyId: string): NewRecord => ({
  topic: 'keys',
  key: owner,
  name: keyId,
  value: new Uint8Array(),
});

/** The content of a record about a key. */
export interface KeyRecord {
  keyId: string;
  partition: number;
  offset: number;
  /** Undefined if the key is destroyed. */
  key: LoggedKey | undefined;
}

/** Parses a record; undefined for a record without a name, which is about no key. Throws `UnreadableKey`. */
export const keyRecordOf = (record: LogRecord): KeyRecord | undefined => {
  const key = keyOf(record);
  const keyId = key?.keyId ?? record.name;
  if (keyId === undefined) return undefined;
  return { keyId, partition: record.partition, offset: record.offset, key };
};

/**
 * Reports an unreadable record of the topic. It is never skipped, since all data sealed by its key would be
 * lost with it.
 */
class UnreadableKey extends Error {
  constructor({ topic, partition, offset }: Pick<LogRecord, 'topic' | 'partition' | 'offset'>) {
    super(`${partitionName({ topic, partition })} has no sealing key at offset ${offset}`);
    this.name = 'UnreadableKey';
  }
}

/** Parses the record's key; undefined for a tombstone. */
const keyOf = (record: LogRecord): LoggedKey | undefined => {
  if (record.value.length === 0) return undefined;
  try {
    return decodeKey(Buffer.from(record.value).toString());
  } catch {
    throw new UnreadableKey(record);
  }
};
