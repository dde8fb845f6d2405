/**
 * Reorders the best turns for a question about the present: later turns count for more, and so do turns that
 * tell of a change. People mention a new state in passing ("day one at Oderhaus!"), in words that a question
 * doesn't have, while the turn that told the old one has them ("I work for Veltrix"). Only the first turns
 * change places, so the top five stay the same five turns.
 */
import { tellsChange } from '../language/query/tells-change.ts';
import type { Ranked } from './rank.ts';

/** Number of turns that may change places. */
export const REORDERED = 5;

/**
 * Log-odds by kind of question: the present, in as many words; an attribute that has one value at a time; any
 * other state. `earlier` is lost between the last of these turns and the first; `changed` is gained by a turn
 * that tells of a change.
 */
const WEIGHTS = {
  now: { earlier: 4, changed: 2.5 },
  attribute: { earlier: 4, changed: 2.5 },
  state: { earlier: 2.5, changed: 2 },
} as const;

export type Present = keyof typeof WEIGHTS;

const NOW =
  /\b(?:now|nowadays|these days|current(?:ly)?|at the moment|right now|at present|presently|still|as of (?:today|now)|today|lately|latest|most recent|any longer|so far)\b/i;
/** Wordings about an event in the past rather than a state. */
const HAPPENED = /\b(?:did|was|were|had|ago|ever|first|used to)\b/i;
const ASKS_FOR_ONE =
  /\b(?:who(?:se|m)?|where|when|what|which|how (?:much|many|often|long|old|far|big|tall|late|early))\b/i;
const NOT_AUXILIARY = '(?!(?:is|are|am|does|do|has|have|will|can)\\b)';
/**
 * Wordings about experiences, manners, reasons, several things, opinions, or a state in some month: no state
 * that a later turn replaces.
 */
const NO_STATE = new RegExp(
  [
    "\\b(?:has|have)(?:n't)? (?:[\\w']+ ){0,4}(?:been|taken|seen|done|made|got|bought|read|\\w+ed)\\b",
    '^why\\b|^how (?:do|does|is|are|will|can|would)\\b',
    `\\b(?:what|which) (?:${NOT_AUXILIARY}[\\w'-]+ ){0,2}?${NOT_AUXILIARY}[\\w'-]+[^s\\W]s\\b|\\bwhat are\\b|\\bnames of\\b`,
    '\\b(?:both|each other|together|in common|thinks?|feels?|says?|means?|reasons?|would|might|could|should)\\b',
    '\\b(?:in|on|as of|during) (?:[\\d ]*(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:19|20)\\d\\d)\\b',
  ].join('|'),
  'i',
);

/**
 * Returns how a question asks for the present; undefined if it doesn't. `asksState`: it asks for an attribute
 * that has one value at a time.
 */
export const asksForPresent = (question: string, asksState: boolean): Present | undefined => {
  if (HAPPENED.test(question)) return undefined;
  if (NOW.test(question)) return 'now';
  if (asksState) return 'attribute';
  return ASKS_FOR_ONE.test(question) && !NO_STATE.test(question) ? 'state' : undefined;
};

/** Returns the places of the turns that `lately` may move. */
export const reorderedPlaces = (ranked: readonly Ranked[]): number[] =>
  ranked.flatMap(({ candidate }, place) => (candidate.kind === 'turn' ? [place] : [])).slice(0, REORDERED);

/**
 * Returns the ranking with its first turns reordered. Places keep their scores: the probability that the hit
 * at that place is evidence.
 *
 * @param textOf the text of one of these turns, by its candidate's key; undefined if it is gone
 */
export const lately = (
  ranked: readonly Ranked[],
  present: Present,
  textOf: (key: number) => string | undefined,
): Ranked[] => {
  const places = reorderedPlaces(ranked);
  const times = places.map(place => ranked[place]!.candidate.timestamp);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const { earlier, changed } = WEIGHTS[present];
  const oddsOf = ({ score, candidate }: Ranked): number =>
    Math.log(score / (1 - score)) -
    (earlier * (last - candidate.timestamp)) / (last - first || 1) +
    (tellsChange(textOf(candidate.key) ?? '') ? changed : 0);
  const moved = places
    .map(place => ranked[place]!)
    .map(one => ({ one, odds: oddsOf(one) }))
    .sort((a, b) => b.odds - a.odds);
  const reordered = [...ranked];
  for (const [i, place] of places.entries()) {
    const { one } = moved[i]!;
    const { score } = ranked[place]!;
    reordered[place] =
      one.score === score ? one : { ...one, score, factor: ((one.factor ?? 1) * score) / one.score };
  }
  return reordered;
};
