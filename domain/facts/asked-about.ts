import { normaliseLabel } from '../extraction/names/label.ts';
import { kinshipOf, relationOf } from '../extraction/reading/relations.ts';
import { normaliseWords } from '../extraction/sentences/same-words.ts';
import { speakerLabel } from '../extraction/speaker.ts';
import { holdsOne } from './attributes.ts';
import { kinLabel, mayBeOne } from './names/kin.ts';
import { callingsOf, type Person } from './names/people.ts';
import { kinSaid } from './names/said-of.ts';
import { factKey, type StoredFact } from './stored-fact.ts';

interface Said {
  fact: StoredFact;
  text: string;
  /** The speaker. */
  role: string;
  person: Person;
}

const FIRST_PERSON = /\b(?:i|my|me|mine|we|our|us)\b/i;
/** "my sister", "my new boss": the relative that a question is about. */
const MY = /\b(?:my|our) (\p{L}[\p{L}-]*)(?: (\p{L}[\p{L}-]*))?/giu;

/** "Uncle Paul" is the asker's uncle, too. */
const WITH_NAME = /(?<![\p{L}-])(\p{L}[\p{L}-]{0,40}) \p{Lu}/gu;

const relationsIn = (question: string): string[] => [
  ...new Set(
    [...question.matchAll(MY), ...question.matchAll(WITH_NAME)]
      .flatMap(([, one, other]) => [one!.toLowerCase(), other?.toLowerCase() ?? ''])
      .filter(word => relationOf(word) !== undefined),
  ),
];

/** Whether a question speaks of a relative of the asker. */
export const asksForRelative = (question: string): boolean => relationsIn(question).length > 0;

/** Whether a question names a subject, or what an attribute is of. */
export const isNamed = (question: string, subject: string): boolean =>
  ` ${normaliseWords(question)} `.includes(` ${normaliseWords(subject)} `);

/** Whether the person is such a relative: "Ada's sister Ana" is asked for as "my sister". */
const isRelative = (relations: readonly string[], { names }: Person): boolean =>
  names.some(name => {
    const kin = kinLabel(name);
    return kin !== undefined && relations.some(word => mayBeOne(kin, kinshipOf(word)!));
  });

/** Whether the fact is the asker's own. */
const isOwn = ({ fact, role, person }: Said, me: string | undefined): boolean =>
  me === undefined ? fact.subject === speakerLabel(role) : person.id === me;

/**
 * Returns a fact that names the relative whom a question asks for, "What is my dog called?". Undefined if
 * several have names.
 */
const relativeAskedFor = <T extends Said>(
  relations: readonly string[],
  facts: readonly T[],
  me: string | undefined,
): T | undefined => {
  const named = facts.filter(
    one =>
      isOwn(one, me) &&
      kinSaid([one]).some(label => relations.every(word => mayBeOne(kinLabel(label)!, kinshipOf(word)!))),
  );
  return new Set(named.map(({ fact }) => normaliseLabel(fact.value))).size === 1 ? named[0] : undefined;
};

/**
 * Returns a fact of the attribute and person that a question asks for: one that has one value at a time, of
 * the person named or else of the asker; or the name of a relative. Undefined if that is ambiguous.
 *
 * @param facts those of the attributes that are asked for
 * @param me the id of the person who is the user, where that is known
 */
export const factAskedFor = <T extends Said>(
  question: string,
  facts: readonly T[],
  me?: string,
): T | undefined => {
  const relations = relationsIn(question);
  const relative = relations.length > 0 ? relativeAskedFor(relations, facts, me) : undefined;
  if (relative !== undefined) return relative;
  const single = facts.filter(({ fact }) => holdsOne(fact.attribute));
  const relatives = single.filter(({ person }) => isRelative(relations, person));
  // "My brother Alex" names nobody else who is called Alex.
  const taken = new Set(relatives.flatMap(({ person }) => callingsOf(person)).map(normaliseWords));
  const named = single.filter(({ person }) =>
    callingsOf(person).some(name => !taken.has(normaliseWords(name)) && isNamed(question, name)),
  );
  // "Where does my sister live?" doesn't ask where I do; "Who is my boss?" asks for an attribute of mine.
  const isMine = (one: Said): boolean =>
    isOwn(one, me) && relations.every(word => relationOf(word) === one.fact.attribute);
  const own = FIRST_PERSON.test(question) ? single.filter(isMine) : [];
  const others = [...new Set([...relatives, ...named])];
  const asked = others.length > 0 ? others : own;
  const keys = new Set(
    asked.map(({ fact: { attribute }, person: { id } }) => factKey({ attribute, subjectId: id })),
  );
  return keys.size === 1 ? asked[0] : undefined;
};
