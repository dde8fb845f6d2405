import { GIVEN_NAMES, NOT_NAMES, PLACES } from '../names/known-names.ts';
import { relationOf } from '../reading/relations.ts';
import type { Lexicon } from './lexicon.ts';

/** Greetings, thanks and interjections that open a sentence; a name after a greeting is the listener's. */
const OPENER =
  /^(?:he+y+|hi+|hello+|hiya|yo+|wo+w|whoa+|woah|o+h+|a+h|aw+|omg|yeah+|yep|yup|ye+s+|no+|nope|nah|sure|ok|okay|well|so+|a?(?:ha){2,}h?|(?:he){2,}|lo+l+|lmf?ao+|rofl|h+m+|mm+|uh|um|man|ugh|oof|btw|by the way|anyways?|actually|honestly|seriously|thanks(?: so much| a lot)?|thank you|cool|nice|great|awesome|perfect|brilliant|lovely|amazing|wonderful|fair enough|easy|ouch|congrats|(?:sad|bad|good|great|big|terrible|awful) news|definitely|absolutely|totally|exactly|of course|for sure|true|right|al?right|also|plus|and|but|look|see|luckily|besides(?: that)?|likewise|unfortunately|fortunately|basically|in fact|to be honest|funny enough|turns out|speaking of which|(?:that|which) reminds me|you know|i mean|like|guess what|no problem|no worries|uh oh|same here|me too)\b(?:\s+(?:there|everyone|guys|all|man|dude|buddy|again|yeah|no|wow)\b)?/i;
const OPENER_NAME = /^,?\s+([A-Z][\p{L}'’-]+)(?=\s*[,!.…:]|\s*$|\s+(?:I|we|my|the|it|that)\b)/u;
const OPENER_END =
  /^\s*[,!.…:]+\s*|^\s+(?=(?:I|we|my|our|the|it|that|this|he|she|they|don['’]?t|can['’]?t)\b)/i;
const CONJUNCTION =
  /^(?:and|but|plus|also|btw|anyway|anyways|(?:so )?basically|ngl|tbh|imh?o|fyi)\s+|^(?:so|because|cause|cuz|cos)\s+(?=(?:i|we|my|the|it|he|she|they)\b)/i;
const VOCATIVE_START = /^([A-Z][\p{L}'’-]+)[,!]\s+/u;
const VOCATIVE_END = /,(?<=\b[a-z'’]+,)\s+([A-Z][\p{L}'’-]+)\s*([.!…]*)$/u;
const SLANG: readonly (readonly [RegExp, string])[] = [
  [/\bgonna\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\bgotta\b/gi, 'have to'],
  [/\bim\b/gi, "I'm"],
  [/\bive\b/gi, "I've"],
  [/\b(do|does|did|ca|wo|is|was|have|could|would)nt\b/gi, "$1n't"],
  [/\b(s?he)s\b/gi, "$1's"],
  [/\btheyre\b/gi, "they're"],
  [/\b(?:tmrw|tmr|2moro|tmw)\b/gi, 'tomorrow'],
  [
    /(?<=\p{L}) n (?=(?:i|im|i['’]m|ive|we|my|our|he|hes|she|shes|its?|the|want|have|need|got|am)\b)/giu,
    ' and ',
  ],
  [/(?<=\p{L}) w(?:\/ ?(?!o\b|e\b|out\b)| )(?=\p{L})/gu, ' with '],
  [/\b(my|our) (?:lil|little) bro\b/gi, '$1 little brother'],
  [/\b(my|our) (?:lil|little) sis\b/gi, '$1 little sister'],
  [/\bmy bday\b/gi, 'my birthday'],
  [/\b(my) (?:fave|fav) (?=\p{L})/giu, '$1 favourite '],
  [/\b(my|our|a|an) (?:bestie|bff)\b/gi, '$1 best friend'],
  [/\bmy bf(?= (?:is|was|and|has|had|said|just|called|lives|works|n)\b|['’]s|[,.!]|$)/gi, 'my boyfriend'],
  [/\bmy gf(?= (?:is|was|and|has|had|said|just|called|lives|works|n)\b|['’]s|[,.!]|$)/gi, 'my girlfriend'],
  [/(?<=\b(?:is|to|see|seeing|saw|with|called|and|by|from) )dr\.? (?=\p{Lu})/gu, 'Dr '],
];
const MAY_HOLD_SLANG =
  /\b(?:gonna|wanna|gotta|im|ive|(?:do|does|did|ca|wo|is|was|have|could|would)nt|s?hes|theyre|tmrw?|tmw|2moro|n|w|lil|bro|sis|bday|fave?|bestie|bff|[bg]f|dr)\b/i;

const isListener = (name: string): boolean => GIVEN_NAMES.has(name.toLowerCase());

const vocativeEnd = (text: string): RegExpExecArray | null =>
  text.includes(',') ? VOCATIVE_END.exec(text) : null;

/** Returns the name of the person addressed by a turn, if there is one: "Hey Ada, …", "Thanks, Ada!". */
export function listenerIn(sentences: readonly string[], lexicon: Lexicon): string | undefined {
  /** Excludes places, which also follow commas ("in Portland, Oregon"). */
  const addressed = (name: string | undefined): string | undefined => {
    if (name === undefined || NOT_NAMES.has(name.toLowerCase())) return undefined;
    return isListener(name) || (!lexicon.isCommon(name.toLowerCase()) && !PLACES.has(name.toLowerCase()))
      ? name
      : undefined;
  };
  for (const sentence of sentences) {
    const opener = addressed(openerOf(sentence).name);
    if (opener !== undefined) return opener;
    const start = addressed(VOCATIVE_START.exec(sentence)?.[1]);
    if (start !== undefined && isListener(start)) return start;
    const end = addressed(vocativeEnd(sentence)?.[1]);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** Returns the length of the greeting, thanks or interjection that opens a sentence, and the name in it. */
function openerOf(text: string): { length: number; name: string | undefined } {
  const word = OPENER.exec(text)?.[0];
  if (word === undefined) return { length: 0, name: undefined };
  const name = OPENER_NAME.exec(text.slice(word.length));
  const length = word.length + (name?.[0].length ?? 0);
  const end = OPENER_END.exec(text.slice(length));
  return end === null && length < text.length
    ? { length: 0, name: undefined }
    : { length: length + (end?.[0].length ?? 0), name: name?.[1] };
}

/** Returns the sentence without its openers ("Yeah, thanks Ada! ") and without the listener's name. */
export function withoutOpeners(sentence: string, listener: string | undefined): string {
  let text = sentence;
  if (MAY_HOLD_SLANG.test(text)) for (const [slang, plain] of SLANG) text = text.replace(slang, plain);
  for (let round = 0; round < 4; round++) {
    const length = openerOf(text).length || (CONJUNCTION.exec(text)?.[0].length ?? 0);
    if (length === 0 || length >= text.length) break;
    text = text.slice(length);
  }
  const start = VOCATIVE_START.exec(text);
  if (start !== null && (start[1] === listener || isListener(start[1]!))) text = text.slice(start[0].length);
  const end = vocativeEnd(text);
  // "We have a lodger, Florian" names him.
  const isNamed =
    end !== null && relationOf(/\p{L}+$/u.exec(text.slice(0, end.index))?.[0] ?? '') !== undefined;
  if (end !== null && !isNamed && (end[1] === listener || isListener(end[1]!)))
    text = text.slice(0, end.index) + end[2];
  return text;
}
