import { relationOf } from '../extraction/reading/relations.ts';
import { normaliseWords } from '../extraction/sentences/same-words.ts';
import { speakerLabel } from '../extraction/speaker.ts';
import { holdsOne } from './attributes.ts';
import { factKey, type StoredFact } from './stored-fact.ts';

interface Said {
  fact: StoredFact;
  /** The speaker. */
  role: string;
}

const FIRST_PERSON = /\b(?:i|my|me|mine|we|our|us)\b/i;
/** "my sister", "my new boss": the relative that a question is about. */
const MY = /\b(?:my|our) (\p{L}[\p{L}-]*)(?: (\p{L}[\p{L}-]*))?/giu;

const relationsIn = (question: string): string[] =>
  [...question.matchAll(MY)]
    .flatMap(([, one, other]) => [one!.toLowerCase(), other?.toLowerCase() ?? ''])
    .filter(word => relationOf(word) !== undefined);

/** Whether a question names a subject, or what an attribute is of. */
export const isNamed = (question: string, subject: string): boolean =>
  ` ${normaliseWords(question)} `.includes(` ${normaliseWords(subject)} `);

/** Whether the fact's subject is such a relative: "Ada's sister" is asked for as "my sister". */
const isRelative = (relations: readonly string[], { subject }: StoredFact): boolean => {
  const relation = /['’]s? (\p{L}[\p{L}-]*)$/u.exec(subject)?.[1]?.toLowerCase();
  return relation !== undefined && relations.includes(relation);
};

/**
 * Returns the key of the single attribute that a question asks for: one that has one value at a time, of the
 * person named or else of the asker. Undefined if that is ambiguous.
 *
 * @param facts those of the attributes that are asked for
 */
export const keyAskedFor = (question: string, facts: readonly Said[]): string | undefined => {
  const single = facts.filter(({ fact }) => holdsOne(fact.attribute));
  const relations = relationsIn(question);
  const named = single.filter(({ fact }) => isNamed(question, fact.subject) || isRelative(relations, fact));
  // "Where does my sister live?" doesn't ask where I do; "Who is my boss?" asks for an attribute of mine.
  const isOwn = ({ fact, role }: Said): boolean =>
    fact.subject === speakerLabel(role) && relations.every(word => relationOf(word) === fact.attribute);
  const own = FIRST_PERSON.test(question) ? single.filter(isOwn) : [];
  const keys = new Set((named.length > 0 ? named : own).map(({ fact }) => factKey(fact)));
  return keys.size === 1 ? [...keys][0] : undefined;
};
