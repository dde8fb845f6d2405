/**
 * The encoder of the reader: BERT (Devlin et al. 2018), with the sizes of MiniLM, in 8-bit integers. Products
 * of matrices are WebAssembly (kernels.wat); sums of integers are exact and the rest is IEEE arithmetic in a
 * fixed order, so that every processor and both modes compute the same bits.
 */
import { openKernels, PACKED } from './kernels.ts';
import { EXPONENTIALS, GELU_STEPS, GELUS, STEPS, WIDEST } from './tables.ts';
import {
  type Dense,
  GROUP,
  type Layer,
  type Norm,
  openWeights,
  reserve,
  type WeightsFile,
} from './weights.ts';

/** The pieces of a text, as rows of the vocabulary. */
export interface Input {
  pieces: readonly number[];
  /** How many of them, from the first one, are the question. */
  question: number;
}

/** Activations have 7 bits, `ZERO` for 0; keys and values have 8. */
const [ZERO, MOST_OF_7, MOST_OF_8] = [64, 63, 127];
/** Bytes of memory for activations. */
const SPACE = 3 * 1024 * 1024;
/** The score of a column that stands for no piece. */
const FAR = -1e9;

const padded = (count: number, to: number): number => Math.ceil(count / to) * to;

/**
 * Opens the encoder.
 *
 * @param file the weights, as tools/training/reader/pack.py writes them
 */
