/** The names of a user's entities: which of them are one, by the rules and by what was corrected. */

import type { EntityScope, ListedEntity, Listing, NameCorrection, NamedEntity } from '../../../core/ports.ts';
import { normaliseLabel } from '../../../domain/extraction/names/label.ts';
import { madeOnce } from '../../../domain/facts/made-once.ts';
import { type NamedLabel, type Names, namesOf } from '../../../domain/facts/names/names.ts';
import { withOwnNames } from '../../../domain/facts/names/own-names.ts';
import { setApart } from '../../../domain/facts/names/said-of.ts';
import { entityId } from '../../../domain/identity/identity.ts';

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
  /** Those of them that are set apart by sessions, or from whom others are: the index counts them as one. */
  namesakes: ReadonlyMap<string, ListedEntity>;
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
  const namesakes = await namesakesIn(listing, scope, entities, corrections);
  for (const [key, one] of namesakes) entities.set(key, one);
  return { entities, namesakes, ...namesOf([...entities.values()].map(labelOf), corrections) };
};

/** The most sessions whose namesakes are read. */
const MOST_SESSIONS = 64;

/**
 * Returns the entities of one name that somebody set apart by sessions: who is meant there, with the turns of
 * those sessions, and who is meant elsewhere, with the others.
 */
const namesakesIn = async (
  listing: Entities,
  scope: OfUser,
  entities: ReadonlyMap<string, ListedEntity>,
  corrections: readonly NameCorrection[],
): Promise<ReadonlyMap<string, ListedEntity>> => {
  const found = new Map<string, ListedEntity>();
  const sessions = [...new Set(corrections.toReversed().flatMap(one => one.sessions ?? []))]
    .filter(session => (scope.session ?? session) === session)
    .slice(0, MOST_SESSIONS);
  if (sessions.length === 0) return found;
  const names = corrections.filter(one => one.sessions).flatMap(one => one.names);
  const ids = [...new Set(names.map(name => entityId(scope.org, scope.user, normaliseLabel(name))))];
  const apart = setApart(corrections);
  await Promise.all(
    sessions.map(async session => {
      for (const one of await listing.entitiesById({ ...scope, session }, ids)) {
        const label = apart(one.label, session);
        if (label === undefined) continue;
        const key = normaliseLabel(label);
        const there = found.get(key) ?? entities.get(key);
        const id = entityId(scope.org, scope.user, key);
        found.set(key, { ...one, id, label, normalised: key, turns: one.turns + (there?.turns ?? 0) });
        const whole = found.get(one.normalised) ?? entities.get(one.normalised);
        if (whole) found.set(one.normalised, { ...whole, turns: whole.turns - one.turns });
      }
    }),
  );
  return found;
};

const labelOf = ({ label, turns, kind }: ListedEntity): NamedLabel => ({
  label,
  mentions: turns,
  isPerson: kind === PERSON,
});

/** The normalised labels that corrections name, of the last one first. */
const namesIn = madeOnce((corrections: readonly NameCorrection[]): string[] => {
  const keys = withOwnNames(corrections)
    .toReversed()
    .flatMap(({ entity, merge_into, split, names, into_names }) => [
      entity,
      ...(merge_into === null ? [] : [merge_into]),
      ...split,
      ...names,
      ...into_names,
    ]);
  return [...new Set(keys.map(normaliseLabel))];
});

/** A label as it was corrected. What is one with another keeps its own: a turn names it so. */
export const correctedLabels = (
  given: readonly NamedEntity[],
  session: string,
  corrections: readonly NameCorrection[],
): NamedEntity[] => {
  const apart = setApart(corrections);
  const named = given.map(one => ({ ...one, label: apart(one.label, session) ?? one.label }));
  const labels = named.map(({ label }) => ({ label, mentions: 1, isPerson: false }));
  const { standing } = namesOf(labels, corrections);
  return named.map(one => {
    const key = normaliseLabel(one.label);
    const stands = standing.get(key);
    return stands?.key === key ? { ...one, label: stands.label } : one;
  });
};
