/** A small model of our own that reads a question beside a turn that may answer it. */
import { openStaticTable } from '../language/vectors/static-vectors.ts';
import { openEncoder } from './encoder.ts';
import { inputOf, type TurnToRead } from './input.ts';
import type { WeightsFile } from './weights.ts';

/**
 * Opens the reader.
 *
 * @param file its weights (reader.bin); they are copied
 * @param table the static table, whose vocabulary it shares
 */
export const openReader = (file: WeightsFile, table: Uint8Array) => {
  const words = openStaticTable(table);
  const {
    encode,
    weights: { hidden, rows, output, outputBias },
  } = openEncoder(file);

  /**
   * Returns the log-odds that each of the turns answers the question, whether its answer still holds or not.
   * Throws if one is no number: the weights are damaged.
   */
  return (question: string, turns: readonly TurnToRead[]): number[] =>
    turns.map(turn => {
      const input = inputOf(words, question, turn);
      const vectors = encode({ ...input, pieces: input.pieces.map(piece => rows[piece]!) });
      // The mean of the turn's vectors, weighed.
      let sum = 0;
      const from = input.question * hidden;
      for (let i = from; i < vectors.length; i++) sum += vectors[i]! * output[i % hidden]!;
      const odds = sum / (input.pieces.length - input.question) + outputBias;
      if (!Number.isFinite(odds)) throw new Error('the weights of the reader are damaged');
      return odds;
    });
};
