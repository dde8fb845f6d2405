/** Sentences that say one fact of a clause alone, in the speaker's words. */
import type { Predicate, Reading } from '../reading/clause.ts';
import { hasComma, isUpper, textOf } from '../reading/tokens.ts';
import { PREPOSITION } from '../reading/word-classes.ts';
import type { Said } from './meaning.ts';

/** Writes the clause with one value: "I'm allergic to cats" of "nuts and cats". */
export function itemAlone(
  { tokens, start, subject }: Reading,
  { verb }: Predicate,
  { span, list, alone }: Said,
): string | undefined {
  // Words of the first person say it of the speaker only.
  if (alone !== undefined && (subject.kind === 'self' || !/^I\b/.test(alone))) return alone;
  if (alone !== undefined) return undefined;
  if (span === undefined || list === undefined) return undefined;
  const value = textOf(tokens, span.from, span.to);
  if (list < span.from) return `${textOf(tokens, start, list)} ${value}`;
  const before = tokens[list - 1];
  const preposition =
    before !== undefined && list > verb.after && before.bits & PREPOSITION ? `${before.core} ` : '';
  return `${textOf(tokens, start, verb.after)} ${preposition}${value}`;
}

/** Writes one predicate with the clause's subject: "I now live in Turin". */
export function predicateAlone({ tokens, subject, start }: Reading, { start: from, to }: Predicate): string {
  const end = to > from && (hasComma(tokens[to - 1]!) || to <= tokens.length) ? to : tokens.length;
  const said = `${textOf(tokens, start, subject.after)} ${textOf(tokens, from, end)}`;
  return isUpper(tokens[start]!) ? said : said.charAt(0).toUpperCase() + said.slice(1);
}
