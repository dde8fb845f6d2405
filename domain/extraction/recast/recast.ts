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
import { ofProjects } from './projects.ts';
import { turnedRound } from './turned-round.ts';

const LONGEST_SENTENCE = 400;
const MOST_SENTENCES = 4;

/**
 * Returns what a sentence also says, as plain sentences of its speaker; most say nothing more. Linear in the
 * sentence.
 */
export function plainSentencesIn(sentence: string): string[] {
  if (sentence.length > LONGEST_SENTENCE || !MAY_HOLD.test(sentence)) return NONE;
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
  ].slice(0, MOST_SENTENCES);
}
const NONE: string[] = [];
const ENDS = '.!… ';
/** A word that one of the shapes needs: most sentences have none, and cost no more than this. */
const MAY_HOLD =
  /\b(?:my|our|me|us|moved in|due|deadline|budget|to be|as an?|name|number|email|e-mail|address|birthday|here|where|who|whom|whose|which|of mine|of ours|since|for \w+ years|resident|dweller|allergy|first|last|final|is a|are a|isn['’]t|and I|I|and|to sleep|put down)\b|:|\b(?:down|up|now|at) (?:to )?\d|\b(?:his|her|s?he['’])/i;
