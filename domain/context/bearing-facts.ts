/** Which of the facts that hold a context states, and in what order. */

import { speakerLabel } from '../extraction/speaker.ts';
import { madeOnce } from '../facts/made-once.ts';
import type { StoredFact } from '../facts/stored-fact.ts';
import { askedPersons, bearing, namesByRelation } from '../language/query/asked-persons.ts';
import { isAssistant } from '../language/query/speakers.ts';

/**
 * Why a fact is stated: it bears on the question, it is said by one of the first hits, or it is one of the
 * few that a prompt always has.
 */
export type Bears = 'question' | 'hit' | 'always';

/** A fact that holds, and the turn that says it. */
export interface Holding {
  fact: StoredFact;
  text: string;
  role: string;
  sourceTurnId?: string | undefined;
}

/** The attributes of the asker that a context always has; a standing wish is a preference. */
export const STANDING: readonly string[] = ['name', 'nickname', 'home', 'allergy', 'diet', 'preference'];
/** The number of first hits whose facts are stated. */
const FIRST_HITS = 4;
const OWN = /\b(?:I|me|my|mine|we|our|us)\b/i;

const isOfSpeaker = ({ fact, role }: Holding): boolean =>
  !isAssistant(role) && fact.subject === speakerLabel(role);

/** Whether it is in the standing set. Of preferences, wishes are; "prefers tea" is a taste. */
const isStanding = (one: Holding): boolean =>
  isOfSpeaker(one) &&
  STANDING.includes(one.fact.attribute) &&
  (one.fact.attribute !== 'preference' || /\bwants this of the assistant\b/.test(one.text));

/** The fact as if its subject had said it. */
const saidBySubject = madeOnce(({ fact: { subject }, text }: Holding) => ({
  text: `${subject}: ${text}`,
  role: subject,
}));

type Order = 'asked' | 'person' | 'other' | undefined;

/**
 * Returns how a fact bears on the question: it states the attribute asked for, of the person asked about; it
 * is another fact of that person; or it is about somebody else of that name.
 *
 * @param known facts that tell who is who
 */
export const bearingOrder = (
  known: readonly Pick<Holding, 'text'>[],
  { question, asked }: { question: string; asked: ReadonlySet<string> },
): ((one: Holding) => Order) => {
  const persons = askedPersons(question);
  const names = namesByRelation(persons, known);
  const isOwn = OWN.test(question);
  return one => {
    const { fact } = one;
    const of = bearing(persons, saidBySubject(one), names);
    if (of === 'other') return 'other';
    const isOfAsked = persons.length > 0 ? of === 'same' : !isOwn || isOfSpeaker(one);
    if (asked.has(fact.attribute) && isOfAsked) return 'asked';
    return of === 'same' ? 'person' : undefined;
  };
};

/**
 * Returns the facts that bear on a question before all others: the attribute that it asks for, of the person
 * that it asks about; other facts of that person; what the first hits say; then the standing ones. A fact of
 * somebody else of that name is left out.
 *
 * @param asked the attributes that the question asks for
 * @param hits the turns of the hits, best first
 */
export const bearingFacts = <T extends Holding>(
  facts: readonly T[],
  { question, asked, hits }: { question: string; asked: ReadonlySet<string>; hits: readonly string[] },
): (T & { bears: Bears })[] => {
  const orderOf = bearingOrder(facts, { question, asked });
  const places = new Map(hits.slice(0, FIRST_HITS).map((id, place) => [id, place]));
  const placed = facts.flatMap(one => {
    const order = orderOf(one);
    const at = (bears: Bears, place: number) => [{ one: { ...one, bears }, place }];
    if (order === 'other') return [];
    if (order !== undefined) return at('question', order === 'asked' ? 0 : 1);
    const hit = places.get(one.sourceTurnId ?? '');
    if (hit !== undefined) return at('hit', 2 + hit);
    return isStanding(one) ? at('always', 2 + FIRST_HITS) : [];
  });
  return placed.sort((a, b) => a.place - b.place).map(({ one }) => one);
};
