import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The first byte of a body: how the JSON behind it is stored. */
const PLAIN = 0;
const ZSTD = 1;
/** Below this, the 40 µs that zstd takes to begin cost more than it saves. */
const WORTHWHILE = 1_024;
/**
 * A body is compressed to an eighth at most; what would become smaller stays plain. So what a reader makes of a page of the
 * log is bounded by the page's bytes, whatever is written.
 */
export const MOST_GROWTH = 8;

/** The bytes of a frame's body, which are then sealed. */
export const packBody = (body: object): Buffer => {
  const json = JSON.stringify(body);
  const plain = Buffer.allocUnsafe(1 + Buffer.byteLength(json));
  plain[0] = PLAIN;
  plain.write(json, 1);
  const bytes = plain.length - 1;
  if (bytes < WORTHWHILE) return plain;
  const small = zstdCompressSync(plain.subarray(1));
  const isWorthwhile = small.length < bytes && small.length * MOST_GROWTH >= bytes;
  return isWorthwhile ? Buffer.concat([Buffer.of(ZSTD), small]) : plain;
};

/** Throws when the bytes are no body. */
export const unpackBody = (bytes: Buffer): unknown => {
  const rest = bytes.subarray(1);
  if (bytes[0] === PLAIN) return JSON.parse(rest.toString());
  if (bytes[0] !== ZSTD) throw new SyntaxError('a body of an unknown form');
  return JSON.parse(zstdDecompressSync(rest, { maxOutputLength: MOST_GROWTH * rest.length }).toString());
};
