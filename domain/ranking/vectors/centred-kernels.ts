import { instantiate } from './wasm.ts';

/** centred.wat, compiled. */
const MODULE =
  'AGFzbQEAAAABKAZgAXsBfWABfwF7YAJ/fwF/YAR/f39/AGAFf39/f30AYAR/f319AX0DBwYAAQIDBAUFAwEAAQcyBQZtZW1vcnkCAAZzcXVhcmUAAgphY2N1bXVsYXRlAAMGY2VudHJlAAQGd2luZG93AAUKlgQGGQAgAP0fACAA/R8BkiAA/R8CIAD9HwOSkgsOACAA/VwCAP2HAf2nAQtFAgF/AnsDQCAAIAJqEAEhAyAEIAMgA/21Af2uASEEIAJBBGohAiACIAFJDQALIAT9GwAgBP0bAWogBP0bAiAE/RsDamoLPAECfwNAIAEgBEECdGohBSAFIAX9AAQAIAAgBGoQASAD/RH9tQH9rgH9CwQAIARBBGohBCAEIAJJDQALC6kBAwJ/AnsBfQNAIAVBAnQhBiAAIAVqEAH9+gEgBP0T/eYBIAEgBmr9AAQA/eUBIQcgAiAGaiAH/QsEACAIIAcgB/3mAf3kASEIIAVBBGohBSAFIANJDQALIAgQAJEhCUMAAIA/IAmVQwAAAAAgCUNvEoM6Xhv9EyEHQQAhBQNAIAIgBUECdGohBiAGIAb9AAQAIAf95gH9CwQAIAVBBGohBSAFIANJDQALC7wBAwN/A3sBfSABQQJ0IQYgACEFA0AgBf0ABAAgAv0TIAUgBmr9AAQAIAUgBkECbGr9AAQA/eQB/eYBIAP9EyAFIAZBA2xq/QAEACAFIAZBBGxq/QAEAP3kAf3mAf3kAf3kASEHIAggByAH/eYB/eQBIQggCSAHIAUgBkEFbGr9AAQA/eYB/eQBIQkgBUEQaiEFIARBBGohBCAEIAFJDQALIAgQAJEhCiAJEAAgCpVDAAAAACAKQ28SgzpeGws=';

const { memory, square, accumulate, centre, window } = instantiate<{
  square(source: number, length: number): number;
  accumulate(source: number, sum: number, length: number, scale: number): void;
  centre(source: number, mean: number, out: number, length: number, scale: number): void;
  window(vectors: number, length: number, near: number, far: number): number;
}>(MODULE);

/** Maximum components of a vector, which is also the maximum of an embedding model. */
const MOST = 8_192;
// The memory holds an int8 vector, the sum or mean, and the result; six consecutive vectors may take the
// result's place. The module itself brings one page.
const PAGE = 65_536;
memory.grow(Math.ceil((MOST + 4 * MOST + 6 * 4 * MOST) / PAGE) - 1);
const SUM_AT = MOST;
const OUT_AT = SUM_AT + 4 * MOST;
const source = new Int8Array(memory.buffer, 0, MOST);
const sum = new Int32Array(memory.buffer, SUM_AT, MOST);
const mean = new Float32Array(memory.buffer, SUM_AT, MOST);
const out = new Float32Array(memory.buffer, OUT_AT, 6 * MOST);

/** The mean that is currently in the module's memory. */
let loaded: Float32Array | undefined;

/** 1 / norm of an int8 vector; 0 for a zero vector. */
export const inverseNorm = (vector: Int8Array): number => {
  source.set(vector);
  const sum = square(0, vector.length);
  return sum > 0 ? 1 / Math.sqrt(sum) : 0;
};

/**
 * Sums vectors, each multiplied by its scale, in integers: exact, and therefore independent of the order.
 *
 * @param vectors int8, `dimensions` (a multiple of 16, at most 8,192) components each
 * @param scales integers; 128 times their sum must be below 2 ** 31
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

/** Returns the unit vector of `vector` * `scale` - `away`; zeros when the difference is close to zero. */
export const centred = (vector: Int8Array, scale: number, away: Float32Array): Float32Array => {
  if (loaded !== away) mean.set(away);
  loaded = away;
  source.set(vector);
  centre(0, SUM_AT, OUT_AT, away.length, scale);
  return out.slice(0, away.length);
};

/**
 * Returns the cosine of a unit vector with the weighted sum of `own` and the vectors around it.
 *
 * @param around the vectors two before, one before, one after, two after; undefined: none
 */
export const cosineAround = (
  own: Float32Array,
  around: readonly (Float32Array | undefined)[],
  direction: Float32Array,
  near: number,
  far: number,
): number => {
  const { length } = own;
  const put = (index: number, vector: Float32Array | undefined): void => {
    if (vector) out.set(vector, index * length);
    else out.fill(0, index * length, (index + 1) * length);
  };
  put(0, own);
  put(1, around[1]);
  put(2, around[2]);
  put(3, around[0]);
  put(4, around[3]);
  put(5, direction);
  return window(OUT_AT, length, near, far);
};
