import type { StoredFragment } from '../../../../core/ports.ts';
import { endOfSpan, isShort } from '../../../../domain/language/times/date-match.ts';
import type { CandidateQuery } from '../../../../domain/search/candidate-query.ts';
import type { Indexed } from '../../../../projections/recall/tail/indexed.ts';
import { makeRecent } from '../../../../projections/recall/tail/recent.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { FRAGMENT, type FragmentFields, fragmentOf } from '../packed-fragment.ts';
import { CANDIDATES, type Clause, columns, inWindow, routingOf, type SeenScope } from '../scope-clauses.ts';
import { vectorOf } from '../write/documents.ts';
import type { FragmentNumbers } from '../write/fragment-numbers.ts';

/** The most terms of a query; beyond that, the expansions of least weight are left out. */
const MOST_TERMS = 400;
/** Fragments found by their vectors, in addition to those found by words. */
const NEAREST = 100;
export const MOST_SPEAKERS = 64;
/** The most buckets of an answer that name sessions; the engine's limit is 65,536 buckets of all kinds. */
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
  /** When the turns were said; null if there are none. */
  first: { value: number | null };
  last: { value: number | null };
  roles: { buckets: { key: string }[] };
  words: { buckets: Bucket[] };
  sessions: SessionBuckets;
  holding: HoldingBuckets;
}

export interface Hits {
  hits: { total: { value: number }; hits: { fields: FragmentFields }[] };
}

interface Answer extends Hits {
  aggregations: { turns: TurnCounts; settled?: { ids: { buckets: { key: string }[] } } };
}

export interface Fragment {
  entry: Indexed;
  stored: StoredFragment;
}

export interface Fetched {
  /** The number of fragments of the scope in the index: exact up to `most`, beyond that a lower bound. */
  total: number;
  /** Best first. */
  fragments: Fragment[];
  counts: TurnCounts;
  /** Ids of the tail fragments that the index has settled. */
  settled: ReadonlySet<string>;
}

export type ReadFragments = (answer: Hits) => Fragment[];

/**
 * Decoded fragments in memory, keyed by their immutable bytes, usually about 2 KiB; decoded they take as much
 * again.
 */
const CACHED = {
  entries: 6_000,
  bytes: 48 * 1024 * 1024,
  bytesOf: (_: Fragment, packed: string) => 3 * packed.length,
};

export const makeReadFragments = (
  decodeDocument: (bytes: Uint8Array) => Indexed['document'],
  { numberOf }: Pick<FragmentNumbers, 'numberOf'>,
): ReadFragments => {
  const recent = makeRecent<string, Fragment>(CACHED);
  const unpacked = (fields: FragmentFields): Fragment => {
    const { fragment, address, sessionKey: session, document } = fragmentOf(fields);
    // Every document that a recall searches has an address.
    const number = numberOf(address!);
    const stored: StoredFragment = { key: number, ...fragment };
    const { role, timestamp } = stored;
    const kind = stored.kind === 'turn' ? 0 : 1;
    const entry = { number, id: stored.id.slice(4), session, timestamp, kind, role };
    return { entry: { ...entry, document: decodeDocument(document) }, stored };
  };
  return ({ hits }) =>
    hits.hits.map(({ fields }) => {
      const [packed] = fields.fragment;
      return recent.get(packed) ?? recent.set(packed, unpacked(fields));
    });
};

export interface FetchRequest {
  alias: string;
  scope: SeenScope;
  query: CandidateQuery;
  tailIds: readonly string[];
  /** Number of fragments to fetch. */
  size: number;
  /** The scope's total is counted up to this number. */
  most: number;
}

/**
 * Runs one search for the best fragments of the scope (all of them if it has at most `size`) and for exact
 * counts over the whole scope. Scores come from the query alone: Lucene's own statistics span all tenants.
 */
export const fetchCandidates = async (
  elasticsearch: Elasticsearch,
  read: ReadFragments,
  { alias, scope, query, tailIds, size, most }: FetchRequest,
): Promise<Fetched> => {
  const filter: Clause[] = [...inWindow(scope), { terms: { kind: CANDIDATES } }];
  const vector = vectorOf(query.vector);
  const answer = await elasticsearch.ask<Answer>('POST', `/${alias}/_search`, {
    query: { ...routingOf(scope), allow_partial_search_results: false },
    body: {
      ...columns(...FRAGMENT),
      size,
      // Break ties in an order that merges and refreshes of the index don't change.
      sort: ['_score', { timestamp: 'desc' }, { id: 'asc' }],
      track_total_hits: most + 1,
      query: { bool: { filter, should: [...termClauses(query), ...spanClauses(query)] } },
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
        ...(tailIds.length > 0 && { settled: settledOf(tailIds) }),
      },
    },
  });
  return {
    total: answer.hits.total.value,
    fragments: read(answer),
    counts: answer.aggregations.turns,
    settled: new Set(answer.aggregations.settled?.ids.buckets.map(({ key }) => key)),
  };
};

/** Returns the terms of most weight: only they are searched and counted. */
export const searchedTerms = ({ terms }: CandidateQuery): CandidateQuery['terms'] =>
  terms.length <= MOST_TERMS ? terms : [...terms].sort((a, b) => b.weight - a.weight).slice(0, MOST_TERMS);

const termClauses = (query: CandidateQuery): Clause[] =>
  searchedTerms(query).map(({ stem, weight, rarity }) => ({
    constant_score: { filter: { term: { stems: String(stem) } }, boost: weight * rarity },
  }));

/**
 * The weight of a span among the terms: a short one counts as two words that are neither common nor rare, a
 * long one as one.
 */
const SPAN = { short: 3, long: 1.5 };

const spanClauses = ({ spans }: CandidateQuery): Clause[] =>
  spans.map(span => ({
    constant_score: {
      filter: { range: { timestamp: { gte: span.from, lt: endOfSpan(span) } } },
      boost: isShort(span) ? SPAN.short : SPAN.long,
    },
  }));

const turnCounts = (query: CandidateQuery): Record<string, unknown> => {
  const terms = searchedTerms(query).map(({ stem }) => stem);
  return {
    length: { sum: { field: 'length' } },
    first: { min: { field: 'timestamp' } },
    last: { max: { field: 'timestamp' } },
    roles: {
      terms: { field: 'role', size: MOST_SPEAKERS, order: { _key: 'asc' }, execution_hint: 'map' },
    },
    words: holdingOf(terms),
    ...sessionCounts([...query.stems]),
  };
};

/** Returns aggregations of the lengths of sessions, and of how many of their turns hold each stem. */
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

/** Matches nothing, since hashes of stems are not negative: the engine rejects an empty list. */
const NO_STEM = -1;

export const holdingOf = (stems: readonly number[]): Record<string, unknown> => ({
  terms: { field: 'words', include: stems.length > 0 ? stems : [NO_STEM], size: Math.max(stems.length, 1) },
});

/** The engine rejects longer lists of values, and more buckets. */
const MOST_IDS = 60_000;

const settledOf = (all: readonly string[]): Record<string, unknown> => {
  const ids = all.slice(0, MOST_IDS);
  return {
    filter: { terms: { id: ids } },
    aggs: { ids: { terms: { field: 'id', size: ids.length, execution_hint: 'map' } } },
  };
};
