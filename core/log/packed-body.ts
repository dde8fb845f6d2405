import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** First byte of a body: how the JSON after it is stored. */
const PLAIN = 0;
const ZSTD = 1;
/** Below this size, the 40 µs start-up of zstd costs more than compression saves. */
const WORTHWHILE = 1_024;
/**
 * A body never expands to more than eight times its stored bytes; a body that compresses better is padded. So
 * the memory that a reader needs for a page of the log is bounded by the page's bytes, whatever is written.
 */
export const MOST_GROWTH = 8;

/** Largest buffer that zlib allocates at a time while it compresses or decompresses. */
const MOST_CHUNK = 16 * 1024;
/** The smallest chunk that zlib accepts. */
const LEAST_CHUNK = 64;

/** Returns the bytes of a frame's body, ready to be sealed. */
export const packBody = (body: object): Buffer => {
  const json = JSON.stringify(body);
  const plain = Buffer.allocUnsafe(1 + Buffer.byteLength(json));
  plain[0] = PLAIN;
  plain.write(json, 1);
  const bytes = plain.length - 1;
  if (bytes < WORTHWHILE) return plain;
  // Node's default output buffer is 16 KB for each call.
  const small = zstdCompressSync(plain.subarray(1), { chunkSize: Math.min(bytes, MOST_CHUNK) });
  if (small.length >= bytes) return plain;
  return Buffer.concat([Buffer.of(ZSTD), small, fillerOf(Math.ceil(bytes / MOST_GROWTH) - small.length)]);
};

/**
 * Magic number of a frame that every zstd reader skips (RFC 8878, 3.1.2); its length follows as four bytes,
 * little-endian.
 */
const SKIPPABLE_FRAME = 0x184d2a50;
const FRAME_HEAD_BYTES = 8;

/** Returns at least this many bytes of padding. */
const fillerOf = (bytes: number): Buffer => {
  if (bytes <= 0) return Buffer.alloc(0);
  const length = Math.max(bytes - FRAME_HEAD_BYTES, 0);
  const filler = Buffer.alloc(FRAME_HEAD_BYTES + length);
  filler.writeUInt32LE(SKIPPABLE_FRAME, 0);
  filler.writeUInt32LE(length, 4);
  return filler;
};

/** Returns the JSON value of a body. Throws when the bytes are no body. */
export const unpackBody = (bytes: Buffer): unknown => {
  const rest = bytes.subarray(1);
  if (bytes[0] === PLAIN) return JSON.parse(rest.toString());
  if (bytes[0] !== ZSTD) throw new SyntaxError('a body of an unknown form');
  const most = MOST_GROWTH * rest.length;
  const options = { maxOutputLength: most, chunkSize: Math.min(Math.max(most / 2, LEAST_CHUNK), MOST_CHUNK) };
  return JSON.parse(zstdDecompressSync(rest, options).toString());
};
