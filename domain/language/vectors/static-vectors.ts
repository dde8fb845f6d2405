/**
 * The static table: two int8 vectors per word piece, the vocabulary as a hash table, and each piece's nearest
 * words. One vector is for comparing words; sums of the other are for comparing texts. The layout is
 * described in tools/training/static-vectors/build.py. Opening the table creates views and copies nothing, so
 * that worker threads can share the bytes.
 */
export interface StaticTable {
  pieces: number;
  dimensions: number;
  /** A component of a piece's vector is its row component * scale. */
  scales: Float32Array;
  /** 1 / norm of each int8 row; 0 for a row of zeros. */
  inverseNorms: Float32Array;
  /** Open addressing, indexed by the low bits of the piece's hash. */
  slotHashes: Uint32Array;
  slotIds: Uint16Array;
  /** The neighbours of piece i are at neighbourStarts[i] … neighbourStarts[i + 1], nearest first. */
  neighbourStarts: Uint32Array;
  neighbours: Uint16Array;
  /** Cosines of the neighbours, * 255. */
  neighbourCosines: Uint8Array;
  /** pieces * dimensions. */
  rows: Int8Array;
  /** Like `scales` and `rows`, for the vectors whose sum is a text's vector. */
  textScales: Float32Array;
  textRows: Int8Array;
  piece(id: number): string;
}

const MAGIC = 0x32565354;
const FREE_SLOT = 65_535;

/** Opens a table. Throws if the bytes are not one. Copies `bytes` unless aligned to 8 in their buffer. */
export const openStaticTable = (bytes: Uint8Array): StaticTable => {
  const { buffer, byteOffset } = bytes;
  if (byteOffset % 8 !== 0) return openStaticTable(bytes.slice());
  if (bytes.length < 32) throw new Error('not a static table');
  const [magic, pieces, dimensions, slots, neighbours, vocabulary] = new Uint32Array(buffer, byteOffset, 8);
  if (magic !== MAGIC) throw new Error('not a static table');

  let at = byteOffset + 32;
  const take = <T>(
    make: new (buffer: ArrayBufferLike, at: number, length: number) => T,
    length: number,
    width: number,
  ) => {
    const view = new make(buffer, at, length);
    at += Math.ceil((length * width) / 8) * 8;
    return view;
  };
  const scales = take(Float32Array, pieces!, 4);
  const inverseNorms = take(Float32Array, pieces!, 4);
  const slotHashes = take(Uint32Array, slots!, 4);
  const slotIds = take(Uint16Array, slots!, 2);
  const neighbourStarts = take(Uint32Array, pieces! + 1, 4);
  const neighbourIds = take(Uint16Array, neighbours!, 2);
  const neighbourCosines = take(Uint8Array, neighbours!, 1);
  const offsets = take(Uint32Array, pieces! + 1, 4);
  const letters = take(Uint8Array, vocabulary!, 1);
  const rows = take(Int8Array, pieces! * dimensions!, 1);
  const textScales = take(Float32Array, pieces!, 4);
  const textRows = take(Int8Array, pieces! * dimensions!, 1);
  const decoder = new TextDecoder();

  return {
    pieces: pieces!,
    dimensions: dimensions!,
    scales,
    inverseNorms,
    slotHashes,
    slotIds,
    neighbourStarts,
    neighbours: neighbourIds,
    neighbourCosines,
    rows,
    textScales,
    textRows,
    // `slice` copies, because TextDecoder rejects shared memory.
    piece: id => decoder.decode(letters.slice(offsets[id]!, offsets[id + 1]!)),
  };
};

/** Returns the id of the piece with this hash, or -1. */
export const findPiece = (table: StaticTable, hash: number): number => {
  const mask = table.slotIds.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = table.slotIds[slot]!;
    if (id === FREE_SLOT) return -1;
    if (table.slotHashes[slot] === hash) return id;
  }
};
