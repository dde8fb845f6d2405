/** The label of whom a sentence is about: with the relation that it says, or set apart by its session. */

import type { EntityCorrected } from '../../../schemas/events/curation/correction.ts';
import { normaliseLabel } from '../../extraction/names/label.ts';
import { kinshipOf } from '../../extraction/reading/relations.ts';
import { speakerLabel } from '../../extraction/speaker.ts';
import { madeOnce } from '../made-once.ts';
import { isFormerPartner } from './kin.ts';

/** A fact's subject in the words that were said. */
export interface Saying {
  fact: { subject: string; subjectId: string };
  text: string;
  /** The speaker. */
  role: string;
  session?: string | undefined;
}

type SaidOfNames = Omit<EntityCorrected, 'user_id'>;

const withoutPossessive = (word: string): string | undefined => {
  const end = /(?:['’]s|(?<=s)['’])$/.exec(word);
  return end === null ? undefined : word.slice(0, end.index);
};

/** Adjectives that may stand between an owner and a relation: "my best old friend". */
const MOST_ADJECTIVES = 2;
/** Words of an owner's name. */
const MOST_WORDS = 4;

/** Returns "The user's" for words that end so, or in "my". */
const ownerAt = (words: readonly string[], role: string): string | undefined => {
  const last = words.at(-1) ?? '';
  if (/^(?:my|our)$/i.test(last)) return speakerLabel(role);
  const owner = withoutPossessive(last);
  if (owner === undefined) return undefined;
  let from = words.length - 1;
  while (from > 0 && words.length - from < MOST_WORDS && /^\p{Lu}[^,.;:!?]*$/u.test(words[from - 1]!)) from--;
  return [...words.slice(from, -1), owner].join(' ');
};

/** Returns "The user's brother Alex" for the Alex of "The user's brother Alex lives in Oslo". */
const withRelation = madeOnce(({ fact: { subject }, text, role }: Saying): string | undefined => {
  if (!/^\p{Lu}/u.test(subject)) return undefined;
  const at = text.indexOf(` ${subject}`);
  if (at < 0 || /^[\p{L}\p{N}]/u.test(text.slice(at + subject.length + 1))) return undefined;
  const words = text.slice(0, at).split(' ');
  const word = words.pop()!;
  if (kinshipOf(word) === undefined) return undefined;
  const relation = isFormerPartner(words.at(-1) ?? '', word) ? `ex ${word}` : word;
  for (let adjectives = 0; adjectives <= MOST_ADJECTIVES && words.length > 0; adjectives++) {
    const owner = ownerAt(words, role);
    if (owner !== undefined) return `${owner}'s ${relation} ${subject}`;
    words.pop();
  }
  return undefined;
});

/** Returns a function that gives the label of whom a sentence is about. */
export const makeLabelOf = (corrections: readonly SaidOfNames[]): ((one: Saying) => string) => {
  const apart = setApart(corrections);
  return one => apart(one.fact.subject, one.session) ?? withRelation(one) ?? one.fact.subject;
};

type SetApart = (label: string, session: string | undefined) => string | undefined;

/** Returns the lookup of the person that a name is in a session, where somebody set it apart there. */
export const setApart = madeOnce((corrections: readonly SaidOfNames[]): SetApart => {
  const bySession = new Map<string, Map<string, string>>();
  for (const { sessions = [], names, split } of corrections)
    for (const session of sessions) {
      const named = bySession.get(session) ?? new Map<string, string>();
      for (const name of names) named.set(normaliseLabel(name), split[0]!);
      bySession.set(session, named);
    }
  if (bySession.size === 0) return () => undefined;
  return (label, session) =>
    session === undefined ? undefined : bySession.get(session)?.get(normaliseLabel(label));
});

/** Returns labels like "The user's brother Alex" of facts that say so: "My brother is Alex". */
export const kinSaid = (
  facts: readonly (Saying & { fact: { attribute: string; value: string } })[],
): string[] =>
  facts.flatMap(({ fact: { subject, attribute, value }, text }) => {
    if (!/^\p{Lu}/u.test(value)) return [];
    const relation = text
      .split(/[^\p{L}-]+/u)
      .flatMap(word => [word, word.replace(/s$/, '')])
      .find(word => kinshipOf(word)?.attribute === attribute);
    return relation === undefined ? [] : [`${subject}'s ${relation.toLowerCase()} ${value}`];
  });
