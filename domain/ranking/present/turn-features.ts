/** Features of the best turns of a question for the present, by which one is found that answers it. */
import type { Language } from '../../language/language.ts';
import { DocumentFlag } from '../../language/words/flags.ts';
import { wholeOf } from '../../search/document.ts';
import { AT } from '../features/feature-names.ts';
import type { Prepared } from '../features/features.ts';
import type { Ranked } from '../rank.ts';
import { type AnswerType, askedFor, holdsType } from './asked.ts';
import { cosine, type Focus, focusOf } from './focus.ts';
import { type TurnCues, turnCues } from './turn-cues.ts';
import type { Wording, WordingOf } from './wording.ts';

/** One of the best turns, with the words of its part that matters. */
export interface ReadTurn {
  one: Ranked;
  text: string;
}

/** A turn with what is known of it beside the others. */
export interface Described extends ReadTurn, Focus {
  wording: Wording;
  cues: TurnCues;
  /** Log-odds of the score. */
  odds: number;
  /** Place in time among the turns, from 0, the earliest, to 1. */
  late: number;
  /** The share of their time that had passed. */
  elapsed: number;
  /** Content words that the question doesn't have. */
  words: ReadonlySet<number>;
}

/** Features of the ranking that are taken over. */
const RANKED = [
  'cosine',
  'cosineWindow',
  'maxSim',
  'maxSimWindow',
  'coverage',
  'bm25',
  'maxSimPrevious',
  'answersQuestion',
  'answersSimilarQuestion',
  'speaker',
  'otherSpeaker',
  'assistant',
  'firstPerson',
  'length',
] as const;

const OWN = [
  'odds',
  'rawCosine',
  'fit',
  'holds',
  'newsWording',
  'asks',
  'follows',
  'followsSimilar',
  'short',
  'change',
  'news',
  'unreal',
  'over',
  'passing',
  'othersPeople',
  'ofOthers',
  'askedPeople',
  'lacksPeople',
  'hasType',
  'lacksType',
  'hasName',
  'namesEarlier',
  'namedLater',
  'namedLaterInChange',
] as const;

/** Names of the features of a turn, in the order of a row. */
export const TURN_FEATURES = [...OWN, ...RANKED] as const;

const SHORT = 6;
const HOUR = 3_600_000;
/** Neither a long sentence nor a lucky word decides alone. */
const MOST_ODDS = 5;
const bounded = (odds: number): number => Math.max(-MOST_ODDS, Math.min(MOST_ODDS, odds));
const flag = (is: boolean): number => (is ? 1 : 0);

export const oddsOf = ({ score }: Pick<Ranked, 'score'>): number => Math.log(score / (1 - score));

const isAnswer = ({ candidate: { role, timestamp, neighbours } }: Ranked): boolean => {
  const before = neighbours[1];
  return (
    before !== undefined &&
    before.role !== role &&
    (before.document.flags & DocumentFlag.question) !== 0 &&
    timestamp - before.timestamp < HOUR
  );
};

/** Returns the words that both have, as a share of the shorter one's. */
export const sharedWords = (a: ReadonlySet<number>, b: ReadonlySet<number>): number => {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / Math.max(1, Math.min(a.size, b.size));
};

/** Reads the best turns, each beside the others. */
export const describe = (
  { language, wordingOf }: { language: Pick<Language, 'analyse'>; wordingOf: WordingOf },
  prepared: Prepared,
  turns: readonly ReadTurn[],
): Described[] => {
  const inQuery = new Set(prepared.query.keys);
  const times = turns.map(({ one }) => one.candidate.timestamp);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return turns.map(({ one, text }, i) => {
    const focus = focusOf(language, prepared, one.candidate, text);
    const sentence = wordingOf(focus.sentence);
    const around = focus.around === focus.sentence ? sentence : wordingOf(focus.around);
    return {
      one,
      text,
      ...focus,
      wording: { holds: bounded(sentence.holds), news: bounded(Math.max(sentence.news, around.news)) },
      cues: turnCues(focus.sentence, focus.around),
      odds: oddsOf(one),
      late: times.filter(time => time < times[i]!).length / Math.max(1, turns.length - 1),
      elapsed: (times[i]! - first) / (last - first || 1),
      words: new Set([...wholeOf(one.candidate).words].filter(word => !inQuery.has(word))),
    };
  });
};

/** Returns a row of features per turn, in the order of `TURN_FEATURES`. */
export const turnRows = (
  question: string,
  { query }: Prepared,
  turns: readonly Described[],
): Float64Array[] => {
  const asked = askedFor(question);
  const best = Math.max(...turns.map(({ odds }) => odds));
  return turns.map(turn => {
    const { one, cues, late, words } = turn;
    const { document, neighbours } = one.candidate;
    const most = (others: readonly Described[]): number =>
      others.reduce((max, other) => Math.max(max, sharedWords(words, other.words)), 0);
    const later = turns.filter(other => other.late > late);
    const follows = isAnswer(one);
    const own: Record<(typeof OWN)[number], number> = {
      odds: turn.odds - best,
      rawCosine: cosine(query.vector, document.vector),
      fit: turn.fit,
      holds: turn.wording.holds,
      newsWording: turn.wording.news,
      asks: flag(cues.asks),
      follows: flag(follows),
      followsSimilar: follows ? cosine(query.vector, neighbours[1]!.document.vector) : 0,
      short: flag(document.length <= SHORT),
      change: flag(cues.change),
      news: flag(cues.news),
      unreal: flag(cues.unreal),
      over: flag(cues.over),
      passing: flag(cues.passing),
      ...peopleFeatures(asked.people, cues.people),
      ofOthers: flag(asked.people.size === 0 && cues.ofOthers),
      ...typeFeatures(asked.type, turn.around),
      namesEarlier: most(turns.filter(other => other.late < late)),
      namedLater: most(later),
      namedLaterInChange: most(later.filter(other => other.cues.change || other.cues.news)),
    };
    return Float64Array.from([...OWN.map(name => own[name]), ...RANKED.map(name => one.features[AT[name]]!)]);
  });
};

const peopleFeatures = (asked: ReadonlySet<string>, named: ReadonlySet<string>) => {
  const isAsked = [...asked].some(word => named.has(word));
  return {
    othersPeople: flag(asked.size === 0 && named.size > 0),
    askedPeople: flag(isAsked),
    lacksPeople: flag(asked.size > 0 && !isAsked),
  };
};

const typeFeatures = (type: AnswerType, text: string) => {
  const holds = holdsType(type, text);
  return {
    hasType: flag(holds === true),
    lacksType: flag(holds === false),
    hasName: flag(type === 'what' && holdsType('who', text) === true),
  };
};
