import type { Scope } from '../../../../../core/ports.ts';
import { type Condition, neededTerms, passes } from '../../../../../domain/filter/condition.ts';
import { NO_TERMS } from '../../../../../domain/filter/terms.ts';
import type { PassingMetadata } from '../../../../../domain/search/segments/run.ts';
import { scopeKey } from '../../file/projections-database.ts';
import { termsOfBytes } from '../../write/recall/metadata.ts';
import type { ProjectionsReader } from '../projections-reader.ts';
import { askFor } from './asked-metadata.ts';
import { openKnownMetadata } from './known-metadata.ts';

/** The metadata that passes without a filter: all. */
const ALL: PassingMetadata = { numbers: new Set(), except: true };

/** Returns a condition for a row's metadata to pass; `number`: a parameter whose value is `passingValue`. */
export const passesIn = (column: string, number: string): string =>
  `(${number} IS NULL OR reader_passes(${number}, ${column}))`;
/** Returns the parameter's value, to be used in this step (asked-metadata.ts). */
export const passingValue = (passing: PassingMetadata): number | null =>
  passing === ALL ? null : askFor(passing);

/** Up to this many are checked one by one. */
const FEW = 1_000;

type Rows = Record<string, unknown>[];
type FilterScope = Pick<Scope, 'org' | 'user' | 'filter'>;

const numbersOf = (rows: Rows): Set<number> => new Set(rows.map(({ no }) => Number(no)));
const termsAsHex = (terms: readonly string[]): string =>
  JSON.stringify(terms.map(term => Buffer.from(term).toString('hex')));

/**
 * Finds the metadata that passes a filter in a user's or an organization's scope. If every passing metadata
 * must have one of some terms, the cost is that of the rarest of them; otherwise all of the scope's metadata
 * is checked, once per filter.
 */
export const openPassingMetadata = (reader: ProjectionsReader) => {
  const withTerms = reader.prepare(
    `SELECT DISTINCT t.metadata AS no FROM json_each(?2) j CROSS JOIN metadata_terms t
       ON t.term = unhex(j.value) AND t.scope = (SELECT no FROM scopes WHERE key = ?1) LIMIT ${FEW + 1}`,
  );
  const termsOf = reader.prepare(
    'SELECT no, terms FROM metadata WHERE no IN (SELECT value FROM json_each(?))',
  );
  const fragments = reader.prepare(
    `SELECT f.no FROM json_each(?1) j CROSS JOIN fragments f ON f.metadata = j.value
     WHERE f.kind = 0 OR (f.kind = 1 AND f.source = 'client') LIMIT ?2`,
  );
  const sessionsOf = reader.prepare(
    'SELECT DISTINCT session AS no FROM metadata WHERE no IN (SELECT value FROM json_each(?))',
  );
  const ofSessions = reader.prepare(
    'SELECT no, terms FROM metadata WHERE session IN (SELECT value FROM json_each(?))',
  );

  const manyInSessions = reader.prepare(
    `SELECT count(*) AS n FROM (SELECT 1 FROM metadata WHERE session IN (SELECT value FROM json_each(?)) LIMIT ${FEW + 1})`,
  );

  /** Returns the smallest set of metadata with a needed term; undefined if even that is not small. */
  const fewest = (key: string, condition: Condition): Set<number> | undefined => {
    let best: Set<number> | undefined;
    for (const terms of neededTerms(condition)) {
      const found = numbersOf(withTerms.all(key, termsAsHex(terms)));
      if (found.size <= FEW && found.size < (best?.size ?? FEW + 1)) best = found;
    }
    return best;
  };

  const passingOf = (rows: Rows, condition: Condition): Set<number> =>
    numbersOf(rows.filter(({ terms }) => passes(condition, termsOfBytes(terms))));

  const ofFew = (key: string, condition: Condition): PassingMetadata | undefined => {
    const few = fewest(key, condition);
    return few && { numbers: passingOf(termsOf.all(JSON.stringify([...few])), condition), except: false };
  };

  const known = openKnownMetadata(reader);

  return {
    /** Await it before a step that needs more than a few, so that the step doesn't block others. */
    prepare: async ({ org, user, filter }: FilterScope, yieldWhenDue: () => Promise<void>): Promise<void> => {
      if (filter && !fewest(scopeKey(org, user), filter))
        await known.prepare({ org, user, filter }, yieldWhenDue);
    },
    inScope: ({ org, user, filter }: FilterScope): PassingMetadata => {
      if (!filter) return ALL;
      return ofFew(scopeKey(org, user), filter) ?? known.now({ org, user, filter });
    },
    /** Returns the passing metadata of these sessions of the scope, by their numbers. */
    inSessions: (
      { org, user, filter: condition }: FilterScope,
      sessions: readonly number[],
    ): PassingMetadata => {
      if (!condition) return ALL;
      const few = ofFew(scopeKey(org, user), condition);
      if (few) return few;
      const names = JSON.stringify(sessions);
      // The metadata of these sessions is too much to read at once.
      if (Number(manyInSessions.get(names)!.n) > FEW) return known.now({ org, user, filter: condition });
      const except = passes(condition, NO_TERMS);
      const rows = ofSessions.all(names);
      return { numbers: passingOf(rows, except ? { op: 'not', of: condition } : condition), except };
    },
    /** Returns the sessions among these that may have passing metadata. */
    sessionsWith: ({ numbers, except }: PassingMetadata, sessions: readonly number[]): number[] => {
      if (except || numbers.size > FEW) return [...sessions];
      const own = new Set(sessionsOf.all(JSON.stringify([...numbers])).map(({ no }) => Number(no)));
      return sessions.filter(number => own.has(number));
    },
    /** Returns the fragments with passing metadata that a recall searches; undefined if they are not few. */
    fewFragments: ({ numbers, except }: PassingMetadata): number[] | undefined => {
      if (except || numbers.size > FEW) return undefined;
      const rows = fragments.all(JSON.stringify([...numbers]), FEW + 1);
      return rows.length > FEW ? undefined : rows.map(({ no }) => Number(no));
    },
  };
};

export type PassingReader = ReturnType<typeof openPassingMetadata>;
