/**
 * Names of one person among the subjects of a user's facts: "Mel" and "Melanie" are one, whose facts are
 * decided together.
 */

import type { KnownFact, NameCorrection, Scope, TurnDetails } from '../../../../core/ports.ts';
import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import { namesOf } from '../../../../domain/facts/names/names.ts';
import { factKey } from '../../../../domain/facts/stored-fact.ts';
import { entityId } from '../../../../domain/identity/identity.ts';

/** Keys are read this many at once. */
const KEYS_AT_ONCE = 64;
/**
 * Only the first subjects of the first keys may be recognized as names of one person; later subjects stand
 * for themselves.
 */
const MOST_KEYS = 512;
const MOST_SUBJECTS = 64;

interface Subject {
  id: string;
  label: string;
}

export interface Subjects {
  /** The person that a subject stands for. */
  standsFor(subject: Subject): Subject;
  /** The same by the entity's id; that of an entity which is no subject is itself. */
  idOf(entity: string): string;
  /** The entity that is shown under a label, of those that are subjects. */
  labelled(label: string): string | undefined;
  /** The keys whose facts are decided with those of this key, itself among them. */
  keysWith(key: string): string[];
}

type OfUser = Scope & { user: string };

/** @param waiting facts that the index may not have yet */
export const readSubjects = async (
  details: Pick<TurnDetails, 'facts' | 'factKeys' | 'nameCorrections'>,
  scope: OfUser,
  waiting: readonly KnownFact[],
): Promise<Subjects> => {
  const [keys, corrections] = await Promise.all([firstKeys(details, scope), details.nameCorrections(scope)]);
  /** One key of each subject, which tells its label, and how many attributes it has. */
  const bySubject = Map.groupBy([...keys, ...waiting.map(({ fact }) => factKey(fact))], subjectIn);
  if (bySubject.size < 2 && corrections.length === 0)
    return subjectsOf([], new Map(), { scope, corrections });
  const wanted = [...bySubject.values()].map(([key]) => ({ user: scope.user, key: key! }));
  const labels = new Map(waiting.map(({ fact }) => [fact.subjectId, fact.subject]));
  const { facts } = await details.facts(scope, { keys: wanted.slice(0, MOST_SUBJECTS) });
  for (const { fact } of facts) labels.set(fact.subjectId, fact.subject);
  const subjects = [...labels].map(([id, label]) => ({ id, label }));
  const mentions = new Map([...bySubject].map(([id, its]) => [id, new Set(its).size]));
  return subjectsOf(subjects, mentions, { scope, corrections });
};

export const subjectIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
export const attributeIn = (key: string): string => key.slice(0, key.lastIndexOf('/'));

const firstKeys = async (details: Pick<TurnDetails, 'factKeys'>, scope: OfUser): Promise<string[]> => {
  const keys: string[] = [];
  for (;;) {
    const next = await details.factKeys(scope, { after: keys.at(-1) }, KEYS_AT_ONCE);
    keys.push(...next);
    if (next.length < KEYS_AT_ONCE || keys.length >= MOST_KEYS) return keys;
  }
};

const subjectsOf = (
  subjects: readonly Subject[],
  mentions: ReadonlyMap<string, number>,
  { scope, corrections }: { scope: OfUser; corrections: readonly NameCorrection[] },
): Subjects => {
  const labels = subjects.map(({ id, label }) => ({
    label,
    mentions: mentions.get(id) ?? 1,
    isPerson: true,
  }));
  // A session never shows a name that isn't among its own, even when a correction merges one of them into it.
  const { standing } = namesOf(labels, corrections, scope.session === undefined ? 'any' : 'read');
  const person = new Map<string, Subject>();
  for (const subject of subjects) {
    const one = standing.get(normaliseLabel(subject.label));
    person.set(
      subject.id,
      one ? { id: entityId(scope.org, scope.user, one.key), label: one.label } : subject,
    );
  }
  const names = Map.groupBy(person.keys(), id => person.get(id)!.id);
  const ofLabel = new Map([...person.values()].map(({ id, label }) => [normaliseLabel(label), id]));
  return {
    standsFor: subject => person.get(subject.id) ?? subject,
    idOf: entity => person.get(entity)?.id ?? entity,
    labelled: label => ofLabel.get(normaliseLabel(label)),
    keysWith: key => {
      const id = subjectIn(key);
      const all = names.get(person.get(id)?.id ?? id) ?? [id];
      return all.map(subjectId => factKey({ attribute: attributeIn(key), subjectId }));
    },
  };
};
