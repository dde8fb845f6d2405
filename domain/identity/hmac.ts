import { hash, type KeyObject } from 'node:crypto';

/** The block of SHA-256, in bytes. */
const BLOCK = 64;
const DIGEST = 32;

interface Pads {
  inner: Buffer;
  /** The outer pad, and behind it room for the inner hash. */
  outer: Buffer;
}

/** By key, for as long as the key lives. */
const known = new WeakMap<KeyObject, Pads>();

const padsOf = (key: KeyObject): Pads => {
  const found = known.get(key);
  if (found) return found;
  const bytes = key.export();
  const short = bytes.length > BLOCK ? hash('sha256', bytes, 'buffer') : bytes;
  const pads = { inner: Buffer.alloc(BLOCK, 0x36), outer: Buffer.alloc(BLOCK + DIGEST, 0x5c) };
  short.forEach((byte, i) => {
    pads.inner[i]! ^= byte;
    pads.outer[i]! ^= byte;
  });
  known.set(key, pads);
  return pads;
};

/** UTF-8 takes up to three bytes per UTF-16 unit: enough for most turns. */
const scratch = Buffer.allocUnsafe(BLOCK + 3 * 1_024);

/**
 * Returns the HMAC-SHA-256 of a text in UTF-8, in hexadecimal, as RFC 2104 defines it by two hashes.
 * `createHmac` makes a context and three objects a call, which takes longer than hashing a turn, and a
 * digest as a buffer longer than one as a string.
 */
export const hmacOf = (key: KeyObject, text: string): string => {
  const { inner, outer } = padsOf(key);
  const most = BLOCK + 3 * text.length;
  const message = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  inner.copy(message);
  const length = BLOCK + message.write(text, BLOCK);
  outer.write(hash('sha256', message.subarray(0, length)), BLOCK, 'hex');
  return hash('sha256', outer);
};
