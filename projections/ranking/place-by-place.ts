/** Which places of the one list an extracted fact may take, and from which turn. */
import { wholeOf } from '../recall/document.ts';
import type { Ranked } from './rank.ts';
import type { ScopeWeights } from './scope-weights.ts';

/** These places keep turns: what was said is the best evidence of it. */
const TURNS_FIRST = 3;
/** By this place so many are facts, where so many fit. */
const BY_PLACE = 15;
const FACTS_BY_PLACE = 2;
/** A fact says as much as its turn from this share on; where one is due, less will do. */
const AS_MUCH = 0.85;
const WHEN_DUE = 0.3;
/** Of a turn that says more than so many times its fact, much would be lost. */
const MOST_LEFT_OUT = 5;
/** One place in so many may go to an entity, but none of the first ones: there a turn is worth more. */
const ENTITY_EVERY = 5;
const WITHOUT_ENTITY = 5;

/** What a fact says of what its turn says of the question. */
export interface Said {
  /** 0 to 1: by the question's words, each by the best word that means it, weighted by how rare it is. */
  share: number;
  /** Whether it has all of the question's words that the turn has. */
  sameWords: boolean;
  /** How many times longer the turn is, in words that mean something. */
  longer: number;
}

/** Whether a fact may stand at a place (from 0) instead of its turn, after so many facts. */
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
