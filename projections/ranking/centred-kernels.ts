import { instantiate } from './wasm.ts';

/** centred.wat, compiled. */
const MODULE =
  'AGFzbQEAAAABIgVgAXsBfWABfwF7YAR/f39/AGAFf39/f30AYAR/f319AX0DBgUAAQIDBAUDAQABBykEBm1lbW9yeQIACmFjY3VtdWxhdGUAAgZjZW50cmUAAwZ3aW5kb3cABArQAwUZACAA/R8AIAD9HwGSIAD9HwIgAP0fA5KSCw4AIAD9XAIA/YcB/acBCzwBAn8DQCABIARBAnRqIQUgBSAF/QAEACAAIARqEAEgA/0R/bUB/a4B/QsEACAEQQRqIQQgBCACSQ0ACwupAQMCfwJ7AX0DQCAFQQJ0IQYgACAFahAB/foBIAT9E/3mASABIAZq/QAEAP3lASEHIAIgBmogB/0LBAAgCCAHIAf95gH95AEhCCAFQQRqIQUgBSADSQ0ACyAIEACRIQlDAACAPyAJlUMAAAAAIAlDbxKDOl4b/RMhB0EAIQUDQCACIAVBAnRqIQYgBiAG/QAEACAH/eYB/QsEACAFQQRqIQUgBSADSQ0ACwu8AQMDfwN7AX0gAUECdCEGIAAhBQNAIAX9AAQAIAL9EyAFIAZq/QAEACAFIAZBAmxq/QAEAP3kAf3mASAD/RMgBSAGQQNsav0ABAAgBSAGQQRsav0ABAD95AH95gH95AH95AEhByAIIAcgB/3mAf3kASEIIAkgByAFIAZBBWxq/QAEAP3mAf3kASEJIAVBEGohBSAEQQRqIQQgBCABSQ0ACyAIEACRIQogCRAAIAqVQwAAAAAgCkNvEoM6XhsL';

const { memory, accumulate, centre, window } = instantiate<{
  accumulate(source: number, sum: number, length: number, scale: number): void;
  centre(source: number, mean: number, out: number, length: number, scale: number): void;
  window(vectors: number, length: number, near: number, far: number): number;
}>(MODULE);

/** Components of a vector, at most: all of one call must lie in a page. */
const MOST = 1_024;
// One page: a vector of int8, the sum or the mean, the result, or instead of the last six vectors one after the other.
const SUM_AT = MOST;
const OUT_AT = SUM_AT + 4 * MOST;
const source = new Int8Array(memory.buffer, 0, MOST);
const sum = new Int32Array(memory.buffer, SUM_AT, MOST);
const mean = new Float32Array(memory.buffer, SUM_AT, MOST);
const out = new Float32Array(memory.buffer, OUT_AT, 6 * MOST);

/** The mean that lies in the module's memory. */
let loaded: Float32Array | undefined;

/**
 * Sum of vectors, each times its scale, in whole numbers: exact, and so the same in any order.
 *
 * @param vectors int8, `dimensions` (a multiple of 16, at most 1,024) components each
 * @param scales whole numbers; 128 times their sum must stay below 2 ** 31
 */
export const weightedSum = (
  vectors: readonly Int8Array[],
  scales: ArrayLike<number>,
  dimensions: number,
): Int32Array => {
  loaded = undefined;
  sum.fill(0, 0, dimensions);
  vectors.forEach((vector, v) => {
    source.set(vector);
    accumulate(0, SUM_AT, dimensions, scales[v]!);
  });
  return sum.slice(0, dimensions);
};

/** The unit vector of `vector` * `scale` - `away`; zeros where next to nothing is left of it. */
export const centred = (vector: Int8Array, scale: number, away: Float32Array): Float32Array => {
  if (loaded !== away) mean.set(away);
  loaded = away;
  source.set(vector);
  centre(0, SUM_AT, OUT_AT, away.length, scale);
  return out.slice(0, away.length);
};

/**
 * Cosine of a direction of length 1 with `own` and the vectors near it, summed.
 *
 * @param around those two before, one before, one behind, two behind; undefined: none
 */
export const cosineAround = (
  own: Float32Array,
  around: readonly (Float32Array | undefined)[],
  direction: Float32Array,
  near: number,
  far: number,
): number => {
  const { length } = own;
  const put = (place: number, vector: Float32Array | undefined): void => {
    if (vector) out.set(vector, place * length);
    else out.fill(0, place * length, (place + 1) * length);
  };
  put(0, own);
  put(1, around[1]);
  put(2, around[2]);
  put(3, around[0]);
  put(4, around[3]);
  put(5, direction);
  return window(OUT_AT, length, near, far);
};
