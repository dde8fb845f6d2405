/**
 * Cursors of lists and positions of the feed hold places in the log, which all organizations share. A caller
 * who read them would know how much everybody writes. So they leave sealed.
 *
 * A synthetic initialization vector (as in RFC 5297): the same cursor is sealed to the same text, and nothing
 * wears out however many events a thousand streams are sent. Keys: by HKDF (RFC 5869) from the one of the
 * installation.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { InstallationKeys } from './log/keys/installation-keys.ts';

/** Bytes of the vector, which also proves that the service has made the cursor. */
const VECTOR = 16;
/** Longer than any cursor that the service makes. */
const MOST_LENGTH = 96 * 1_024;

export interface CursorSeal {
  /** Returns base64url of the sealed cursor, 22 characters more than `cursor`, which is base64url too. */
  seal(cursor: string, org: string): string;
  /** Inverse of `seal`; undefined for what was not sealed here for this organization. */
  open(sealed: string, org: string): string | undefined;
}

interface Keys {
  vector: Buffer;
  text: Buffer;
}

const derived = (installation: KeyObject, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', installation, '', `turnstone cursors: ${use}`, 32));

const vectorOf = ({ vector }: Keys, org: string, plain: Buffer): Buffer =>
  // The organization's length first: no end of it can be taken for the beginning of a cursor.
  createHmac('sha256', vector).update(`${org.length} ${org}`).update(plain).digest().subarray(0, VECTOR);

/** Seals with the installation's first key; opens what any of its keys has sealed. */
export const makeCursorSeal = (installation: Pick<InstallationKeys, 'read'>): CursorSeal => {
  const known = new WeakMap<KeyObject, Keys>();
  const keysOf = (key: KeyObject): Keys => {
    const keys = known.get(key) ?? { vector: derived(key, 'vector'), text: derived(key, 'text') };
    known.set(key, keys);
    return keys;
  };

  const openedWith = (keys: Keys, sealed: Buffer, org: string): Buffer | undefined => {
    const vector = sealed.subarray(0, VECTOR);
    const plain = createDecipheriv('aes-256-ctr', keys.text, vector).update(sealed.subarray(VECTOR));
    return timingSafeEqual(vectorOf(keys, org, plain), vector) ? plain : undefined;
  };

  return {
    seal: (cursor, org) => {
      const keys = keysOf(installation.read()[0]!);
      const plain = Buffer.from(cursor, 'base64url');
      const vector = vectorOf(keys, org, plain);
      const text = createCipheriv('aes-256-ctr', keys.text, vector).update(plain);
      return Buffer.concat([vector, text]).toString('base64url');
    },
    open: (text, org) => {
      if (text.length > MOST_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
      const sealed = Buffer.from(text, 'base64url');
      if (sealed.length < VECTOR) return undefined;
      for (const key of installation.read()) {
        const plain = openedWith(keysOf(key), sealed, org);
        if (plain) return plain.toString('base64url');
      }
      return undefined;
    },
  };
};
