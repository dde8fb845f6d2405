import { indexInRecord, recordOffsetOf } from '../../schemas/events/event-offset.ts';
import { type Digests, makeDigests } from './digest.ts';
import type { Row, RowAddress } from './row.ts';

/**
 * `missing`: in the log but not in the projection; `extra`: the reverse; `changed`: the content differs;
 * `derived`: what the store derives from its own rows differs from them, see `detail`.
 */
export interface Difference {
  how: 'missing' | 'extra' | 'changed' | 'derived';
  /** Kind of the row, or of what is derived from rows. */
  kind: string;
  id: string;
  org: string;
  /**
   * From the log, or from the store when the log has no such row; here the offset and the index are apart.
   */
  address: (RowAddress & { index?: number | undefined }) | undefined;
  detail?: string | undefined;
  /** The row's sampling unit. */
  unit: string;
  /** Set when every sample includes the row. */
  isWhole?: true | undefined;
  /** Hash of the store's row, to detect whether a second check finds the same. */
  hash: string;
}

/** A row that follows from the log. */
export interface Expected extends Row {
  /** The store rejected it (it is in the dead letters), so it may be missing. */
  refused?: boolean;
}

export const rowKey = ({ kind, id }: Pick<Row, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Whether the row may expire. */
export const mayEnd = ({ end, keptFrom }: Row): boolean => end !== undefined || keptFrom !== undefined;

export interface Comparison {
  /** Call with each row of the store. */
  stored(row: Row): void;
  /** Returns the expected rows that the store has not shown. Call after all rows of the store. */
  missing(): Row[];
  /** Call after all rows of the store. `removed`: units of which the store may lack what can expire. */
  end(removed?: ReadonlySet<string>): { differences: Difference[]; log: Digests; store: Digests };
}

const difference = (
  how: Difference['how'],
  { kind, id, org, address, unit, isWhole }: Row,
  hash: string,
): Difference => ({
  how,
  kind,
  id,
  org,
  address: address && {
    ...address,
    offset: recordOffsetOf(address.offset),
    index: indexInRecord(address.offset) || undefined,
  },
  unit,
  isWhole,
  hash,
});

/** Compares the rows expected from the log, by `rowKey`, with those of a store, in any order. */
export const makeComparison = (expected: ReadonlyMap<string, Expected>): Comparison => {
  const log = makeDigests();
  const store = makeDigests();
  const seen = new Set<string>();
  const differences: Difference[] = [];
  return {
    stored: row => {
      const key = rowKey(row);
      const wanted = expected.get(key);
      // A client's observation takes precedence over an extracted one with the same text; a copy of the
      // latter may remain.
      if (wanted && row.extracted && !wanted.extracted) return;
      store.add(row);
      if (!wanted || seen.has(key)) return void differences.push(difference('extra', row, row.hash));
      seen.add(key);
      if (wanted.hash !== row.hash) differences.push(difference('changed', wanted, row.hash));
    },
    missing: () => [...expected].flatMap(([key, row]) => (seen.has(key) || row.refused ? [] : [row])),
    end: (removed = new Set()) => {
      for (const [key, row] of expected) {
        if (!seen.has(key) && mayEnd(row) && removed.has(row.unit)) continue;
        log.add(row);
        if (!seen.has(key) && !row.refused) differences.push(difference('missing', row, ''));
      }
      return { differences, log, store };
    },
  };
};
