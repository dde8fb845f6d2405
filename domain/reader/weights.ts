import type { Kernels } from './kernels.ts';

/** Addresses of a product's weights; a scale, a sum and a bias for each column. */
export interface Dense {
  /** Factors of the input's components before they are integers: large ones would blur the rest. */
  factors: number;
  weights: number;
  scales: number;
  /** The sum of a column's weights times 64, which is what stands for 0 in activations. */
  zeros: number;
  bias: number;
  columns: number;
  depth: number;
}

export interface Norm {
  weight: number;
  bias: number;
}

/** A layer of the encoder; `attended` has the columns of queries, keys and values. */
export interface Layer {
  attended: Dense;
  joined: Dense;
  joinedNorm: Norm;
  inner: Dense;
  outer: Dense;
  outerNorm: Norm;
}

export interface ReaderWeights {
  hidden: number;
  heads: number;
  inner: number;
  /** The most pieces of an input. */
  positions: number;
  layers: Layer[];
  /** The row of each piece of the static table; that of [UNK] where it has none. */
  rows: Uint16Array;
  /** Two values of 4 bits a byte. */
  words: Uint8Array;
  /** A scale for each `GROUP` components of a row. */
  wordScales: Float16Array;
  positionRows: Int8Array;
  positionScales: Float32Array;
  /** Two rows: the question, and the turns. */
  types: Float32Array;
  embeddingNorm: Norm;
  /** Weights of a turn's mean vector for the log-odds that it answers. */
  output: Float32Array;
  outputBias: number;
  /** The first address behind the weights. */
  end: number;
}

/** Weights that are read into the kernels' memory, so that there is no other copy of them. */
export interface WeightsFile {
  /** Number of bytes. */
  size: number;
  readInto(memory: Uint8Array): void;
}

export const fromBytes = (bytes: Uint8Array): WeightsFile => ({
  size: bytes.length,
  readInto: memory => memory.set(bytes),
});

/** Components of a word's vector with a scale of their own. */
export const GROUP = 96;
const MAGIC = 0x31445254;
const PAGE = 65_536;
const ALIGNED = 16;

/** Grows the memory to so many bytes, before anything is a view on it: growing detaches its buffer. */
export const reserve = (memory: Kernels['memory'], bytes: number): void => {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
};

/**
 * Reads the reader's weights into the kernels' memory, which has room for them, and returns where they are.
 * The layout is described in tools/training/reader/pack.py. Throws if they are not a reader's.
 */
export const openWeights = (memory: Kernels['memory'], { size, readInto }: WeightsFile): ReaderWeights => {
  readInto(new Uint8Array(memory.buffer, 0, size));
  const [magic, layers, hidden, heads, inner, pieces, known, positions] = new Uint32Array(
    memory.buffer,
    0,
    8,
  ) as unknown as number[];
  if (magic !== MAGIC) throw new Error('not the weights of a reader');

  let at = 48;
  const take = (length: number): number => {
    const from = at;
    at += Math.ceil(length / ALIGNED) * ALIGNED;
    return from;
  };
  const floats = (count: number): Float32Array => new Float32Array(memory.buffer, take(count * 4), count);
  const dense = (columns: number, depth: number): Dense => ({
    factors: take(depth * 4),
    weights: take(columns * depth),
    scales: take(columns * 4),
    zeros: take(columns * 4),
    bias: take(columns * 4),
    columns,
    depth,
  });
  const norm = (): Norm => ({ weight: take(hidden! * 4), bias: take(hidden! * 4) });

  const rows = new Uint16Array(memory.buffer, take(known! * 2), known);
  const words = new Uint8Array(memory.buffer, take((pieces! * hidden!) / 2), (pieces! * hidden!) / 2);
  const groups = (pieces! * hidden!) / GROUP;
  const wordScales = new Float16Array(memory.buffer, take(groups * 2), groups);
  const positionRows = new Int8Array(memory.buffer, take(positions! * hidden!), positions! * hidden!);
  const positionScales = floats(positions!);
  const types = floats(2 * hidden!);
  const embeddingNorm = norm();
  const read = {
    hidden: hidden!,
    heads: heads!,
    inner: inner!,
    positions: positions!,
    rows,
    words,
    wordScales,
    positionRows,
    positionScales,
    types,
    embeddingNorm,
    layers: Array.from(
      { length: layers! },
      (): Layer => ({
        attended: dense(3 * hidden!, hidden!),
        joined: dense(hidden!, hidden!),
        joinedNorm: norm(),
        inner: dense(inner!, hidden!),
        outer: dense(hidden!, inner!),
        outerNorm: norm(),
      }),
    ),
    output: floats(hidden!),
    outputBias: floats(1)[0]!,
  };
  if (at !== size) throw new Error('the weights of the reader are cut or too long');
  return { ...read, end: at };
};
