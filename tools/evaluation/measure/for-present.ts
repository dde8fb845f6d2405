import { attributesAskedFor, holdsOne } from '../../../domain/facts/attributes.ts';
import { asksAboutPast } from '../../../domain/language/query/asks-past.ts';
import { asksForPresent } from '../../../domain/ranking/present/asks-for-present.ts';

/**
 * Whether recall takes a question for one about a state of the present, and puts the turn first that holds.
 */
export const isForPresent = (question: string): boolean =>
  !asksAboutPast(question) && asksForPresent(question, attributesAskedFor(question).some(holdsOne));

/** Recall of the questions about the present at the first places, in percent. */
export interface PresentRow {
  questions: number;
  recallAt1: number;
  recallAt3: number;
}

/** The share of the evidence among the first hits. */
export const recallAtFirst = (
  ranked: readonly (readonly string[])[],
  evidence: readonly string[],
  depth: number,
): number => {
  const found = new Set(ranked.slice(0, depth).flat());
  return evidence.filter(id => found.has(id)).length / evidence.length;
};

const percent = (values: readonly number[]): number =>
  Math.round((1_000 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length)) / 10;

/** @returns the figures of the answerable questions about the present; null if there are none */
export const presentRow = (
  rows: readonly { answerable: boolean; present: Omit<PresentRow, 'questions'> | null }[],
): PresentRow | null => {
  const found = rows.flatMap(({ answerable, present }) => (answerable && present ? [present] : []));
  if (found.length === 0) return null;
  return {
    questions: found.length,
    recallAt1: percent(found.map(({ recallAt1 }) => recallAt1)),
    recallAt3: percent(found.map(({ recallAt3 }) => recallAt3)),
  };
};
