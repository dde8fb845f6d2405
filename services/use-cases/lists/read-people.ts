/** Reads whose facts are: relatives by their names, and which of one name are several. */

import type { ListedScope, NameCorrection, Scope, TurnDetails } from '../../../core/ports.ts';
import { RELATION_ATTRIBUTES } from '../../../domain/extraction/reading/relations.ts';
import { asksForRelative } from '../../../domain/facts/asked-about.ts';
import { madeOnce } from '../../../domain/facts/made-once.ts';
import { type People, peopleOf, saysRelation } from '../../../domain/facts/names/people.ts';
import { kinSaid } from '../../../domain/facts/names/said-of.ts';
import type { StoredFact } from '../../../domain/facts/stored-fact.ts';
import { entityId } from '../../../domain/identity/identity.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';

type WithFact = NewFragment & { fact: StoredFact };
type OfUser = Scope & { user: string };

/**
 * Returns labels of the relatives that a user names ("The user's brother Alex"). Reads them only where the
 * question or one of these facts speaks of a relative.
 */
export const readRelatives = async (
  details: Pick<TurnDetails, 'facts'>,
  scope: OfUser,
  { q, facts }: { q?: string | undefined; facts: readonly WithFact[] },
  signal?: AbortSignal,
): Promise<string[]> => {
  if (!(q !== undefined && asksForRelative(q)) && !saysRelation(facts)) return [];
  const { user } = scope;
  const found = await details.facts(scope, { user, attributes: RELATION_ATTRIBUTES }, signal);
  return [...new Set(kinSaid(found.facts))];
};

/** The people of one user, by the ids of entities. */
export const peopleIn = (
  { org, user, session }: Pick<OfUser, 'org' | 'user' | 'session'>,
  facts: readonly WithFact[],
  { corrections, kin }: { corrections: readonly NameCorrection[]; kin: readonly string[] },
): People =>
  peopleOf(facts, {
    corrections,
    kin,
    // A session never shows a name that isn't among its own.
    into: session === undefined ? 'any' : 'read',
    idOf: key => entityId(org, user, key),
  });

const hasFact = (one: NewFragment): one is WithFact => one.fact !== undefined;

/** Returns the observation with the subject that it is shown with. */
export const withSubject = <T extends NewFragment>(one: T, people: People): T => {
  if (!hasFact(one)) return one;
  const { id, label } = people.shown(one);
  const { subjectId, subject } = one.fact;
  return id === subjectId && label === subject ? one : (shownAs(one)(id, label) as WithFact & T);
};

/** Makes the observation with another subject, and keeps the last one that was made. */
const shownAs = madeOnce((one: WithFact) => {
  let last: WithFact | undefined;
  return (subjectId: string, subject: string): WithFact => {
    if (last?.fact.subjectId !== subjectId || last.fact.subject !== subject)
      last = { ...one, fact: { ...one.fact, subjectId, subject } };
    return last;
  };
});

export interface SubjectPorts {
  details: Pick<TurnDetails, 'facts' | 'nameCorrections'>;
}

/**
 * Observations with the subjects that they are shown with. In a list of several users they are as they were
 * said.
 */
export const withSubjects = async (
  details: SubjectPorts['details'],
  { user, ...scope }: ListedScope,
  fragments: readonly NewFragment[],
): Promise<readonly NewFragment[]> => {
  const facts = fragments.filter(hasFact);
  if (user === undefined || facts.length === 0) return fragments;
  const ofUser = { ...scope, user };
  const [corrections, kin] = await Promise.all([
    details.nameCorrections(ofUser),
    readRelatives(details, ofUser, { facts }),
  ]);
  const people = peopleIn(ofUser, facts, { corrections, kin });
  return fragments.map(one => withSubject(one, people));
};
