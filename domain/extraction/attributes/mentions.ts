import type { SaidFact } from '../../../schemas/facts.ts';
import { relationOf } from '../reading/relations.ts';
import { endOfNameAt, isKinAdjective, mayNamePerson } from '../reading/subject.ts';
import { hasComma, isUpper, type Token, textOf, tokensOf } from '../reading/tokens.ts';
import { OWN } from '../reading/word-classes.ts';
import { singular } from './names-of-kin.ts';

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
  if (!/\b(?:my|our) |['’]s? \p{L}/iu.test(clause)) return [];
  const tokens = tokensOf(clause);
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length && found.length < MOST_MENTIONS; at++) {
    // "Wren's best friend Ottilie".
    const owner = isUpper(tokens[at]!) && /^\p{Lu}\p{L}+['’]s$/u.test(tokens[at]!.core);
    if (!owner && !(tokens[at]!.bits & OWN)) continue;
    const whose = owner ? tokens[at]!.core.replace(/['’]s$/, '') : speaker;
    const mention =
      mentionAt(tokens, at + 1, whose) ?? (owner ? undefined : mentionBefore(tokens, at, speaker));
    if (mention !== undefined) found.push(mention);
    else found.push(...mentionsOfSeveral(tokens, at + 1, whose));
  }
  return found;
}

/** "Bruno, my dog", "Dr Hansen, our doctor": the name stands before its relation. */
function mentionBefore(tokens: readonly Token[], own: number, speaker: string): Mention | undefined {
  if (own === 0 || !hasComma(tokens[own - 1]!) || !isUpper(tokens[own - 1]!)) return undefined;
  let at = own + 1;
  while (tokens[at] !== undefined && isKinAdjective(tokens[at]!.lower)) at++;
  const attribute = relationOf(tokens[at]?.lower ?? '');
  if (attribute === undefined || FORMER.test(textOf(tokens, own + 1, at))) return undefined;
  let from = own - 1;
  while (from > 0 && isUpper(tokens[from - 1]!) && !hasComma(tokens[from - 1]!)) from--;
  const value = textOf(tokens, from, own);
  return mayNamePerson(value) ? mentionOf(attribute, tokens[at]!.lower, value, speaker) : undefined;
}

/** "My sisters Noor and Leila": each by name. */
function mentionsOfSeveral(tokens: readonly Token[], from: number, speaker: string): Mention[] {
  let at = from;
  while (tokens[at] !== undefined && isKinAdjective(tokens[at]!.lower)) at++;
  const word = tokens[at]?.lower ?? '';
  const relation = singular(word);
  const attribute = relation === word ? undefined : relationOf(relation);
  if (attribute === undefined || FORMER.test(textOf(tokens, from, at))) return [];
  const names: string[] = [];
  for (
    let next = at + 1;
    tokens[next] !== undefined && isUpper(tokens[next]!) && names.length < MOST_MENTIONS;
  ) {
    const end = endOfNameAt(tokens, next);
    names.push(textOf(tokens, next, end));
    const isJoined = hasComma(tokens[end - 1]!) || tokens[end]?.lower === 'and';
    next = isJoined ? end + Number(tokens[end]?.lower === 'and') : tokens.length;
  }
  // One name is no list, and "my sisters Ana's age" names none.
  const areNames = names.length > 1 && names.every(name => mayNamePerson(name) && !/['’]/.test(name));
  return areNames ? names.map(name => mentionOf(attribute, relation, name, speaker)) : [];
}

const mentionOf = (attribute: string, relation: string, value: string, speaker: string): Mention => ({
  text: `${possessive(speaker)} ${relation} is called ${value}.`,
  fact: { subject: speaker, attribute, value },
});

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
  const end = endOfNameAt(tokens, name);
  const said = textOf(tokens, name, end);
  // "My boyfriend is Sam's brother".
  if (isSaid && /['’]s$/.test(said)) return undefined;
  const value = said.replace(/['’]s?$/, '');
  if (!mayNamePerson(value)) return undefined;
  return mentionOf(attribute, head.lower, value, speaker);
}
