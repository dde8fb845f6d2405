/** What made a hit's score, in words: the summands of its log-odds by what they look at, and how they add up. */
import type { Aspect, Explanation } from '../api/types.ts';
import { chance } from './numbers.ts';

export const ASPECT_NAMES: Record<Aspect, string> = {
  words: "The question's own words",
  meaning: 'Near meanings',
  conversation: 'The turns around it',
  speaker: 'Who speaks',
  time: 'When it was said',
  form: 'The form of the text',
};

/** Each read after the name of its aspect. */
const FEATURE_NAMES: Record<string, string> = {
  bm25: 'how many, and how rare',
  coverage: 'the share of them that it has',
  rareCoverage: 'the share of them, the rare ones first',
  exactCoverage: 'a name, a code or a bare word as it is written',
  sameWords: 'all of them and no others',
  maxSim: 'word by word, the nearest to each of the question',
  cosine: 'of the whole text',
  cosineRelative: 'of the whole text, beside the other candidates',
  likeBestHit: 'like one of the best hits',
  likeQueryAndHits: 'like the question and the best hits together',
  bm25Next: "the question's words in the next turn",
  bm25Previous2: "the question's words two turns before",
  pairRelative: "the question's words here and in the turn before",
  session: "the question's words in the whole session",
  sessionBest: "the session's best turn by the question's words",
  sessionMaxSim: "the session's best turn by near meanings",
  maxSimPrevious: 'near meanings in the turn before',
  maxSimWindow: 'near meanings within two turns',
  maxSimWindowRelative: 'near meanings within two turns, beside the other candidates',
  cosineWindow: 'all within two turns as one text',
  windowLikeQueryAndHits: 'all within two turns, like the question and the best hits together',
  answersQuestion: 'a question like this one comes before it',
  strengthNext: 'strong hits in the two turns after it',
  strengthSession: 'strong hits elsewhere in the session',
  speaker: 'one whom the question names',
  otherSpeaker: 'not whom the question names',
  assistant: 'an assistant, whom the question does not name',
  temporal: 'asked when, and it has a word of time',
  duration: 'asked how long, and it has a duration',
  dateMonth: 'in the month that the question names',
  dateDay: 'on the day that the question names',
  dateMonthAfter: 'in the month after the one that the question names',
  question: 'it asks something itself',
  length: 'how long it is',
  number: 'asked how many, and it has a number',
  properName: 'asked for a name, and it has one',
  firstPerson: 'it speaks of oneself',
};

/** A feature that this page has no words for yet is told by the service's name for it. */
export const featureName = (feature: string): string => FEATURE_NAMES[feature] ?? feature;

export interface AspectSum {
  aspect: Aspect;
  /** What its features add to the log-odds together, or take from them. */
  logOdds: number;
  /** Those that still count with two digits, the weightiest first; the sum is over all of them. */
  features: { feature: string; logOdds: number }[];
}

const sum = (parts: Explanation['parts']): number =>
  parts.reduce((total, { log_odds }) => total + log_odds, 0);

/** The parts by what they look at: the weightiest aspect first. */
export const byAspect = ({ parts }: Explanation): AspectSum[] =>
  [...Map.groupBy(parts, ({ aspect }) => aspect)]
    .map(([aspect, own]) => ({
      aspect,
      logOdds: sum(own),
      features: own
        .map(({ feature, log_odds }) => ({ feature, logOdds: log_odds }))
        .filter(({ logOdds }) => Math.abs(logOdds) >= 0.005),
    }))
    .sort((a, b) => Math.abs(b.logOdds) - Math.abs(a.logOdds));

/** With its sign, so that adding and taking away are told apart: +1.20, −0.35, 0.00. */
export const signed = (value: number): string => {
  const digits = Math.abs(value).toFixed(2);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? '−' : '+'}${digits}`;
};

/** How base, parts and factor make the score. */
export const addsUp = (explanation: Explanation): string => {
  const { base, parts, factor } = explanation;
  const all = sum(parts);
  const logOdds = base + all;
  const own = 1 / (1 + Math.exp(-logOdds));
  const made = `Every text begins at ${signed(base)}; with ${signed(all)} from the parts that makes ${signed(logOdds)}, which is a chance of ${chance(own)}`;
  return factor === 1
    ? `${made}: the score.`
    : `${made}. It takes a place behind the turns, so it counts times ${chance(factor)}, the least of their scores: ${chance(factor * own)}.`;
};
