import type { Document } from '../../search/document.ts';

/**
 * A document as bytes, little endian: u32[4] (1 << 24 | flags, length, stems n, words m), stems u32[n], words
 * u32[m], vector i8[256], counts u8[n]. The u32 arrays come first, so that all can be read in place.
 *
 * A document with passages: u32[2 + k] (2 << 24, the number k of documents, the bytes of each), then the
 * text's document and those of its passages, each aligned to 4.
 */
const PLAIN = 1;
const WITH_PASSAGES = 2;
const HEADER = 16;

/** Contents of a document; the caller fills in the vector. */
export interface DocumentParts {
  /** The first `stemCount` count, of `counts` too. */
  stems: Uint32Array;
  counts: Uint8Array;
  stemCount: number;
  length: number;
  /** The first `wordCount` count. */
  words: Uint32Array;
  wordCount: number;
  flags: number;
  dimensions: number;
}

/**
 * Makes a document whose arrays are views on its own bytes: encoding it copies nothing, and it takes one
 * allocation instead of five, which would be most of an analysis's cost. Values are copied one by one, since
 * a view for each copy costs more than these few values.
 */
export const layOutDocument = ({
  stems,
  counts,
  stemCount: n,
  length,
  words,
  wordCount: m,
  flags,
  dimensions,
}: DocumentParts): Document => {
  const vectorAt = HEADER + (n + m) * 4;
  const buffer = new ArrayBuffer(vectorAt + dimensions + n);
  const head = new Uint32Array(buffer, 0, 4 + n + m);
  head[0] = (PLAIN << 24) | flags;
  head[1] = length;
  head[2] = n;
  head[3] = m;
  for (let i = 0; i < n; i++) head[4 + i] = stems[i]!;
  for (let i = 0; i < m; i++) head[4 + n + i] = words[i]!;
  const own = new Uint8Array(buffer, vectorAt + dimensions, n);
  for (let i = 0; i < n; i++) own[i] = counts[i]!;
  return {
    flags,
    length,
    stems: new Uint32Array(buffer, HEADER, n),
    words: new Uint32Array(buffer, HEADER + n * 4, m),
    vector: new Int8Array(buffer, vectorAt, dimensions),
    counts: own,
  };
};

export const encodeDocument = (document: Document): Uint8Array => {
  if (!document.passages) return encodePlain(document);
  const parts = [document, ...document.passages].map(encodePlain);
  const head = Uint32Array.of(WITH_PASSAGES << 24, parts.length, ...parts.map(({ length }) => length));
  const out = new Uint8Array(parts.reduce((size, { length }) => size + aligned(length), head.byteLength));
  out.set(new Uint8Array(head.buffer));
  let at = head.byteLength;
  for (const part of parts) {
    out.set(part, at);
    at += aligned(part.length);
  }
  return out;
};

const aligned = (bytes: number): number => Math.ceil(bytes / 4) * 4;

const encodePlain = (document: Omit<Document, 'passages'>): Uint8Array => {
  const { stems, words, vector, counts } = document;
  const size = HEADER + (stems.length + words.length) * 4 + vector.length + counts.length;
  const { buffer } = stems;
  // Only a document made by `layOutDocument` or `decodeDocument` has its stems there, in a buffer of this
  // size.
  if (buffer === vector.buffer && stems.byteOffset === HEADER && buffer.byteLength === size)
    return new Uint8Array(buffer);
  const laidOut = layOutDocument({
    ...document,
    stemCount: stems.length,
    wordCount: words.length,
    dimensions: vector.length,
  });
  laidOut.vector.set(vector);
  return new Uint8Array(laidOut.stems.buffer);
};

/** Decodes as views on `bytes` if aligned to 4, otherwise on a copy. Throws on an unknown version. */
export const decodeDocument = (bytes: Uint8Array): Document => {
  if (bytes.byteOffset % 4 !== 0) {
    const copy = new Uint8Array(new ArrayBuffer(bytes.length));
    copy.set(bytes);
    return decodeDocument(copy);
  }
  if (versionOf(bytes) !== WITH_PASSAGES) return decodePlain(bytes);
  const count = numberAt(bytes, 4);
  let at = 8 + 4 * count;
  const parts = Array.from(new Uint32Array(bytes.buffer, bytes.byteOffset + 8, count), size => {
    const part = decodePlain(bytes.subarray(at, at + size));
    at += aligned(size);
    return part;
  });
  return { ...parts[0]!, passages: parts.slice(1) };
};

const versionOf = (bytes: Uint8Array): number => bytes[3] ?? 0;

/** Reads a u32 without a view, which costs more than the rest of a header. */
const numberAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;

const decodePlain = (bytes: Uint8Array): Document => {
  const { buffer, byteOffset } = bytes;
  if (versionOf(bytes) !== PLAIN) throw new Error(`unknown document version ${versionOf(bytes)}`);
  const n = numberAt(bytes, 8);
  const m = numberAt(bytes, 12);
  const vectorAt = HEADER + (n + m) * 4;
  const dimensions = bytes.length - vectorAt - n;
  return {
    flags: numberAt(bytes, 0) & 0xffffff,
    length: numberAt(bytes, 4),
    stems: new Uint32Array(buffer, byteOffset + HEADER, n),
    words: new Uint32Array(buffer, byteOffset + HEADER + n * 4, m),
    vector: new Int8Array(buffer, byteOffset + vectorAt, dimensions),
    counts: new Uint8Array(buffer, byteOffset + vectorAt + dimensions, n),
  };
};
