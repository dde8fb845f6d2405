/**
 * Plain sentences of what a sentence says in another shape: "Debrecen, where we live" says "We live in
 * Debrecen". The reading then decides whether a fact is in them: a shape may be generous, since a value that
 * doesn't fit its attribute is none.
 */
import { uncleft } from './clefts.ts';
import { coupleIn } from './couples.ts';
import { doneToSpeaker } from './done-to-speaker.ts';
import { fragmentsIn } from './fragments.ts';
import { pointedBack } from './pointed-back.ts';
import { turnedRound } from './turned-round.ts';

const LONGEST_SENTENCE = 400;
const MOST_SENTENCES = 4;

/**
 * Returns what a sentence also says, as plain sentences of its speaker; most say nothing more. Linear in the
 * sentence.
 */
export function plainSentencesIn(sentence: string): string[] {
  if (sentence.length > LONGEST_SENTENCE) return [];
  return [
    ...fragmentsIn(sentence),
    ...turnedRound(sentence),
    ...doneToSpeaker(sentence),
    ...pointedBack(sentence),
    ...uncleft(sentence.replace(/[.!…\s]+$/, '')),
    ...coupleIn(sentence),
  ].slice(0, MOST_SENTENCES);
}
