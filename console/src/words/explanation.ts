/** Explains a hit's score: the parts of its log-odds by aspect, and how they add up. */
import type { Aspect, Explanation } from '../api/types.ts';
import { chance } from './numbers.ts';

export const ASPECT_NAMES: Record<Aspect, string> = {
  words: 'Words of the question',
  meaning: 'Similar meaning',
  conversation: 'Surrounding turns',
  speaker: 'Speaker',
  time: 'Time',
  form: 'Form of the text',
};

/** Descriptions of features, shown after the name of their aspect. */
const FEATURE_NAMES: Record<string, string> = {
  bm25: 'how many match, and how rare they are',
  coverage: 'share of them that match',
  rareCoverage: 'share of them that match, weighted by rarity',
  exactCoverage: 'a name, a code or a single word exactly as written',
  sameWords: 'all of them and no others',
  maxSim: 'nearest word to each word of the question',
  cosine: 'whole text',
  cosineRelative: 'whole text, relative to the other candidates',
  bm25Next: 'words of the question in the next turn',
  bm25Previous2: 'words of the question two turns before',
  pairRelative: 'words of the question here and in the turn before',
  session: 'words of the question in the whole session',
  sessionBest: 'best turn of the session by words',
  sessionMaxSim: 'best turn of the session by meaning',
  maxSimPrevious: 'similar meaning in the turn before',
  maxSimWindow: 'similar meaning within two turns',
  maxSimWindowRelative: 'similar meaning within two turns, relative to the other candidates',
  cosineWindow: 'all turns within two, as one text',
  windowLikeQueryAndHits: 'all turns within two, similar to the question and the best hits combined',
  answersQuestion: 'follows a question like this one',
  answersSimilarQuestion: 'follows a question of similar meaning',
  opening: 'begins its session',
  nearHit: 'within two turns of one of the first ten hits',
  speaker: 'named in the question',
  otherSpeaker: 'not the one named in the question',
  namedLater: 'said by the one whom the question names after another',
  assistant: 'an assistant, not named in the question',
  temporal: 'asked when, and it mentions a time',
  duration: 'asked how long, and it mentions a duration',
  dateMonth: 'in the month named in the question',
  dateDay: 'on the day named in the question',
  dateMonthAfter: 'in the month after the one named in the question',
  askedTime: 'not at the time that the question asks about',
  question: 'is itself a question',
  length: 'text length',
  number: 'asked how many, and it contains a number',
  properName: 'asked for a name, and it contains one',
  firstPerson: 'first person',
  standingWish: 'says what always or never to do, and help is asked for',
  preference: 'says what somebody prefers, and help is asked for',
};

/** Returns a feature's description; without one, the service's name for it. */
export const featureName = (feature: string): string => FEATURE_NAMES[feature] ?? feature;

export interface AspectSum {
  aspect: Aspect;
  /** The amount that its features add to the log-odds, or subtract. */
  logOdds: number;
  /** The features that are not zero at two digits, largest first; the sum includes all. */
  features: { feature: string; logOdds: number }[];
}

const sum = (parts: Explanation['parts']): number =>
  parts.reduce((total, { log_odds }) => total + log_odds, 0);

const bySize = (a: { logOdds: number }, b: { logOdds: number }): number =>
  Math.abs(b.logOdds) - Math.abs(a.logOdds);

/** Returns the parts by aspect, largest first. */
export const byAspect = ({ parts }: Explanation): AspectSum[] =>
  [...Map.groupBy(parts, ({ aspect }) => aspect)]
    .map(([aspect, own]) => ({
      aspect,
      logOdds: sum(own),
      features: own
        .map(({ feature, log_odds }) => ({ feature, logOdds: log_odds }))
        .filter(({ logOdds }) => Math.abs(logOdds) >= 0.005)
        .sort(bySize),
    }))
    .sort(bySize);

/** Formats a number with an explicit sign: +1.20, −0.35, 0.00. */
export const signed = (value: number): string => {
  const digits = Math.abs(value).toFixed(2);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? '−' : '+'}${digits}`;
};

/** Explains how base, parts and factor form the score. */
export const addsUp = (explanation: Explanation): string => {
  const { base, parts, factor } = explanation;
  const all = sum(parts);
  const logOdds = base + all;
  const own = 1 / (1 + Math.exp(-logOdds));
  const made = `Every text starts at ${signed(base)}; ${signed(all)} from the parts makes ${signed(logOdds)}, a probability of ${chance(own)}`;
  return factor === 1
    ? `${made}: the score.`
    : `${made}. It has the place of a turn or one behind the turns, so it is multiplied by ${factor.toPrecision(2)}: ${chance(factor * own)}.`;
};
