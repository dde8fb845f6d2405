/** Whether facts state what a question asks for, of the person that it asks about. */
import type { KnownFact, StoredFragment } from '../../../../core/ports.ts';
import { bearingOrder } from '../../../../domain/context/bearing-facts.ts';
import type { Answering } from '../../../../domain/facts/nested.ts';
import { answerKinds, holdsKind } from '../../../../domain/language/query/answer-kinds.ts';
import { askedPersons, isAmbiguous, mayBeOther } from '../../../../domain/language/query/asked-persons.ts';

/** How far an observation states what is asked for, of the person asked about. */
export type Answers = (observation: StoredFragment) => Answering;

/** Share of the confidence that is left where the first turn tells what is asked for of somebody else. */
export const OF_OTHERS = 0.6;

/**
 * Whether the facts of a turn state what the question asks for, and only of others: "My niece is allergic to
 * walnuts" answers "What am I allergic to?" by its words alone, "My sister is called Ida" "What is my wife
 * called?".
 */
export const saysOther = (
  facts: readonly StoredFragment[],
  { q, asked }: { q: string; asked: ReadonlySet<string> },
  answering: Answers,
): boolean => {
  const relations = relationsIn(q);
  const isOfAnother = (text: string): boolean => relationsIn(text).some(one => !relations.includes(one));
  const isLike = ({ fact, text }: StoredFragment): boolean =>
    fact !== undefined && (asked.has(fact.attribute) || (relations.length > 0 && isOfAnother(text)));
  return facts.some(isLike) && facts.every(one => answering(one) !== 2);
};

const relationsIn = (text: string): string[] => askedPersons(text).flatMap(({ relation }) => relation ?? []);

export const makeAnswering = (
  q: string,
  asked: ReadonlySet<string>,
  known: readonly KnownFact[],
): Answers => {
  const order = bearingOrder(known, { question: q, asked });
  const kinds = answerKinds(q);
  return ({ fact, text, role }) => {
    const bears = fact && order({ fact, text, role });
    if (bears === 'asked') return 2;
    return bears !== 'other' && holdsKind(kinds, text) ? 1 : 0;
  };
};

/**
 * Returns the facts without those of somebody else of the name that is asked about. Where several people have
 * it and the question tells them apart by nothing, all their facts are left out: none of them ends another.
 */
export const ofOnePerson = (
  q: string,
  asked: ReadonlySet<string>,
  known: readonly KnownFact[],
): readonly KnownFact[] => {
  const persons = askedPersons(q);
  const isInDoubt = isAmbiguous(persons, known);
  if (!isInDoubt && !mayBeOther(persons)) return known;
  const orderOf = bearingOrder(known, { question: q, asked });
  const names = new Set(isInDoubt ? persons.map(({ name }) => name) : []);
  return known.filter(one => orderOf(one) !== 'other' && !names.has(one.fact.subject.toLowerCase()));
};
