import type { StaticTable } from '../vectors/static-vectors.ts';

/**
 * Packs a word into 30 bits: its first word piece in the low 15, the second one above (0: none). Further
 * pieces are dropped: such words are names and typing errors, which match by their stem.
 */
export const wordKey = (pieces: readonly number[]): number => (pieces[0] ?? 0) | ((pieces[1] ?? 0) << 15);

export const firstPiece = (key: number): number => key & 0x7fff;
export const secondPiece = (key: number): number => key >>> 15;

/** Returns the word's vector, the sum of its pieces' vectors; all zeros if the table doesn't contain it. */
export const wordVector = (table: StaticTable, key: number): Float32Array => {
  const { dimensions, rows, scales } = table;
  const vector = new Float32Array(dimensions);
  for (const piece of [firstPiece(key), secondPiece(key)]) {
    if (piece === 0) continue;
    const at = piece * dimensions;
    for (let i = 0; i < dimensions; i++) vector[i]! += rows[at + i]! * scales[piece]!;
  }
  return vector;
};
