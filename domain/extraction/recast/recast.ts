/**
 * Plain sentences of what a sentence says in another shape: "Debrecen, where we live" says "We live in
 * Debrecen". The reading then decides whether a fact is in them: a shape may be generous, since a value that
 * doesn't fit its attribute is none.
 */
import { uncleft } from './clefts.ts';
import { coupleIn } from './couples.ts';
import { doneToSpeaker } from './done-to-speaker.ts';
import { embeddedIn } from './embedded.ts';
import { fragmentsIn } from './fragments.ts';
import { introducedIn } from './introduced.ts';
import { calledOff } from './over/called-off.ts';
import { goneIn } from './over/gone.ts';
import { pointedBack } from './pointed-back.ts';
import { ofProjects } from './projects.ts';
import { replacedIn } from './replaced.ts';
import { turnedRound } from './turned-round.ts';

const LONGEST_SENTENCE = 400;
const MOST_SENTENCES = 4;
const ENDS = '.!… ';

/**
 * Returns what a sentence also says, as plain sentences of its speaker; most say nothing more. Linear in the
 * sentence.
 */
export function plainSentencesIn(sentence: string): string[] {
  if (sentence.length > LONGEST_SENTENCE) return [];
  let end = sentence.length;
  while (end > 0 && ENDS.includes(sentence.charAt(end - 1))) end--;
  const text = sentence.slice(0, end);
  return [
    ...fragmentsIn(text),
    ...turnedRound(text),
    ...doneToSpeaker(text),
    ...pointedBack(text),
    ...uncleft(text),
    ...coupleIn(text),
    ...ofProjects(text),
    ...calledOff(text),
    ...embeddedIn(text),
    ...replacedIn(text),
    ...goneIn(text),
    ...introducedIn(text),
  ].slice(0, MOST_SENTENCES);
}
