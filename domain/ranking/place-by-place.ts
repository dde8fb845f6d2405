/** Decides which places of the single list an extracted fact may take, and from which turn. */
import { wholeOf } from '../search/document.ts';
import type { ScopeWeights } from './features/scope-weights.ts';
import type { Ranked } from './rank.ts';

/** The first places keep turns: a speaker's own words are the best evidence. */
const TURNS_FIRST = 3;
/** By this place at least this many hits should be facts, if enough of them fit. */
const BY_PLACE = 15;
const FACTS_BY_PLACE = 2;
/** From this share on a fact says as much as its turn; if a fact is due, the lower share suffices. */
const AS_MUCH = 0.85;
const WHEN_DUE = 0.3;
/** If a turn is more than this many times as long as its fact, too much would be lost. */
const MOST_LEFT_OUT = 5;
/** Every nth place may go to an entity, except among the first, where a turn is worth more. */
const ENTITY_EVERY = 5;
const WITHOUT_ENTITY = 5;

/** How much of its turn's relevance to the question a fact keeps. */
export interface Said {
  /** 0 to 1: coverage of the question's words, each by its best synonym, weighted by rarity. */
  share: number;
  /** Whether the fact has all of the question's words that the turn has. */
  sameWords: boolean;
  /** The length of the turn as a multiple of the fact's, in content words. */
  longer: number;
}

/** Whether a fact may stand at a place (from 0) instead of its turn; `facts` is the number placed so far. */
export const mayStand = (place: number, facts: number, { share, sameWords, longer }: Said): boolean => {
  if (place < TURNS_FIRST || longer > MOST_LEFT_OUT) return false;
  const due = place < BY_PLACE && FACTS_BY_PLACE - facts >= BY_PLACE - place;
  return due ? share >= WHEN_DUE : sameWords && share >= AS_MUCH;
};

/** Whether a place (from 0) may go to an entity. */
export const isForEntity = (place: number): boolean =>
  place >= WITHOUT_ENTITY && place % ENTITY_EVERY === ENTITY_EVERY - 1;

export const shareSaid = (fact: Ranked, turn: Ranked, { idf }: Pick<ScopeWeights, 'idf'>): Said => {
  let [asked, said, sameWords] = [0, 0, true];
  for (let i = 0; i < idf.length; i++) {
    asked += idf[i]! * turn.match.best[i]!;
    said += idf[i]! * Math.min(fact.match.best[i]!, turn.match.best[i]!);
    if (turn.match.counts[i]! > 0 && fact.match.counts[i] === 0) sameWords = false;
  }
  const longer = wholeOf(turn.candidate).length / Math.max(1, fact.candidate.document.length);
  return { share: asked === 0 ? 1 : said / asked, sameWords, longer };
};
