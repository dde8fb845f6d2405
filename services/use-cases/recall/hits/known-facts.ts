/** Reads which facts a recall has to know, and decides which of them hold. */
import type { Correction, KnownFact, KnownObservation, Scope, TailTurn } from '../../../../core/ports.ts';
import { type Standing, standingOf } from '../../../../domain/facts/holds/standing.ts';
import type { People } from '../../../../domain/facts/names/people.ts';
import { factKey } from '../../../../domain/facts/stored-fact.ts';
import { decidedTogether } from '../../../../domain/facts/values/slots.ts';
import { tailObservations } from '../../../../projections/recall/tail/tail-turn.ts';
import type { WithFact } from './held-ranking.ts';

/**
 * Folds each user's facts separately: names are merged only within one user's partition. `people`: those of
 * the one user that is searched.
 */
export const standingOfUsers = (
  facts: readonly KnownFact[],
  moment: number,
  { corrections, people }: { corrections: readonly Correction[]; people: People | undefined },
): Standing<KnownObservation> => {
  const users = new Set<string>();
  for (const { user } of facts) users.add(user);
  for (const { user } of corrections) users.add(user);
  if (users.size === 1) return standingOf<KnownObservation>(facts, moment, corrections, people);
  const ofUser = new Map(
    [...users].map(user => {
      const isTheirs = (one: KnownObservation): boolean => one.user === user;
      const theirs = facts.filter(isTheirs);
      return [
        user,
        standingOf<KnownObservation>(theirs, moment, corrections.filter(isTheirs), people),
      ] as const;
    }),
  );
  const standings = [...ofUser.values()];
  return {
    personOf: one => ofUser.get(one.user)!.personOf(one),
    keyOf: one => ofUser.get(one.user)!.keyOf(one),
    superseded: new Map(standings.flatMap(({ superseded }) => [...superseded])),
    disputed: new Map(standings.flatMap(({ disputed }) => [...disputed])),
    holding: new Map(standings.flatMap(({ holding }) => [...holding])),
  };
};

/** The keys of these facts of which not all facts were read. */
export const missingKeys = (
  facts: readonly WithFact[],
  read: readonly KnownFact[],
  together: (subjectId: string) => readonly string[],
): { user: string; key: string }[] => {
  const known = new Set<string>();
  let last: KnownFact['fact'] | undefined;
  for (const { fact } of read) {
    // They come key by key.
    if (fact.subjectId !== last?.subjectId || fact.attribute !== last.attribute) known.add(factKey(fact));
    last = fact;
  }
  const missing = new Map<string, { user: string; key: string }>();
  // Their own keys first: a recall reads so many.
  for (const decidingOn of [(attribute: string): readonly string[] => [attribute], decidedTogether]) {
    for (const { user, fact } of facts) {
      for (const subjectId of together(fact.subjectId)) {
        for (const attribute of decidingOn(fact.attribute)) {
          const key = factKey({ attribute, subjectId });
          if (!known.has(key)) missing.set(key, { user, key });
        }
      }
    }
  }
  return [...missing.values()];
};

/** Clients' observations of the tail, with turns and without, that the index may not have yet. */
export const ofTail = (tail: readonly TailTurn[], { session }: Scope) => {
  const said = tail
    .filter(
      turn =>
        (turn.facts !== undefined || turn.stated !== undefined) && (session ?? turn.session) === turn.session,
    )
    .flatMap(turn =>
      tailObservations(turn).map(one => ({
        key: -1,
        ...one,
        recordedAt: Number.MAX_SAFE_INTEGER,
        metadata: turn.metadata,
      })),
    );
  return {
    corrections: said.flatMap(one => (one.corrects ? [{ ...one, corrects: one.corrects }] : [])),
    /** Those of the attributes asked for, and of the keys of other facts. */
    facts: (others: readonly Pick<KnownFact, 'fact'>[], asked: ReadonlySet<string>): KnownFact[] => {
      const keys = new Set(
        others.flatMap(({ fact: { attribute, subjectId } }) =>
          decidedTogether(attribute).map(one => factKey({ attribute: one, subjectId })),
        ),
      );
      return said.flatMap(one =>
        one.fact && (asked.has(one.fact.attribute) || keys.has(factKey(one.fact)))
          ? [{ ...one, fact: one.fact }]
          : [],
      );
    },
  };
};

/** The index's copy wins. */
export const distinct = <T extends KnownObservation>(all: readonly T[]): T[] => {
  const found = new Map<string, T>();
  for (const one of all.toReversed()) found.set(one.id, one);
  return [...found.values()];
};
