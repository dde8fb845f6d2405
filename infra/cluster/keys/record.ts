import { createHash } from 'node:crypto';
import type { WrappedKey } from '../../../core/log/keys/key-wrapping.ts';
import { partitionName } from '../../../core/log/positions.ts';
import type { LogRecord, NewRecord } from '../../../core/ports.ts';

/** A key as it is stored in the topic `keys`. */
export interface LoggedKey extends WrappedKey {
  /** Id of the partition's key that wraps it; '' for a partition's own key, which is wrapped by the installation's key. */
  under: string;
}

/** Stands for an owner where its name isn't to be read: in names of Redis, and in what the index finds keys by. */
export const tagOf = (owner: string): string => digest(owner);
/** Stands for a session of an owner; '' for the owner's own key, as `session` itself. */
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

/** All keys of a user partition are in one partition of the topic; each has its own name, so none replaces another. */
export const keyRecord = (key: LoggedKey): NewRecord => ({
  topic: 'keys',
  key: key.owner,
  name: key.keyId,
  value: Buffer.from(encodeKey(key)),
});

/** Destroys the key permanently: ids are never reused. */
export const tombstone = (owner: string, keyId: string): NewRecord => ({
  topic: 'keys',
  key: owner,
  name: keyId,
  value: new Uint8Array(),
});

/** What a record says of a key. */
export interface KeyRecord {
  keyId: string;
  partition: number;
  offset: number;
  /** Undefined: the key is destroyed. */
  key: LoggedKey | undefined;
}

/** Throws `UnreadableKey`. A record without a name says nothing of any key. */
export const keyRecordOf = (record: LogRecord): KeyRecord | undefined => {
  const key = keyOf(record);
  const keyId = key?.keyId ?? record.name;
  if (keyId === undefined) return undefined;
  return { keyId, partition: record.partition, offset: record.offset, key };
};

/** A record of the topic that can't be read: it is never passed over, since whatever its key seals would be lost with it. */
class UnreadableKey extends Error {
  constructor({ topic, partition, offset }: Pick<LogRecord, 'topic' | 'partition' | 'offset'>) {
    super(`${partitionName({ topic, partition })} has no sealing key at offset ${offset}`);
    this.name = 'UnreadableKey';
  }
}

/** The record's key, or undefined for a tombstone. */
const keyOf = (record: LogRecord): LoggedKey | undefined => {
  if (record.value.length === 0) return undefined;
  try {
    return decodeKey(Buffer.from(record.value).toString());
  } catch {
    throw new UnreadableKey(record);
  }
};
