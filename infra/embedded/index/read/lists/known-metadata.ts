import type { Scope } from '../../../../../core/ports.ts';
import { type Condition, conditionName, passes } from '../../../../../domain/filter/condition.ts';
import { NO_TERMS } from '../../../../../domain/filter/terms.ts';
import type { PassingMetadata } from '../../../../../domain/search/segments/run.ts';
import { scopeKey } from '../../file/projections-database.ts';
import { termsOfBytes } from '../../write/recall/metadata.ts';
import type { ProjectionsReader, ReadStatement } from '../projections-reader.ts';
import { type AscendingNumbers, ascendingNumbers } from './ascending-numbers.ts';

/** The metadata checked before yielding: one has up to 4 KiB of terms, and a filter 32 leaves. */
const AT_ONCE = 100;
/** The numbers remembered for all filters together: 16 to 32 MB. */
const MOST_NUMBERS = 4_000_000;
/** The number of filters remembered, whatever they match. */
const MOST_FILTERS = 1_000;

/** The remembered result of a filter in a scope of one file. */
interface Known extends PassingMetadata {
  /** The numbers whose result differs from that of a row without metadata. */
  numbers: AscendingNumbers;
  /** The scope's metadata up to this number have been checked. */
  upTo: number;
  /** The connection's id and the scope's number: the numbers are valid only there. */
  reader: number;
  scope: number;
  rows: ReadStatement;
  /** The number of calls that use it; it isn't forgotten meanwhile. */
  preparing: number;
}

export type FilteredScope = Pick<Scope, 'org' | 'user'> & { filter: Condition };

/**
 * Finds the metadata of a scope that passes a filter. Each is checked once per filter: a metadata never
 * changes, and later ones have greater numbers, so results only grow.
 *
 * @param mostNumbers for tests
 */
export const openKnownMetadata = (reader: ProjectionsReader, mostNumbers = MOST_NUMBERS) => {
  const servingReader = reader.prepare('SELECT reader_id() AS reader');
  const findScope = reader.prepare('SELECT reader_id() AS reader, no FROM scopes WHERE key = ?');
  const after = (column: 'partition' | 'organization'): ReadStatement =>
    reader.prepare(`SELECT no, terms FROM metadata WHERE ${column} = ? AND no > ? ORDER BY no LIMIT ?`);
  const ofUser = after('partition');
  const ofOrganization = after('organization');
  /** Ordered by last use, the least recent first. */
  const remembered = new Map<string, Known>();
  let numbers = 0;

  /** Returns the remembered result; undefined if the scope doesn't exist. */
  const knownOf = ({ org, user, filter }: FilteredScope): Known | undefined => {
    const row = findScope.get(scopeKey(org, user));
    if (!row) return undefined;
    const [file, scope] = [Number(row.reader), Number(row.no)];
    const name = `${file}/${scope}/${conditionName(filter)}`;
    const known = remembered.get(name) ?? {
      numbers: ascendingNumbers(),
      except: passes(filter, NO_TERMS),
      upTo: 0,
      reader: file,
      scope,
      rows: user === undefined ? ofOrganization : ofUser,
      preparing: 0,
    };
    remembered.delete(name);
    remembered.set(name, known);
    return known;
  };

  const isServing = ({ reader }: Known): boolean => servingReader.get()!.reader === reader;

  const forget = (): void => {
    for (const [name, known] of remembered) {
      if (numbers <= mostNumbers && remembered.size <= MOST_FILTERS) return;
      if (known.preparing > 0) continue;
      remembered.delete(name);
      numbers -= known.numbers.size;
    }
  };

  /** Checks the next ones; returns whether there may be more. */
  const lookOn = (known: Known, filter: Condition): boolean => {
    const rows = known.rows.all(known.scope, known.upTo, AT_ONCE);
    const before = known.numbers.size;
    for (const { no, terms } of rows)
      if (passes(filter, termsOfBytes(terms)) !== known.except) known.numbers.add(Number(no));
    known.upTo = Number(rows.at(-1)?.no ?? known.upTo);
    numbers += known.numbers.size - before;
    return rows.length === AT_ONCE;
  };

  return {
    /** Checks most of it in advance, with yields. */
    prepare: async (scope: FilteredScope, yieldWhenDue: () => Promise<void>): Promise<void> => {
      const known = knownOf(scope);
      if (!known) return;
      known.preparing++;
      try {
        // Another file may serve after a yield.
        while (isServing(known) && lookOn(known, scope.filter)) await yieldWhenDue();
      } finally {
        known.preparing--;
        forget();
      }
    },
    /** Returns the result as of this step; without `prepare` it is computed now. */
    now: (scope: FilteredScope): PassingMetadata => {
      const known = knownOf(scope);
      if (!known) return { numbers: ascendingNumbers(), except: passes(scope.filter, NO_TERMS) };
      while (lookOn(known, scope.filter));
      forget();
      return known;
    },
  };
};
