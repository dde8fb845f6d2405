import { makeFairQueue } from '../fairness/fair-queue.ts';
import { startAskedThread } from '../threads/ask.ts';
import { threadFile } from '../threads/file.ts';
import { countTokens } from './count.ts';

/** Counts the tokens of each text. Rejects with `unavailable` if it can't, and with the signal's reason. */
export type CountTokens = (
  org: string,
  texts: readonly string[],
  signal?: AbortSignal,
) => Promise<readonly number[]>;

/** UTF-16 units that are counted on the spot: 2 ms for words, 15 ms at most. */
const AT_ONCE = 4_096;
/** UTF-16 units after which it is another organization's turn: 30 ms for words, 0.3 s at most. */
const PART = 65_536;

/** Splits texts into parts of about `PART` units, each of one text at least. */
const partsOf = (texts: readonly string[]): string[][] => {
  const parts: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (room <= 0) {
      parts.push([]);
      room = PART;
    }
    parts.at(-1)!.push(text);
    room -= text.length;
  }
  return parts;
};

/**
 * Counts short texts on the spot, and long ones in a thread: the largest write takes a second of a processor,
 * for which no other call should wait. Organizations take turns in it.
 */
export const makeTokenCounter = (): CountTokens => {
  // The waiting queue is bounded by the bytes of bodies in progress: many small writes of one organization
  // must not be refused.
  const turns = makeFairQueue({ slots: 1 });
  const { ask: count } = startAskedThread<readonly string[], readonly number[]>({
    name: 'counter',
    file: threadFile(import.meta.url, 'counter'),
    worker: () => ({ resourceLimits: { maxYoungGenerationSizeMb: 12 } }),
    message: 'The tokens could not be counted; try again.',
    idleMs: Number.POSITIVE_INFINITY,
  });
  return async (org, texts, signal) => {
    if (texts.reduce((sum, { length }) => sum + length, 0) <= AT_ONCE) return texts.map(countTokens);
    const counts: number[] = [];
    for (const part of partsOf(texts)) counts.push(...(await turns.run(org, () => count(part), signal)));
    return counts;
  };
};
