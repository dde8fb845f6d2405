import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openEncoder } from '../../../../domain/reader/encoder.ts';
import reader from '../../../../domain/reader/reader.json' with { type: 'json' };
import { fromBytes } from '../../../../domain/reader/weights.ts';

const bytes = readFileSync(new URL('../../../../domain/reader/reader.bin', import.meta.url));
const { encode, weights } = openEncoder(fromBytes(bytes));
const { hidden, output, outputBias, rows } = weights;

const inputOf = ({ pieces, question }: (typeof reader.checks)[number]) => ({
  pieces: pieces.map(piece => rows[piece]!),
  question,
});
/** Returns the log-odds of an input: the output of the mean of its turn's vectors. */
const oddsOf = (input: ReturnType<typeof inputOf>): number => {
  const vectors = encode(input);
  let sum = 0;
  for (let i = input.question; i < input.pieces.length; i++)
    for (let d = 0; d < hidden; d++) sum += vectors[i * hidden + d]! * output[d]!;
  return sum / (input.pieces.length - input.question) + outputBias;
};
const inputs = reader.checks.map(inputOf);
const [short] = inputs as [(typeof inputs)[number]];
const longest = inputs.at(-1)!;

it('the integers say what the model says in 32-bit floats, up to an input that fills the positions', () => {
  expect(longest.pieces.length).toBeGreaterThan(weights.positions - 8);
  const found = inputs.map(oddsOf);
  const expected = reader.checks.map(({ odds }) => odds);
  // The answers and what is none are some log-odds apart.
  expect(Math.max(...expected) - Math.min(...expected)).toBeGreaterThan(3);
  const errors = found.map((odds, i) => Math.abs(odds - expected[i]!));
  expect(Math.max(...errors)).toBeLessThan(1);
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.4);
});

it('an input of another length before it changes no bit', () => {
  const alone = encode(short).slice();
  encode(longest);
  expect(encode(short)).toEqual(alone);
});

it('a number of pieces that fills no row of four has a vector for each', () => {
  for (const count of [1, 3, 7, 9, 13]) {
    const vectors = encode({
      pieces: short.pieces.slice(0, count),
      question: Math.min(count, short.question),
    });
    expect(vectors).toHaveLength(count * hidden);
    expect(vectors.every(Number.isFinite)).toBe(true);
  }
});

it('no piece, and more pieces than positions, are refused, and so are bytes that are no reader', () => {
  expect(() => encode({ pieces: [], question: 0 })).toThrow('nothing to read');
  expect(() => encode({ pieces: new Array(weights.positions + 1).fill(5), question: 1 })).toThrow(
    /more than the reader's/,
  );
  expect(() => openEncoder(fromBytes(new Uint8Array(100)))).toThrow('not the weights of a reader');
  expect(() => openEncoder(fromBytes(bytes.subarray(0, bytes.length - 16)))).toThrow(/cut or too long/);
});
