import type { CandidateQuery } from '../../../projections/recall/candidate-query.ts';
import type { Indexed } from '../../../projections/recall/tail/indexed.ts';
import { makeRecent } from '../../../projections/recall/tail/recent.ts';
import type { Scope, StoredFragment } from '../../../services/core/ports.ts';
import type { Elasticsearch } from './client.ts';
import { vectorOf } from './documents.ts';
import { unpackFragment } from './fragment.ts';
import { CANDIDATES, type Clause, columns, inWindow, routingOf } from './scope.ts';

/** Clauses of a query: expansions beyond have the least weight. */
const MOST_TERMS = 400;
/** Vectors beside the words' best. */
const NEAREST = 100;
export const MOST_SPEAKERS = 64;
/** Buckets of an answer that name sessions; the engine's own limit is 65,536 of all kinds. */
const MOST_BUCKETS = 40_000;
const MOST_SESSIONS = 2_000;

export interface Bucket {
  key: number;
  doc_count: number;
}

export interface SessionBuckets {
  sum_other_doc_count: number;
  buckets: (Bucket & { length: { value: number } })[];
}

export interface HoldingBuckets {
  sessions: { sum_other_doc_count: number; buckets: (Bucket & { words: { buckets: Bucket[] } })[] };
}

/** Counts over the scope's turns in the index. */
export interface TurnCounts {
  doc_count: number;
  length: { value: number };
  roles: { buckets: { key: string }[] };
  words: { buckets: Bucket[] };
  sessions: SessionBuckets;
  holding: HoldingBuckets;
}

export interface Hits {
  hits: { total: { value: number }; hits: { fields: { fragment: [string] } }[] };
}

interface Answer extends Hits {
  aggregations: { turns: TurnCounts; shown?: { ids: { buckets: { key: string }[] } } };
}

export interface Fragment {
  entry: Indexed;
  stored: StoredFragment;
}

export interface Brought {
  /** Fragments of the scope in the index; exact up to the number asked for, then just more. */
  total: number;
  /** The best first. */
  fragments: Fragment[];
  counts: TurnCounts;
  /** Of the fragments asked about: those that this picture of the index shows. */
  shown: ReadonlySet<string>;
}

export type ReadFragments = (answer: Hits) => Fragment[];

/** Decoded fragments kept in memory, by their bytes: they never change. Some 2 KiB each. */
const CACHED = 6_000;

export const makeReadFragments = (
  decodeDocument: (bytes: Uint8Array) => Indexed['document'],
): ReadFragments => {
  const recent = makeRecent<string, Fragment>(CACHED);
  const unpacked = (packed: string): Fragment => {
    const { fragment: stored, sessionKey: session, document } = unpackFragment(packed);
    const { key: number, role, timestamp } = stored;
    const kind = stored.kind === 'turn' ? 0 : 1;
    const entry = { number, id: stored.id.slice(4), session, timestamp, kind, role };
    return { entry: { ...entry, document: decodeDocument(document) }, stored };
  };
  return ({ hits }) =>
    hits.hits.map(({ fields }) => {
      const [packed] = fields.fragment;
      return recent.get(packed) ?? recent.set(packed, unpacked(packed));
    });
};

export interface BringRequest {
  alias: string;
  scope: Scope;
  query: CandidateQuery;
  tailIds: readonly string[];
  /** Fragments to bring. */
  size: number;
  /** Up to here the scope's total is counted. */
  most: number;
}

/**
 * One search: the best fragments of the scope, all of a scope that has no more than `size`, and exact counts over the
 * whole scope. What is best is said by the query alone: Lucene's own statistics go over all tenants.
 */
export const bringCandidates = async (
  elasticsearch: Elasticsearch,
  read: ReadFragments,
  { alias, scope, query, tailIds, size, most }: BringRequest,
): Promise<Brought> => {
  const filter: Clause[] = [...inWindow(scope), { terms: { kind: CANDIDATES } }];
  const vector = vectorOf(query.vector);
  const answer = await elasticsearch.ask<Answer>('POST', `/${alias}/_search`, {
    query: { ...routingOf(scope), allow_partial_search_results: false },
    body: {
      ...columns('fragment'),
      size,
      // What is equally good comes in an order that the index's merges and refreshes don't change.
      sort: ['_score', { timestamp: 'desc' }, { id: 'asc' }],
      track_total_hits: most + 1,
      query: { bool: { filter, should: termClauses(query) } },
      ...(vector && {
        knn: {
          field: 'vector',
          query_vector: vector,
          k: NEAREST,
          num_candidates: NEAREST,
          filter,
        },
      }),
      aggs: {
        turns: { filter: { term: { kind: 'turn' } }, aggs: turnCounts(query) },
        ...(tailIds.length > 0 && { shown: shownOf(tailIds) }),
      },
    },
  });
  return {
    total: answer.hits.total.value,
    fragments: read(answer),
    counts: answer.aggregations.turns,
    shown: new Set(answer.aggregations.shown?.ids.buckets.map(({ key }) => key)),
  };
};

/** The terms that are looked for, those of most weight; counts are had of these alone. */
export const searchedTerms = ({ terms }: CandidateQuery): CandidateQuery['terms'] =>
  terms.length <= MOST_TERMS ? terms : [...terms].sort((a, b) => b.weight - a.weight).slice(0, MOST_TERMS);

const termClauses = (query: CandidateQuery): Clause[] =>
  searchedTerms(query).map(({ stem, weight, rarity }) => ({
    constant_score: { filter: { term: { stems: String(stem) } }, boost: weight * rarity },
  }));

const turnCounts = (query: CandidateQuery): Record<string, unknown> => {
  const terms = searchedTerms(query).map(({ stem }) => stem);
  return {
    length: { sum: { field: 'length' } },
    roles: {
      terms: { field: 'role', size: MOST_SPEAKERS, order: { _key: 'asc' }, execution_hint: 'map' },
    },
    words: holdingOf(terms),
    ...sessionCounts([...query.stems]),
  };
};

/** Lengths of sessions, and how many of their turns hold each stem. */
export const sessionCounts = (stems: readonly number[]): Record<string, unknown> => {
  const size = Math.min(MOST_SESSIONS, Math.floor(MOST_BUCKETS / (stems.length + 1)));
  return {
    sessions: { terms: { field: 'session_key', size }, aggs: { length: { sum: { field: 'length' } } } },
    holding: {
      filter: { terms: { stems: stems.map(String) } },
      aggs: {
        sessions: {
          terms: { field: 'session_key', size },
          aggs: { words: holdingOf(stems) },
        },
      },
    },
  };
};

/** Hashes of stems are not negative: this one is nobody's, for an engine that takes no empty list. */
const NO_STEM = -1;

export const holdingOf = (stems: readonly number[]): Record<string, unknown> => ({
  terms: { field: 'words', include: stems.length > 0 ? stems : [NO_STEM], size: Math.max(stems.length, 1) },
});

/** More values than this in one list are refused, and so are more buckets. */
const MOST_IDS = 60_000;

const shownOf = (all: readonly string[]): Record<string, unknown> => {
  const ids = all.slice(0, MOST_IDS);
  return {
    filter: { terms: { id: ids } },
    aggs: { ids: { terms: { field: 'id', size: ids.length, execution_hint: 'map' } } },
  };
};