export const openEncoder = (file: WeightsFile) => {
  const kernels = openKernels();
  const { memory } = kernels;
  reserve(memory, file.size + SPACE);
  const weights = openWeights(memory, file);
  const { hidden, heads, inner, positions } = weights;
  const width = hidden / heads;

  let at = padded(weights.end, 64);
  const room = (bytes: number): number => {
    const from = at;
    at = padded(at + bytes, 64);
    return from;
  };
  const most = padded(positions, PACKED.columns);
  const space = {
    x: room(most * hidden * 4),
    y: room(most * hidden * 4),
    wide: room(most * inner * 4),
    narrow: room(most * inner),
    rowScales: room(most * 4),
    /** Queries, keys and values of all heads as integers, and their scales. */
    queries: room(most * 3 * hidden),
    queryScales: room(most * 3 * heads * 4),
    keys: room(most * 3 * hidden),
    keyScales: room(most * 3 * heads * 4),
    /** Keys or values of a head as the weights of a product. */
    packed: room(most * width),
    scales: room(most * 4),
    zeros: room(most * 4),
    none: room(most * 4),
    /** 0 for each piece, and next to nothing for those that fill the columns. */
    masked: room(most * 4),
    scores: room(most * most * 4),
    attention: room(most * most),
    exponentials: room(EXPONENTIALS.length),
    gelus: room(GELUS.length * 4),
    ones: room(width * 4),
  };
  if (at > memory.buffer.byteLength) throw new Error('the reader is larger than its memory');
  const bytes8 = (from: number, count: number) => new Int8Array(memory.buffer, from, count);
  const words = (from: number, count: number) => new Int32Array(memory.buffer, from, count);
  const floats = (from: number, count: number) => new Float32Array(memory.buffer, from, count);
  const x = floats(space.x, most * hidden);
  const y = floats(space.y, most * hidden);
  const wide = floats(space.wide, most * inner);
  const rowScales = floats(space.rowScales, most);
  const queryScales = floats(space.queryScales, most * 3 * heads);
  const keys = bytes8(space.keys, most * 3 * hidden);
  const keyWords = words(space.keys, (most * 3 * hidden) / 4);
  const keyScales = floats(space.keyScales, most * 3 * heads);
  const packed = bytes8(space.packed, most * width);
  const packedWords = words(space.packed, (most * width) / 4);
  const scales = floats(space.scales, most);
  const zeros = words(space.zeros, most);
  const masked = floats(space.masked, most);
  bytes8(space.exponentials, EXPONENTIALS.length).set(EXPONENTIALS);
  floats(space.gelus, GELUS.length).set(GELUS);
  floats(space.ones, width).fill(1);

  const dense = (from: number, rows: number, by: Dense, out: number): void => {
    const { depth, columns, weights: w, zeros: sums, bias } = by;
    kernels.quantize(from, by.factors, rows, depth, space.narrow, space.rowScales, MOST_OF_7, ZERO);
    kernels.dense(
      space.narrow,
      depth,
      rows,
      depth,
      w,
      columns,
      space.rowScales,
      by.scales,
      sums,
      bias,
      out,
      columns * 4,
    );
  };
  const normalize = (from: number, added: number, rows: number, { weight, bias }: Norm): void =>
    kernels.normalize(from, added, rows, hidden, weight, bias);

  const embed = ({ pieces, question }: Input): void => {
    const { words, wordScales, positionRows, positionScales, types } = weights;
    const groups = hidden / GROUP;
    for (let i = 0; i < pieces.length; i++) {
      const [word, type] = [pieces[i]!, i < question ? 0 : hidden];
      const scale = positionScales[i]!;
      for (let d = 0; d < hidden; d++) {
        const two = words[(word * hidden + d) >> 1]!;
        const value = (d & 1 ? two >> 4 : two & 15) - 8;
        x[i * hidden + d] =
          value * wordScales[word * groups + ((d / GROUP) | 0)]! +
          positionRows[i * hidden + d]! * scale +
          types[type + d]!;
      }
    }
  };

  /** Packs the keys of a head: a column for each piece, with a scale of its own. */
  const packKeys = (count: number, head: number): void => {
    const [each, fours] = [3 * heads, width / 4];
    for (let c = 0; c < count; c++) {
      const from = c * each + heads + head;
      for (let four = 0; four < fours; four++)
        packedWords[(c >> 3) * 8 * fours + four * 8 + (c & 7)] = keyWords[from * fours + four]!;
      let sum = 0;
      for (let k = 0; k < width; k++) sum += keys[from * width + k]!;
      scales[c] = keyScales[from]! / Math.sqrt(width);
      zeros[c] = ZERO * sum;
    }
  };

  /** Packs the values of a head: a column for each component, with a scale of its own. */
  const packValues = (count: number, depth: number, head: number): void => {
    const stride = 3 * hidden;
    const first = 2 * hidden + head * width;
    packed.fill(0, 0, depth * width);
    for (let c = 0; c < width; c++) {
      let peak = 1e-9;
      for (let k = 0, at = first + c; k < count; k++, at += stride) {
        const value = wide[at]!;
        if (value > peak) peak = value;
        else if (-value > peak) peak = -value;
      }
      const factor = MOST_OF_8 / peak;
      const column = (c >> 3) * 8 * depth + (c & 7) * 4;
      for (let k = 0, at = first + c; k < count; k++, at += stride)
        packed[column + (k >> 2) * 32 + (k & 3)] = ((wide[at]! * factor + 128.5) | 0) - 128;
      scales[c] = peak / MOST_OF_8;
    }
  };

  const attend = (count: number, rows: number, { attended, joined, joinedNorm }: Layer): void => {
    dense(space.x, rows, attended, space.wide);
    const all = rows * 3 * heads;
    kernels.quantize(space.wide, space.ones, all, width, space.queries, space.queryScales, MOST_OF_7, ZERO);
    kernels.quantize(space.wide, space.ones, all, width, space.keys, space.keyScales, MOST_OF_8, 0);
    const columns = padded(count, PACKED.columns);
    for (let head = 0; head < heads; head++) {
      for (let row = 0; row < rows; row++) rowScales[row] = queryScales[row * 3 * heads + head]!;
      packKeys(count, head);
      kernels.dense(
        space.queries + head * width,
        3 * hidden,
        rows,
        width,
        space.packed,
        columns,
        space.rowScales,
        space.scales,
        space.zeros,
        space.masked,
        space.scores,
        columns * 4,
      );
      kernels.shares(
        space.scores,
        rows,
        columns,
        space.exponentials,
        STEPS,
        EXPONENTIALS.length - 1,
        space.attention,
        space.rowScales,
      );
      packValues(count, columns, head);
      kernels.dense(
        space.attention,
        columns,
        rows,
        columns,
        space.packed,
        width,
        space.rowScales,
        space.scales,
        space.none,
        space.none,
        space.y + head * width * 4,
        hidden * 4,
      );
    }
    dense(space.y, rows, joined, space.y);
    normalize(space.x, space.y, rows, joinedNorm);
  };

  const feed = (rows: number, { inner: first, outer, outerNorm }: Layer): void => {
    dense(space.x, rows, first, space.wide);
    kernels.tabulated(space.wide, rows * inner, space.gelus, WIDEST, GELU_STEPS, GELUS.length - 1);
    dense(space.wide, rows, outer, space.y);
    normalize(space.x, space.y, rows, outerNorm);
  };

  /** Returns a vector for each piece, in place: the next call overwrites it. */
  const encode = (input: Input): Float32Array => {
    const count = input.pieces.length;
    if (count === 0) throw new Error('there is nothing to read');
    if (count > positions) throw new Error(`${count} pieces are more than the reader's ${positions}`);
    const rows = padded(count, 4);
    masked.fill(0, 0, count).fill(FAR, count);
    packed.fill(0);
    embed(input);
    x.fill(0, count * hidden, rows * hidden);
    y.fill(0, 0, rows * hidden);
    normalize(space.x, space.y, rows, weights.embeddingNorm);
    for (const layer of weights.layers) {
      attend(count, rows, layer);
      feed(rows, layer);
    }
    return x.subarray(0, count * hidden);
  };
  return { encode, weights };
};
