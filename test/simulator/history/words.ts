/** The words of turns, statements and titles, each with one that nothing else has. */
import { countTokens } from '../../../core/tokens/count.ts';
import { minute, sentence } from '../../support/worlds/builders.ts';

export const refOf = (n: number): string => `ref${n}`;
export const turnText = (n: number): string => sentence(n);
export const placeOf = (n: number): string => `Ref${n}ville`;
export const saidText = (n: number): string => `I have moved to ${placeOf(n)} ref${n}`;
export const titleText = (n: number): string => `About ref${n}`;
export const nameText = (n: number): string => `Ref${n}`;

/** A few are late, and a few are ahead of their time: Unix milliseconds. */
export const timeOf = (n: number): number => {
  if (n % 11 === 0) return minute(n) - 40 * 24 * 3_600_000;
  return n % 13 === 0 ? minute(n) + 3 * 24 * 3_600_000 : minute(n);
};
/** Statements are told in the order of their numbers. */
export const saidAt = (n: number): number => minute(n);

export const turnTokens = (n: number): number => countTokens(turnText(n));
export const saidTokens = (n: number): number =>
  [saidText(n), 'The user', 'home', placeOf(n)].reduce((sum, text) => sum + countTokens(text), 0);

const REF = /\bref(\d+)(?:ville)?\b/gi;
/** The numbers whose words are in what was answered. */
export const refsIn = (answer: unknown): Set<number> =>
  new Set([...JSON.stringify(answer).matchAll(REF)].map(([, n]) => Number(n)));
