import type { SaidFact } from '../../../schemas/facts.ts';
import { relationOf } from '../reading/relations.ts';
import { endOfNameAt, isKinAdjective, mayNamePerson } from '../reading/subject.ts';
import { hasComma, isUpper, type Token, textOf, tokensOf } from '../reading/tokens.ts';
import { OWN } from '../reading/word-classes.ts';

/** A relation of the speaker with its name ("my sister Ana"): the fact, and a sentence that says it. */
export interface Mention {
  text: string;
  fact: SaidFact;
}

const MOST_MENTIONS = 3;
/** "My old boss Ana" is no longer the boss, but "my old friend Ana" is a friend. */
const FORMER = /\b(?:old|late|ex|former|previous)\b/;
const LASTING = new Set(['friend', 'sibling', 'child', 'relative', 'pet']);
const possessive = (name: string): string => (/[sS]$/.test(name) ? `${name}'` : `${name}'s`);

/** Returns the speaker's people and pets that a sentence names with their relation, in text order. */
export function mentionsIn(clause: string, speaker: string): Mention[] {
  if (!/\b(?:my|our) /i.test(clause)) return [];
  const tokens = tokensOf(clause);
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length && found.length < MOST_MENTIONS; at++) {
    if (!(tokens[at]!.bits & OWN)) continue;
    const mention = mentionAt(tokens, at + 1, speaker);
    if (mention !== undefined) found.push(mention);
  }
  return found;
}

function mentionAt(tokens: readonly Token[], from: number, speaker: string): Mention | undefined {
  let at = from;
  while (tokens[at] !== undefined && isKinAdjective(tokens[at]!.lower)) at++;
  const head = tokens[at];
  const attribute = head === undefined ? undefined : relationOf(head.lower);
  if (head === undefined || attribute === undefined) return undefined;
  if (FORMER.test(textOf(tokens, from, at)) && !LASTING.has(attribute)) return undefined;
  let name = at + 1;
  const isSaid = tokens[name]?.lower === 'is' && !hasComma(head);
  if (isSaid) name++;
  // "My brother called Greta" is no name, "my dog called Rex" is.
  if ((isSaid || attribute === 'pet') && /^(?:called|named)$/.test(tokens[name]?.lower ?? '')) name++;
  if (tokens[name] === undefined || !isUpper(tokens[name]!) || /[.;:!?]/.test(head.tail)) return undefined;
  const value = textOf(tokens, name, endOfNameAt(tokens, name)).replace(/['’]s?$/, '');
  if (!mayNamePerson(value)) return undefined;
  return {
    text: `${possessive(speaker)} ${head.lower} is called ${value}.`,
    fact: { subject: speaker, attribute, value },
  };
}
