import type { Document } from '../recall/document.ts';

/**
 * A document as bytes, little endian: u32[4] (version << 24 | flags, length, stems n, words m), stems u32[n],
 * words u32[m], vector i8[256], counts u8[n]. The u32 arrays come first, so that all can be read in place.
 */
const VERSION = 1;
const HEADER = 16;

export const encodeDocument = ({ stems, counts, length, words, flags, vector }: Document): Uint8Array => {
  const bytes = new Uint8Array(HEADER + stems.length * 4 + words.length * 4 + vector.length + counts.length);
  const whole = new Uint32Array(bytes.buffer, 0, 4 + stems.length + words.length);
  whole[0] = (VERSION << 24) | flags;
  whole[1] = length;
  whole[2] = stems.length;
  whole[3] = words.length;
  whole.set(stems, 4);
  whole.set(words, 4 + stems.length);
  let at = whole.byteLength;
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), at);
  at += vector.length;
  bytes.set(counts, at);
  return bytes;
};

/** Views on `bytes` if aligned to 4, otherwise on a copy. Throws on an unknown version. */
export const decodeDocument = (bytes: Uint8Array): Document => {
  if (bytes.byteOffset % 4 !== 0) {
    const copy = new Uint8Array(new ArrayBuffer(bytes.length));
    copy.set(bytes);
    return decodeDocument(copy);
  }
  const { buffer, byteOffset } = bytes;
  const header = new Uint32Array(buffer, byteOffset, 4);
  const first = header[0]!;
  if (first >>> 24 !== VERSION) throw new Error(`unknown document version ${first >>> 24}`);
  const n = header[2]!;
  const m = header[3]!;
  const vectorAt = HEADER + (n + m) * 4;
  const dimensions = bytes.length - vectorAt - n;
  return {
    flags: first & 0xffffff,
    length: header[1]!,
    stems: new Uint32Array(buffer, byteOffset + HEADER, n),
    words: new Uint32Array(buffer, byteOffset + HEADER + n * 4, m),
    vector: new Int8Array(buffer, byteOffset + vectorAt, dimensions),
    counts: new Uint8Array(buffer, byteOffset + vectorAt + dimensions, n),
  };
};
