import type { Ranked } from './rank.ts';

/** What a question that asks for the present makes of time: log-odds between the scope's first turn and its last. */
const WEIGHT = { now: 3, state: 0.6 } as const;

const NOW =
  /\b(?:now|nowadays|these days|current(?:ly)?|at the moment|right now|at present|presently|still|as of (?:today|now)|today|lately|latest|most recent|any longer|so far)\b/i;
/** "did", "was", "when": what happened, rather than what is. */
const HAPPENED = /\b(?:did|was|were|had|when|ago|ever|first|used to)\b/i;

/** How much a question asks for the present; undefined: not. `asksState`: for something that has one value at a time. */
export const asksForPresent = (question: string, asksState: boolean): keyof typeof WEIGHT | undefined => {
  if (HAPPENED.test(question)) return undefined;
  if (NOW.test(question)) return 'now';
  return asksState ? 'state' : undefined;
};

/** The ranking in which what was said later counts for more, for a question that asks for the present. */
export const lately = (ranked: readonly Ranked[], present: keyof typeof WEIGHT): Ranked[] => {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { candidate } of ranked) {
    from = Math.min(from, candidate.timestamp);
    to = Math.max(to, candidate.timestamp);
  }
  return ranked
    .map(one => {
      const earlier = (to - one.candidate.timestamp) / (to - from || 1);
      const odds = (one.score / (1 - one.score)) * Math.exp(-WEIGHT[present] * earlier);
      const score = odds / (1 + odds);
      return { ...one, score, factor: ((one.factor ?? 1) * score) / one.score };
    })
    .sort((a, b) => b.score - a.score);
};
