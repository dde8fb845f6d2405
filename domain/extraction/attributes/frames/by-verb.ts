/** The frames of all attributes, by their verbs and by the word behind the verb. */
import type { Token } from '../../reading/tokens.ts';
import { ADVERB, PREPOSITION } from '../../reading/word-classes.ts';
import type { Frame } from '../frame.ts';
import { BODY_FRAMES } from './body.ts';
import { PEOPLE_FRAMES } from './people.ts';
import { PLACE_FRAMES } from './places.ts';
import { STUDY_FRAMES } from './study.ts';
import { TASTE_FRAMES } from './tastes.ts';
import { THING_FRAMES } from './things.ts';
import { WORK_FRAMES } from './work.ts';

/** Frames of a verb, in the order in which they are tried. */
interface OfVerb {
  all: readonly Frame[];
  /** Those that the word behind the verb leaves possible. */
  byWord: ReadonlyMap<string, readonly Frame[]>;
  /** Those that any other word leaves possible. */
  anyWord: readonly Frame[];
}

/** The words of which one must follow the verb, adverbs apart; undefined where a frame asks for none. */
const firstWords = ({ slot }: Frame): ReadonlySet<string> | undefined => {
  const first = slot.kind === 'words' ? slot.words[0] : undefined;
  return first === undefined || first.isOptional ? undefined : first.options;
};

const ofVerb = (all: readonly Frame[]): OfVerb => {
  const words = new Set(all.flatMap(frame => [...(firstWords(frame) ?? [])]));
  const leftBy = (word: string): readonly Frame[] =>
    all.filter(frame => firstWords(frame)?.has(word) ?? true);
  return {
    all,
    byWord: new Map([...words].map(word => [word, leftBy(word)])),
    anyWord: all.filter(frame => firstWords(frame) === undefined),
  };
};

const byVerb = new Map<string, Frame[]>();
for (const frame of [
  ...PLACE_FRAMES,
  ...WORK_FRAMES,
  ...STUDY_FRAMES,
  ...PEOPLE_FRAMES,
  ...BODY_FRAMES,
  ...TASTE_FRAMES,
  ...THING_FRAMES,
])
  for (const verb of frame.verbs) byVerb.set(verb, [...(byVerb.get(verb) ?? []), frame]);

const FRAMES: ReadonlyMap<string, OfVerb> = new Map(
  [...byVerb].map(([verb, frames]) => [verb, ofVerb(frames)]),
);
const NONE: readonly Frame[] = [];

/** Whether any frame has the verb. */
export const hasFrames = (lemma: string): boolean => FRAMES.has(lemma);

/** Returns the frames of a verb that the words from `from` to `to` (excluded) may fit. */
export function framesAt(
  lemma: string,
  tokens: readonly Token[],
  from: number,
  to: number,
): readonly Frame[] {
  const frames = FRAMES.get(lemma);
  if (frames === undefined) return NONE;
  const next = from < to ? tokens[from] : undefined;
  if (next === undefined) return frames.anyWord;
  // Behind an adverb stands the word that counts.
  if (next.bits & ADVERB && !(next.bits & PREPOSITION)) return frames.all;
  return frames.byWord.get(next.lower) ?? frames.anyWord;
}
