/** The names of a user's entities: which of them are one, by the rules and by what was corrected. */

import type {
  EntityScope,
  ListedEntity,
  ListedScope,
  Listing,
  NameCorrection,
  NamedEntity,
  TurnDetails,
} from '../../../core/ports.ts';
import { normaliseLabel } from '../../../domain/extraction/names/label.ts';
import { type NamedLabel, type Names, namesOf } from '../../../domain/facts/names/names.ts';
import type { StoredFact } from '../../../domain/facts/stored-fact.ts';
import { entityId } from '../../../domain/identity/identity.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';

/**
 * Only a scope's first persons may be recognized as one; later ones stand for themselves, unless a correction
 * names them.
 */
const MOST_PERSONS = 512;
/** The most entities that corrections name and that are read besides. */
const MOST_CORRECTED = 512;
export const PERSON = 'person';

type Entities = Pick<Listing, 'entities' | 'entitiesById'>;
type OfUser = EntityScope & { user: string };

export interface ReadNames extends Names {
  /** The entities that were read, by normalised label. */
  entities: ReadonlyMap<string, ListedEntity>;
}

/** Reads a scope's persons, and what corrections name of it. */
export const readNames = async (
  listing: Entities,
  scope: OfUser,
  corrections: readonly NameCorrection[],
): Promise<ReadNames> => {
  const persons = await listing.entities(scope, { kind: PERSON }, undefined, MOST_PERSONS);
  const entities = new Map(persons.map(one => [one.normalised, one]));
  const missing = namesIn(corrections).filter(key => !entities.has(key));
  if (missing.length > 0) {
    const ids = missing.slice(0, MOST_CORRECTED).map(key => entityId(scope.org, scope.user, key));
    for (const one of await listing.entitiesById(scope, ids)) entities.set(one.normalised, one);
  }
  return { entities, ...namesOf([...entities.values()].map(labelOf), corrections) };
};

const labelOf = ({ label, turns, kind }: ListedEntity): NamedLabel => ({
  label,
  mentions: turns,
  isPerson: kind === PERSON,
});

/** The normalised labels that corrections name, of the last one first. */
const namesIn = (corrections: readonly NameCorrection[]): string[] => {
  const keys = corrections
    .toReversed()
    .flatMap(({ entity, merge_into, split, names, into_names }) => [
      entity,
      ...(merge_into === null ? [] : [merge_into]),
      ...split,
      ...names,
      ...into_names,
    ]);
  return [...new Set(keys.map(normaliseLabel))];
};

/** The subject of a fact, as it was corrected. */
export const correctedSubjects = (
  { org, user, session }: ListedScope & { user: string },
  facts: readonly (StoredFact | undefined)[],
  corrections: readonly NameCorrection[],
): ((fact: StoredFact) => StoredFact) => {
  if (corrections.length === 0) return fact => fact;
  const labels = facts.flatMap(fact => (fact ? [{ label: fact.subject, mentions: 1, isPerson: false }] : []));
  const { standing } = namesOf(labels, corrections, session === undefined ? 'any' : 'read');
  return fact => {
    const one = standing.get(normaliseLabel(fact.subject));
    return one ? { ...fact, subjectId: entityId(org, user, one.key), subject: one.label } : fact;
  };
};

/** Observations of one user, with their subjects as they were corrected. */
export const correctedFragments = (
  scope: ListedScope & { user: string },
  fragments: readonly NewFragment[],
  corrections: readonly NameCorrection[],
): NewFragment[] => {
  const corrected = correctedSubjects(
    scope,
    fragments.map(({ fact }) => fact),
    corrections,
  );
  return fragments.map(one => (one.fact ? { ...one, fact: corrected(one.fact) } : one));
};

/** A label as it was corrected. What is one with another keeps its own: a turn names it so. */
export const correctedLabels = (
  named: readonly NamedEntity[],
  corrections: readonly NameCorrection[],
): NamedEntity[] => {
  const labels = named.map(({ label }) => ({ label, mentions: 1, isPerson: false }));
  const { standing } = namesOf(labels, corrections);
  return named.map(one => {
    const key = normaliseLabel(one.label);
    const stands = standing.get(key);
    return stands?.key === key ? { ...one, label: stands.label } : one;
  });
};

/**
 * The same, with their subjects as they were corrected. In a list of several users they are as they were
 * said.
 */
export const withNames = async (
  details: Pick<TurnDetails, 'nameCorrections'>,
  { user, ...scope }: ListedScope,
  fragments: readonly NewFragment[],
): Promise<readonly NewFragment[]> => {
  if (user === undefined || fragments.every(({ fact }) => fact === undefined)) return fragments;
  const corrections = await details.nameCorrections({ org: scope.org, user });
  return correctedFragments({ ...scope, user }, fragments, corrections);
};
