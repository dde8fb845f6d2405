/**
 * Recognises turns that only ask what is asked now: what an assistant was asked has no part in the answer.
 */
import { DocumentFlag, isQuestion } from '../language/words/flags.ts';
import { fnv1a } from '../language/words/fnv.ts';
import { stem } from '../language/words/stems.ts';
import { STOP_WORDS } from '../language/words/stop-words.ts';
import { wordsOf } from '../language/words/words.ts';
import { type Document, wholeOf } from '../search/document.ts';
import { chatOf } from './features/chat-kind.ts';
import type { Ranked } from './rank.ts';

const ASKS =
  /^\W*(?:(?:so|and|but|ok|okay|hey|hi|please|again|sorry)\W+)*(?:who(?:se|m)?|what|where|when|which|why|how|do|does|did|is|are|am|was|were|has|have|had|can|could|will|would|should)\b/i;
/** Words beside those of the question itself. */
const BESIDE =
  'again please hey hi hello ok okay remember remind tell know current currently today day still actual actually just quick question well sorry wonder';

const stemsOf = (words: readonly string[]): number[] => words.map(word => fnv1a(stem(word)));
const NO_CONTENT: ReadonlySet<number> = new Set(stemsOf([...STOP_WORDS, ...BESIDE.split(' ')]));
/** In words: a longer turn says something. */
const LONGEST = 40;

/**
 * Returns whether a turn repeats the question and says nothing else: a question whose words are all among
 * those of this one, or the names of the speakers.
 */
export const makeRepeats = (
  question: string,
  speakers: readonly string[],
): ((document: Pick<Document, 'flags' | 'length' | 'stems'>) => boolean) => {
  if (!isQuestion(question) && !ASKS.test(question)) return () => false;
  const asked = new Set(stemsOf(wordsOf(question)));
  const known = asked.union(NO_CONTENT).union(new Set(stemsOf(speakers.flatMap(wordsOf))));
  return ({ flags, length, stems }) =>
    (flags & DocumentFlag.question) !== 0 &&
    length <= LONGEST &&
    stems.every(one => known.has(one)) &&
    stems.some(one => asked.has(one) && !NO_CONTENT.has(one));
};

/**
 * Whether turns that repeat the question are left out: of a user with an assistant, or alone. Among people a
 * question is part of what was said: who asked it, and whom.
 */
export const leavesOutRepeats = (speakers: readonly string[]): boolean =>
  chatOf(speakers) === 'assistant' || speakers.every(role => role === 'user');

/** Returns the ranking by which the confidence is judged: being the question is no answer to it. */
export const withoutRepeats = (
  ranked: readonly Ranked[],
  repeats: ReturnType<typeof makeRepeats>,
): readonly Ranked[] => {
  const others = ranked.filter(({ candidate }) => candidate.kind !== 'turn' || !repeats(wholeOf(candidate)));
  return others.length > 0 ? others : ranked;
};

/** Whether a turn follows such a question in its session. */
export const followsRepeat = (
  { candidate }: Pick<Ranked, 'candidate'>,
  repeats: ReturnType<typeof makeRepeats>,
): boolean => {
  const [, before] = candidate.neighbours;
  return before !== undefined && repeats(before.document) && !repeats(wholeOf(candidate));
};
