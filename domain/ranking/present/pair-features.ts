/** Features of a turn beside the one that says what holds, by which it is found whether that replaces it. */
import { cosine } from './focus.ts';
import { kindsOf, sigmoid } from './now-features.ts';
import { type Described, sharedWords } from './turn-features.ts';

/** Names of the features, in the order of a row. */
export const PAIR_FEATURES = [
  'answers',
  'answersGap',
  'nowGap',
  'nowMargin',
  'earlier',
  'sameSpeaker',
  'cosine',
  'shared',
  'sharedNews',
  'sharedName',
  'sharedNameNews',
  'otherName',
  'otherNumber',
  'newsOfNow',
  'changeOfNow',
  'holdsOfNow',
  'unrealOfNow',
  'newsOfOld',
  'holdsOfOld',
  'unrealOfOld',
  'laterAsOver',
  'laterByOther',
  'asks',
  'bothAnswer',
  'isNext',
  'isNextNews',
  'isNextEarlier',
  'earlierChange',
] as const;

/** A turn with its log-odds: that it answers the question, and that it says what holds now. */
export interface Weighed {
  turn: Described;
  answers: number;
  now: number;
}

const NAME = /(?<=\s)\p{Lu}[\p{L}'’-]+/gu;
const NUMBER = /\d[\d:.,]*/g;
const found = (pattern: RegExp, text: string): Set<string> =>
  new Set((text.match(pattern) ?? []).map(name => name.toLowerCase()));
const flag = (is: boolean): number => (is ? 1 : 0);
const meet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => !a.isDisjointFrom(b);
const differ = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && !meet(a, b);

/** The turn that says what holds beside the others. */
export interface Lead {
  now: Weighed;
  /** How far it is before the next one, in log-odds. */
  margin: number;
  /** The best answer of the others, whether it holds or not; undefined without others. */
  next: Weighed | undefined;
}

export const pairRow = (question: string, old: Weighed, { now, margin, next }: Lead): Float64Array => {
  const asked = question.toLowerCase();
  const own = (pattern: RegExp, { turn: { sentence } }: Weighed): Set<string> =>
    new Set([...found(pattern, ` ${sentence}`)].filter(name => !asked.includes(name)));
  const [names, numbers] = [own(NAME, old), own(NUMBER, old)];
  const isShared = meet(names, own(NAME, now)) || meet(numbers, own(NUMBER, now));
  const shared = sharedWords(old.turn.words, now.turn.words);
  const [kinds, kindsOfNow] = [kindsOf(old.turn), kindsOf(now.turn)];
  const isEarlier = old.turn.late < now.turn.late;
  const isSameSpeaker = old.turn.one.candidate.role === now.turn.one.candidate.role;
  const isNext = flag(old === next);
  const row: Record<(typeof PAIR_FEATURES)[number], number> = {
    answers: old.answers,
    answersGap: old.answers - now.answers,
    nowGap: old.now - now.now,
    nowMargin: margin,
    earlier: flag(isEarlier),
    sameSpeaker: flag(isSameSpeaker),
    cosine: cosine(old.turn.one.candidate.document.vector, now.turn.one.candidate.document.vector),
    shared,
    sharedNews: shared * kindsOfNow.news,
    sharedName: flag(isShared),
    sharedNameNews: flag(isShared) * kindsOfNow.news,
    otherName: flag(differ(names, own(NAME, now))),
    otherNumber: flag(differ(numbers, own(NUMBER, now))),
    newsOfNow: kindsOfNow.news,
    changeOfNow: kindsOfNow.change,
    holdsOfNow: kindsOfNow.holds,
    unrealOfNow: kindsOfNow.unreal,
    newsOfOld: kinds.news,
    holdsOfOld: kinds.holds,
    unrealOfOld: kinds.unreal,
    laterAsOver: isEarlier ? 0 : kinds.unreal,
    laterByOther: isEarlier || isSameSpeaker ? 0 : shared,
    asks: flag(old.turn.cues.asks),
    isNext,
    isNextNews: isNext * kindsOfNow.news,
    isNextEarlier: isNext * flag(isEarlier),
    earlierChange: flag(isEarlier) * Math.max(kindsOfNow.change, kindsOfNow.news),
    bothAnswer: sigmoid(old.answers + 2) * sigmoid(now.answers + 2),
  };
  return Float64Array.from(PAIR_FEATURES, name => row[name]);
};
