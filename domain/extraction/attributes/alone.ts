/** Sentences that say one fact of a clause alone, in the speaker's words. */
import type { Predicate, Reading } from '../reading/clause.ts';
import { isUpper, textOf } from '../reading/tokens.ts';
import { PREPOSITION } from '../reading/word-classes.ts';
import type { Said } from './meaning.ts';

/** Returns the words of the subject: "I", "My sister". */
export const subjectWords = ({ subject, tokens }: Reading): string =>
  textOf(tokens, subject.kind === 'self' ? Math.max(0, subject.after - 1) : 0, subject.after);

/** Writes the clause with one value: "I'm allergic to cats" of "nuts and cats". */
export function itemAlone(
  { tokens, start, subject }: Reading,
  { verb }: Predicate,
  { span, list, alone }: Said,
): string | undefined {
  // Words of the first person say it of the speaker only.
  if (alone !== undefined) return subject.kind === 'self' || !/^I\b/.test(alone) ? alone : undefined;
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
  const said = `${textOf(tokens, start, subject.after)} ${textOf(tokens, from, to)}`;
  return isUpper(tokens[start]!) ? said : said.charAt(0).toUpperCase() + said.slice(1);
}
