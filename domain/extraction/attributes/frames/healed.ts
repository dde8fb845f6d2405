/** Illnesses and injuries that are over: "I've recovered from the flu", "my wrist is completely healed". */
import type { Predicate, Reading } from '../../reading/clause.ts';
import { textOf } from '../../reading/tokens.ts';
import { type Frame, frame } from '../frame.ts';
import type { Said } from '../meaning.ts';
import { condition, isCondition, PARTS } from './conditions.ts';

const over = { list: true, ended: true } as const;
export const HEALED_FRAMES: readonly Frame[] = [
  frame('health', 'event', 'recover', '~from', condition, over),
  frame('health', 'state', 'be', 'fully|completely|totally|finally? recovered from', condition, over),
  frame('health', 'state', 'be', 'cured|free|rid of', condition, over),
  frame('health', 'state', 'be', 'over the|my?', condition, over),
  frame('health', 'event', 'get', 'over the|my?', condition, over),
];

const IS_OVER =
  /^(?:(?:now|finally|completely|fully|totally|all|already) )*(?:healed|cured|gone|mended|(?:fine|ok|okay|good|all right|as good as new|well|working) again|good as new|back to normal|a thing of the past|history)(?! (?:to|for a|for the|until|on|crazy|mad|wild|enough|if|with)\b)/;

/** One of them stands early in what is over. */
const OVER_WORDS = new Set('healed cured gone mended again new normal past history'.split(' '));

/** Returns the end of an injury or an illness: "my wrist is completely healed", "my asthma is gone". */
export function healedOf(
  { subject, tokens }: Reading,
  { verb, from, to }: Pick<Predicate, 'verb' | 'from' | 'to'>,
): Said | undefined {
  if (verb.lemma !== 'be' || verb.denied || verb.intent !== undefined || verb.tense === 'past')
    return undefined;
  if (subject.relation !== undefined) return undefined;
  if (!tokens.slice(from, Math.min(to, from + 4)).some(({ lower }) => OVER_WORDS.has(lower)))
    return undefined;
  const noun = (subject.thing ?? '').toLowerCase();
  const last = noun.split(' ').at(-1)!;
  const value = PARTS.has(last) ? last : isCondition(noun) ? noun : undefined;
  if (value === undefined || !IS_OVER.test(textOf(tokens, from, to).toLowerCase())) return undefined;
  return { attribute: 'health', value, ended: true, stance: 'changed' };
}
