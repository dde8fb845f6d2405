import type { Language } from '../../language/language.ts';
import { DocumentFlag } from '../../language/words/flags.ts';
import { wholeOf } from '../../search/document.ts';
import { AT } from '../features/feature-names.ts';
import type { Prepared } from '../features/features.ts';
import type { Ranked } from '../rank.ts';
import { type AnswerType, askedFor, holdsType } from './asked.ts';
import type { Present } from './asks-for-present.ts';
import { cosine, type Focus, focusOf } from './focus.ts';
import { type TurnCues, turnCues } from './turn-cues.ts';
import type { Wording } from './wording.ts';

/** One of the best turns, with the words of its part that matters. */
export interface ReadTurn {
  one: Ranked;
  text: string;
}

/** A turn with what is known of it beside the others. */
export interface Judged extends ReadTurn, Focus {
  wording: Wording;
  cues: TurnCues;
  /** Log-odds of the score. */
  odds: number;
  /** Place in time among the turns, from 0, the earliest, to 1. */
  late: number;
  /** The share of their time that had passed. */
  elapsed: number;
  /** Whether it follows another speaker's question. */
  answers: boolean;
  /** Content words that the question doesn't have. */
  words: ReadonlySet<number>;
  row: Float64Array;
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
  'oddsNow',
  'oddsAttribute',
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
  'adds',
  'denies',
  'addresses',
  'othersPeople',
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
export type TurnFeature = (typeof TURN_FEATURES)[number];

export const oddsOf = ({ score }: Pick<Ranked, 'score'>): number => Math.log(score / (1 - score));

const HOUR = 3_600_000;

const isAnswer = ({ candidate: { role, timestamp, neighbours } }: Ranked): boolean => {
  const before = neighbours[1];
  return (
    before !== undefined &&
    before.role !== role &&
    (before.document.flags & DocumentFlag.question) !== 0 &&
    timestamp - before.timestamp < HOUR
  );
};

/** The share of a turn's further words that another one has too. */
export const sharedWords = (a: ReadonlySet<number>, b: ReadonlySet<number>): number => {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / Math.max(1, Math.min(a.size, b.size));
};

/** Neither a long sentence nor a lucky word decides alone. */
const MOST_ODDS = 5;
const bounded = (sentence: Wording, around: Wording): Wording => ({
  holds: Math.max(-MOST_ODDS, Math.min(MOST_ODDS, sentence.holds)),
  news: Math.max(-MOST_ODDS, Math.min(MOST_ODDS, Math.max(sentence.news, around.news))),
});

/** Places from 0 to 1 in the order of the values. */
const placesOf = (values: readonly number[]): number[] =>
  values.map(value => values.filter(other => other < value).length / Math.max(1, values.length - 1));

/** Describes the best turns of a question for the present, each beside the others. */
export const judge = (
  { language, wordingOf }: { language: Pick<Language, 'analyse'>; wordingOf: (sentence: string) => Wording },
  question: string,
  prepared: Prepared,
  present: Present,
  turns: readonly ReadTurn[],
): Judged[] => {
  const { query } = prepared;
  const asked = askedFor(question);
  const inQuery = new Set(query.keys);
  const odds = turns.map(({ one }) => oddsOf(one));
  const best = Math.max(...odds);
  const times = turns.map(({ one }) => one.candidate.timestamp);
  const late = placesOf(times);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const known = turns.map(({ one, text }, i) => {
    const focus = focusOf(language, prepared, one.candidate, text);
    return {
      one,
      text,
      ...focus,
      wording: bounded(wordingOf(focus.sentence), wordingOf(focus.around)),
      cues: turnCues(focus.sentence, focus.around),
      odds: odds[i]!,
      late: late[i]!,
      elapsed: (times[i]! - first) / (last - first || 1),
      answers: isAnswer(one),
      words: new Set([...wholeOf(one.candidate).words].filter(word => !inQuery.has(word))),
    };
  });
  return known.map((turn, i): Judged => {
    const { cues, one, around } = turn;
    const earlier = known.filter((_, j) => times[j]! < times[i]!);
    const later = known.filter((_, j) => times[j]! > times[i]!);
    const most = (others: typeof known): number =>
      others.reduce((max, other) => Math.max(max, sharedWords(turn.words, other.words)), 0);
    const gap = turn.odds - best;
    const own: Record<(typeof OWN)[number], number> = {
      odds: gap,
      oddsNow: present === 'now' ? gap : 0,
      oddsAttribute: present === 'attribute' ? gap : 0,
      rawCosine: cosine(query.vector, one.candidate.document.vector),
      fit: turn.fit,
      holds: turn.wording.holds,
      newsWording: turn.wording.news,
      follows: turn.answers ? 1 : 0,
      followsSimilar: turn.answers ? cosine(query.vector, one.candidate.neighbours[1]!.document.vector) : 0,
      short: one.candidate.document.length <= 6 ? 1 : 0,
      change: cues.change,
      news: cues.news,
      unreal: cues.unreal,
      over: cues.over,
      passing: cues.passing,
      adds: cues.adds,
      denies: cues.denies,
      asks: cues.asks,
      addresses: cues.addresses,
      ...peopleFeatures(asked.people, cues.people),
      ...typeFeatures(asked.type, around),
      namesEarlier: most(earlier),
      namedLater: most(later),
      namedLaterInChange: most(later.filter(other => other.cues.change + other.cues.news > 0)),
    };
    const row = Float64Array.from([
      ...OWN.map(name => own[name]),
      ...RANKED.map(name => one.features[AT[name]]!),
    ]);
    return { ...turn, row };
  });
};

const peopleFeatures = (asked: ReadonlySet<string>, named: ReadonlySet<string>) => {
  const isAsked = [...asked].some(word => named.has(word));
  return {
    othersPeople: asked.size === 0 && named.size > 0 ? 1 : 0,
    askedPeople: isAsked ? 1 : 0,
    lacksPeople: asked.size > 0 && !isAsked ? 1 : 0,
  };
};

const typeFeatures = (type: AnswerType, text: string) => {
  const holds = holdsType(type, text);
  return {
    hasType: holds === true ? 1 : 0,
    lacksType: holds === false ? 1 : 0,
    hasName: type === 'what' && holdsType('who', text) ? 1 : 0,
  };
};
