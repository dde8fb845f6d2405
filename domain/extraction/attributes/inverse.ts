/** Facts whose value comes first: "Tom is my boyfriend", "Emma is my favourite book". */

import type { SaidFact } from '../../../schemas/facts.ts';
import { relationOf } from '../reading/relations.ts';
import { isKinAdjective } from '../reading/subject.ts';
import { endsPhrase, hasComma, isUpper, type Token, textOf, tokensOf } from '../reading/tokens.ts';
import {
  BE,
  CONNECTIVE,
  HAVE,
  NEGATION,
  OWN,
  PAST,
  PREPOSITION,
  SELF,
  UNREAL,
  WILL,
} from '../reading/word-classes.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import { attributeOfThing } from './thing-nouns.ts';
import { valueOfThing } from './things.ts';

const MOST_WORDS = 6;
const OF_OTHERS =
  /^(?:if|whether|asks?|asked|thinks?|thought|says?|said|hopes?|wish(?:es)?|believes?|assumes?|joke[sd]?)$/;
/** "I think Emma is my favourite book" is the speaker's own word. */
const isSaid = (before: readonly Token[]): boolean =>
  (before[0]!.bits & SELF) !== 0 || !before.some(({ lower }) => OF_OTHERS.test(lower));

/** Reads "X is my Y"; undefined where the clause says nothing of the kind. */
export function inverseIn(
  text: string,
  lexicon: Lexicon,
): (Pick<SaidFact, 'attribute' | 'value'> & { subject?: string }) | undefined {
  if (!/\b(?:my|our)\b|\p{L}['’]s?\b/iu.test(text)) return undefined;
  const tokens = tokensOf(text);
  const be = tokens.findIndex(({ bits }) => (bits & BE) !== 0);
  if (be < 1 || be > MOST_WORDS) return undefined;
  if (tokens[be]!.bits & (PAST | NEGATION)) return undefined;
  // "People always ask if my sister is my girlfriend".
  if (!isSaid(tokens.slice(0, be))) return undefined;
  // "Emma will be my wife".
  if (tokens.slice(0, be).some(({ bits }) => (bits & (WILL | UNREAL)) !== 0)) return undefined;
  let own = be + 1;
  while (/^(?:still|now|also|actually)$/.test(tokens[own]?.lower ?? '')) own++;
  const owner = tokens[own];
  // "Mrs Laidlaw is Wren's teacher".
  const isNamed = owner !== undefined && /^\p{L}{2,}['’]s?$/u.test(owner.core) && isUpper(tokens[0]!);
  if (owner === undefined || !(owner.bits & OWN || isNamed)) return undefined;
  if (!isUpper(tokens[0]!) && tokens[0]!.bits !== 0) return undefined;
  const attribute = attributeAfter(tokens, own + 1);
  if (attribute === undefined) return undefined;
  // "Dr Okafor has been my doctor".
  const end = tokens[be - 1]!.bits & HAVE ? be - 1 : be;
  const value = valueOfThing(attribute, tokens, 0, end, lexicon);
  if (value === undefined) return undefined;
  if (!isNamed) return { attribute, value };
  if (relationOf(attribute) === undefined && attribute !== 'partner') return undefined;
  const name = owner.core.replace(/['’]s?$/, '');
  return { attribute, value, subject: name.charAt(0).toUpperCase() + name.slice(1) };
}

/** Returns the attribute of the noun after "my": up to a comma, a preposition or the end. */
function attributeAfter(tokens: readonly Token[], from: number): string | undefined {
  let at = from;
  while (tokens[at] !== undefined && isKinAdjective(tokens[at]!.lower)) at++;
  const start = at;
  while (at < tokens.length && at - start < 4) {
    const { bits } = tokens[at]!;
    if (bits & (PREPOSITION | CONNECTIVE | BE) || tokens[at]!.lower === 'of') break;
    at++;
    if (hasComma(tokens[at - 1]!) || endsPhrase(tokens[at - 1]!)) break;
  }
  if (at === start) return undefined;
  const noun = textOf(tokens, start, at);
  const taught = /^[\p{L}-]+ (?:teacher|tutor|coach|trainer|instructor)$/iu.test(noun)
    ? 'teacher'
    : undefined;
  return relationOf(noun) ?? attributeOfThing(noun) ?? taught;
}
