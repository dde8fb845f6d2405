import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The first byte of a body: how the JSON behind it is stored. */
const PLAIN = 0;
const ZSTD = 1;
/** Below this, the 40 µs that zstd takes to begin cost more than it saves. */
const WORTHWHILE = 1_024;
/**
 * A body is stored in an eighth of its bytes at least; what is compressed to less is filled up. So what a reader makes of a page
 * of the log is bounded by the page's bytes, whatever is written.
 */
export const MOST_GROWTH = 8;

/** zlib's output, compressed or decompressed, is assembled from pieces of at most this many bytes. */
const MOST_CHUNK = 16 * 1024;
/** The least that zlib takes. */
const LEAST_CHUNK = 64;

/** The bytes of a frame's body, which are then sealed. */
export const packBody = (body: object): Buffer => {
  const json = JSON.stringify(body);
  const plain = Buffer.allocUnsafe(1 + Buffer.byteLength(json));
  plain[0] = PLAIN;
  plain.write(json, 1);
  const bytes = plain.length - 1;
  if (bytes < WORTHWHILE) return plain;
  // Node's own first guess of the result is 16 KB, each time.
  const small = zstdCompressSync(plain.subarray(1), { chunkSize: Math.min(bytes, MOST_CHUNK) });
  if (small.length >= bytes) return plain;
  return Buffer.concat([Buffer.of(ZSTD), small, fillerOf(Math.ceil(bytes / MOST_GROWTH) - small.length)]);
};

/** Begins a frame that every reader of zstd skips (RFC 8878, 3.1.2); its length follows, as four bytes, little-endian. */
const SKIPPABLE_FRAME = 0x184d2a50;
const FRAME_HEAD_BYTES = 8;

/** At least this many bytes that say nothing. */
const fillerOf = (bytes: number): Buffer => {
  if (bytes <= 0) return Buffer.alloc(0);
  const length = Math.max(bytes - FRAME_HEAD_BYTES, 0);
  const filler = Buffer.alloc(FRAME_HEAD_BYTES + length);
  filler.writeUInt32LE(SKIPPABLE_FRAME, 0);
  filler.writeUInt32LE(length, 4);
  return filler;
};

/** Throws when the bytes are no body. */
export const unpackBody = (bytes: Buffer): unknown => {
  const rest = bytes.subarray(1);
  if (bytes[0] === PLAIN) return JSON.parse(rest.toString());
  if (bytes[0] !== ZSTD) throw new SyntaxError('a body of an unknown form');
  const most = MOST_GROWTH * rest.length;
  const options = { maxOutputLength: most, chunkSize: Math.min(Math.max(most / 2, LEAST_CHUNK), MOST_CHUNK) };
  return JSON.parse(zstdDecompressSync(rest, options).toString());
};
