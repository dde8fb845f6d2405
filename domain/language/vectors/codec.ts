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

/** Contents of a document's four arrays; the caller fills in the vector. */
export interface DocumentParts {
  stems: Uint32Array;
  counts: Uint8Array;
  length: number;
  words: Uint32Array;
  flags: number;
  dimensions: number;
}

/**
 * Makes a document whose arrays are views on its own bytes: encoding it copies nothing, and it takes one
 * allocation instead of five, which would be most of an analysis's cost.
 */
export const layOutDocument = ({
  stems,
  counts,
  length,
  words,
  flags,
  dimensions,
}: DocumentParts): Document => {
  const [n, m] = [stems.length, words.length];
  const bytes = new Uint8Array(HEADER + (n + m) * 4 + dimensions + n);
  const whole = new Uint32Array(bytes.buffer, 0, 4 + n + m);
  whole[0] = (PLAIN << 24) | flags;
  whole[1] = length;
  whole[2] = n;
  whole[3] = m;
  whole.set(stems, 4);
  whole.set(words, 4 + n);
  bytes.set(counts, bytes.length - n);
  return decodePlain(bytes);
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
  const laidOut = layOutDocument({ ...document, dimensions: vector.length });
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
  const [first, count] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  if (first! >>> 24 !== WITH_PASSAGES) return decodePlain(bytes);
  let at = 8 + 4 * count!;
  const parts = Array.from(new Uint32Array(bytes.buffer, bytes.byteOffset + 8, count), size => {
    const part = decodePlain(bytes.subarray(at, at + size));
    at += aligned(size);
    return part;
  });
  return { ...parts[0]!, passages: parts.slice(1) };
};

const decodePlain = (bytes: Uint8Array): Document => {
  const { buffer, byteOffset } = bytes;
  const header = new Uint32Array(buffer, byteOffset, 4);
  const first = header[0]!;
  if (first >>> 24 !== PLAIN) throw new Error(`unknown document version ${first >>> 24}`);
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
