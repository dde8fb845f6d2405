import type { WrappedKey } from '../../../services/core/log/key-wrapping.ts';
import { partitionName } from '../../../services/core/log/positions.ts';
import type { LogRecord, NewRecord } from '../../../services/core/ports.ts';

/** A key as it is stored in the topic `keys`. */
export interface LoggedKey extends WrappedKey {
  /** Id of the partition's key that wraps it; '' for a partition's own key, which is wrapped by the installation's key. */
  under: string;
}

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

/** The record's key, or undefined for a tombstone. Throws when unreadable: skipping a key would lose the data it seals. */
export const keyOf = ({ topic, partition, offset, value }: LogRecord): LoggedKey | undefined => {
  if (value.length === 0) return undefined;
  try {
    return decodeKey(Buffer.from(value).toString());
  } catch {
    throw new Error(`${partitionName({ topic, partition })} has no sealing key at offset ${offset}`);
  }
};
