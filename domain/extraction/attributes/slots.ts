import type { Predicate } from '../reading/clause.ts';
import type { Complement } from '../reading/phrases.ts';
import type { Token } from '../reading/tokens.ts';
import { ADVERB, PREPOSITION } from '../reading/word-classes.ts';
import type { Frame, SlotWord } from './frame.ts';

/** Returns the indexes at which the frame's value may begin. */
export function placesOf(
  { slot }: Frame,
  tokens: readonly Token[],
  { to }: Predicate,
  complement: Complement,
): readonly number[] {
  if (slot.kind === 'verb') return [complement.from];
  if (slot.kind === 'object') return complement.object < to ? [complement.object] : NOWHERE;
  if (slot.kind === 'preposition') {
    if (complement.phrases.length === 0) return NOWHERE;
    return complement.phrases
      .filter(({ preposition }) => slot.prepositions.has(preposition))
      .map(({ from }) => from);
  }
  const from = afterWords(slot.words, tokens, complement.from, to);
  return from === undefined ? NOWHERE : [from];
}
const NOWHERE: readonly number[] = [];

/** Returns the index after the words of a slot; adverbs may stand before each. */
function afterWords(
  words: readonly SlotWord[],
  tokens: readonly Token[],
  start: number,
  to: number,
): number | undefined {
  let at = start;
  for (const { options, isOptional } of words) {
    if (isOptional) {
      while (at < to && options.has(tokens[at]!.lower)) at++;
      continue;
    }
    while (at < to && !options.has(tokens[at]!.lower) && isPlainAdverb(tokens[at]!)) at++;
    if (at >= to || !options.has(tokens[at]!.lower)) return undefined;
    at++;
  }
  return at;
}
const isPlainAdverb = ({ bits }: Token): boolean => (bits & ADVERB) !== 0 && (bits & PREPOSITION) === 0;
