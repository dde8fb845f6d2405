/**
 * Finds everything that goes with a hidden turn or observation, beside its own rows. An observation goes with
 * its turn, a vector too; all that is sealed with the session's key (corrections, titles, the questions of
 * receipts) goes with the session when its key is destroyed; names go where no turn says them
 * (living-names.ts); receipts read all of it anew.
 */
import type { Admission, Listing, TurnDetails } from '../../../core/ports.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import { tailObservations } from '../../../projections/recall/tail/tail-turn.ts';

export interface DerivedPorts {
  admission: Pick<Admission, 'tail'>;
  listing: Pick<Listing, 'fragments' | 'sessions'>;
  details: Pick<TurnDetails, 'facts'>;
}

/** A hidden turn or observation, and what follows it. */
export interface Closure {
  /** The observations that it is, or that were observed of it: their ids. */
  observed: string[];
  /** Corrections of these, and corrections of corrections. */
  corrections: NewFragment[];
  /** When the session's title was recorded, where it has one: Unix milliseconds. */
  titledAt: number | undefined;
}

interface OfSession {
  org: string;
  user: string;
  session: string;
}

/** Observations per read: a turn has at most 64 of its client, and an extractor finds fewer. */
const PAGE = 200;

export const makeDerivedFrom = ({ admission, listing, details }: DerivedPorts) => {
  const observationsOf = async (scope: OfSession, turnId: string): Promise<string[]> => {
    const waiting = (await admission.tail(scope)).filter(({ id }) => id === turnId).flatMap(tailObservations);
    const ids = new Set(waiting.map(({ id }) => id));
    const wanted = { kind: 'observation', turnId } as const;
    for (let after: Parameters<Listing['fragments']>[3]; ; ) {
      const page = await listing.fragments(scope, wanted, 'asc', after, PAGE);
      for (const { fragment } of page) ids.add(fragment.id);
      if (page.length < PAGE) return [...ids];
      after = page.at(-1)!.cursor;
    }
  };

  /** Reads the tail before the index: what is acknowledged is in at least one of the two. */
  const correcting = async (scope: OfSession, ids: readonly string[]): Promise<NewFragment[]> => {
    const wanted = new Set(ids);
    const waiting = (await admission.tail(scope)).flatMap(tailObservations);
    const { corrections } = await details.facts(scope, { keys: [], corrected: ids });
    return [...waiting, ...corrections].filter(({ corrects }) => corrects && wanted.has(corrects.id));
  };

  /** Returns all corrections of these observations, whatever they were corrected to in between. */
  const correctionsOf = async (scope: OfSession, observed: readonly string[]): Promise<NewFragment[]> => {
    const found = new Map<string, NewFragment>();
    for (let ids = observed; ids.length > 0; ) {
      const next = (await correcting(scope, ids)).filter(({ id }) => !found.has(id));
      for (const one of next) found.set(one.id, one);
      ids = [...new Set(next.map(({ id }) => id))];
    }
    return [...found.values()];
  };

  /** When the session's title was recorded; undefined where it has none. Reads the index alone. */
  const titledAt = async (scope: OfSession): Promise<number | undefined> => {
    const [session] = await listing.sessions(scope, undefined, 1);
    const title = session?.said.title;
    return title?.value == null ? undefined : title.at;
  };

  return {
    correctionsOf,
    titledAt,
    closureOf: async (scope: OfSession, { id, sourceTurnId }: NewFragment): Promise<Closure> => {
      const observed = sourceTurnId === undefined ? await observationsOf(scope, id) : [id];
      const [corrections, titled] = await Promise.all([correctionsOf(scope, observed), titledAt(scope)]);
      return { observed, corrections, titledAt: titled };
    },
  };
};
