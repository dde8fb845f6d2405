import { type Digests, makeDigests } from './digest.ts';
import type { Row, RowKind, RowPlace } from './row.ts';

/**
 * `missing`: the log has it, the projection doesn't; `extra`: the other way round; `changed`: another content;
 * `derived`: what the store makes of its own rows doesn't agree with them, as `detail` says.
 */
export interface Difference {
  how: 'missing' | 'extra' | 'changed' | 'derived';
  kind: RowKind | 'entity' | 'segment' | 'speaker' | 'scope' | 'rollup';
  id: string;
  org: string;
  /** As the log has it, or as the store says where the log has none. */
  place: RowPlace | undefined;
  detail?: string | undefined;
  /** Sampled by it. */
  unit: string;
  /** Of the store's row, to see whether it is still the same at a second look. */
  hash: string;
}

/** A row of the log's, with what may be in its way. */
export interface Expected extends Row {
  /** The store refused it (it is in the dead letters): it may be missing. */
  refused?: boolean;
}

export const rowKey = ({ kind, id }: Pick<Row, 'kind' | 'id'>): string => `${kind} ${id}`;

export interface Comparison {
  /** A row of the store's. */
  stored(row: Row): void;
  /** When all were told of. */
  end(): { differences: Difference[]; log: Digests; store: Digests };
}

const difference = (
  how: Difference['how'],
  { kind, id, org, place, unit }: Row,
  hash: string,
): Difference => ({
  how,
  kind,
  id,
  org,
  place,
  unit,
  hash,
});

/** Compares what the log gives, by `rowKey`, with what a store has, in any order. */
export const makeComparison = (expected: ReadonlyMap<string, Expected>): Comparison => {
  const log = makeDigests();
  const store = makeDigests();
  for (const row of expected.values()) log.add(row);
  const seen = new Set<string>();
  const differences: Difference[] = [];
  return {
    stored: row => {
      const key = rowKey(row);
      const wanted = expected.get(key);
      // Words that the client said itself are the client's: an extractor's copy may lie beside them.
      if (wanted && row.extracted && !wanted.extracted) return;
      store.add(row);
      if (!wanted || seen.has(key)) return void differences.push(difference('extra', row, row.hash));
      seen.add(key);
      if (wanted.hash !== row.hash) differences.push(difference('changed', wanted, row.hash));
    },
    end: () => {
      for (const [key, row] of expected)
        if (!seen.has(key) && !row.refused) differences.push(difference('missing', row, ''));
      return { differences, log, store };
    },
  };
};
