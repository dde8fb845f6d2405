import type { CandidateQuery } from '../../../projections/recall/candidate-query.ts';
import {
  type Chosen,
  chooseBest,
  LIMITS,
  type Limits,
  SHORTLIST,
  selectCandidates,
} from '../../../projections/recall/candidates.ts';
import {
  type Candidate,
  type Document,
  type Neighbour,
  NO_NEIGHBOURS,
} from '../../../projections/recall/document.ts';
import { TURN } from '../../../projections/recall/run.ts';
import { countScope } from '../../../projections/recall/scope-counts.ts';
import {
  analyseTail,
  placeTail,
  type TailAnalysis,
  type TailNumbers,
} from '../../../projections/recall/tail/entries.ts';
import type { Indexed } from '../../../projections/recall/tail/indexed.ts';
import { turnsAround } from '../../../projections/recall/turns-around.ts';
import { RECALL_VERSION } from '../../../projections/versions.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { boundedMap } from '../../../services/core/bounded-map.ts';
import type { Positions, RecallIndex, Retrieved, Scope, TailTurn } from '../../../services/core/ports.ts';
import { type GenerationWritersOptions, makeGenerationWriters } from '../generations/writes.ts';
import {
  type BringRequest,
  type Brought,
  bringCandidates,
  makeReadFragments,
  searchedTerms,
} from './candidates.ts';
import { connectElasticsearch, type Elasticsearch } from './client.ts';
import { type IndexCounts, scopeCounts } from './counts.ts';
import { makeFeedIndex } from './feed.ts';
import { keyOf } from './fragment.ts';
import { recallAlias } from './index.ts';
import { openListing } from './listing.ts';
import { bringAround, type Surroundings } from './neighbours.ts';
import { openRecallDetails } from './recall-details.ts';
import { makeRecallWriter } from './recall-writer.ts';
import { openRegistry } from './registry.ts';
import { ownerOf, sessionKeyOf } from './scope.ts';
import { countSessions } from './sessions.ts';
import { type AtHand, atHand, withMore } from './working-set.ts';

const NOTHING: Surroundings = { fragments: [], sessions: new Set(), orders: new Map(), turns: new Set() };

/**
 * Fragments that a search brings of a larger scope, for the first pass to choose from. On five conversations of LoCoMo in
 * one partition 300 were as good as 1,000, since the turns around the best are brought as well.
 */
const BROUGHT = 400;
/** Scopes remembered to be large: they hardly ever shrink, and a search that finds one small is made again. */
const KNOWN_LARGE = 10_000;
/** More than this is not brought in one answer: the engine's own limit. */
const MOST_BROUGHT = 10_000;

export interface ElasticsearchIndexOptions {
  config: ClusterConfig;
  decodeDocument: (bytes: Uint8Array) => Document;
  analyse: TailAnalysis;
  /** Makes what lets other requests run between two steps of long work. */
  makeBreathe: () => () => Promise<void>;
  limits?: Limits | undefined;
  onDropped?: GenerationWritersOptions['onDropped'];
}

/** A turn's place in the log numbers it: before it is indexed and after, in every process. */
const TAIL_NUMBERS: TailNumbers = {
  session: ({ org, user, session }) => sessionKeyOf(org, user, session),
  entry: ({ partition, offset }, part) => keyOf({ partition, offset, part }),
};

export const openElasticsearchIndex = ({
  config,
  decodeDocument,
  analyse,
  makeBreathe,
  limits = LIMITS,
  onDropped = () => {},
}: ElasticsearchIndexOptions) => {
  const elasticsearch = connectElasticsearch(config);
  const alias = recallAlias(config);
  const read = makeReadFragments(decodeDocument);
  const most = Math.min(MOST_BROUGHT, Math.max(limits.all, BROUGHT));
  const large = boundedMap<true>(KNOWN_LARGE);

  /** How large a scope is, its first search can't know: it brings all that a small one has. */
  const bringFrom = async (request: Omit<BringRequest, 'size' | 'most'>): Promise<Brought> => {
    const { org, user, session, since, until, asOf } = request.scope;
    const name = JSON.stringify([org, user, session, since, until, asOf]);
    const size = large.get(name) ? BROUGHT : most;
    const brought = await bringCandidates(elasticsearch, read, { ...request, size, most });
    if (brought.total > most) {
      large.set(name, true);
      // The same as when it is known to be large: an answer must not depend on who asked before.
      return { ...brought, fragments: brought.fragments.slice(0, BROUGHT) };
    }
    if (size === most) return brought;
    large.delete(name);
    return bringCandidates(elasticsearch, read, { ...request, size: most, most });
  };

  const retrieve: RecallIndex['retrieve'] = async (scope, analyseQuery, all) => {
    const waiting = all.filter(turn => isOf(turn, scope));
    await analyseTail(waiting, analyse, makeBreathe());
    const tail = placeTail(waiting, TAIL_NUMBERS, analyse);
    const tailIds = tail.entries.map(({ number }) => tail.fragment(number)!.id);
    const bring = async (query: CandidateQuery): Promise<AtHand> =>
      atHand(await bringFrom({ alias, scope, query, tailIds }), tail, scope);

    // Who speaks in the scope comes with the answer: what is looked for first takes every word for one that counts.
    const asked = analyseQuery([]);
    let hand = await bring(asked);
    const query = analyseQuery(hand.speakers);
    if (!hand.whole && !covers(asked, query)) hand = await bring(query);
    const selected = hand.whole
      ? { hand, surroundings: NOTHING, ...selectCandidates(hand.searched, query, limits) }
      : await selectAmong(hand, query);
    hand = selected.hand;

    const places = new Map(selected.chosen.map(one => [one.number, one]));
    return {
      query,
      complete: selected.complete,
      candidates: selected.chosen.map(one => candidate(one, selected.hand.entries)),
      statistics: { ...selected.statistics, speakers: hand.speakers },
      neighbours: async keys => {
        const turns = keys.flatMap(key => (places.get(key)?.kind === TURN ? [places.get(key)!] : []));
        return neighboursOf(await surrounded(selected.hand, turns, selected.surroundings), turns);
      },
      fragment: selected.hand.fragment,
    };
  };

  const around = (hand: AtHand, turns: readonly Chosen[], known = NOTHING): Promise<Surroundings> => {
    const { scope, entries, brought } = hand;
    const sizes = new Map(brought.counts.sessions.buckets.map(({ key, doc_count }) => [key, doc_count]));
    return bringAround(
      { elasticsearch, read, alias, scope, sizes, atHand: entries.values() },
      turns.map(({ number }) => ({ entry: entries.get(number)!, user: hand.fragment(number).user })),
      known.orders,
    );
  };

  /** With the turns around these, as far as they are not at hand yet. */
  const surrounded = async (hand: AtHand, turns: readonly Chosen[], known: Surroundings): Promise<AtHand> => {
    if (hand.whole) return hand;
    const unknown = turns.filter(
      ({ number, session }) => !known.turns.has(number) && !known.sessions.has(session),
    );
    return unknown.length === 0 ? hand : withMore(hand, (await around(hand, unknown, known)).fragments);
  };

  /**
   * The best of a scope that is larger than what was brought, by counts over the whole scope. What answers a question is
   * often said beside what was asked: the turns around the best take part, and are the neighbours that ranking asks for.
   */
  const selectAmong = async (first: AtHand, query: CandidateQuery) => {
    const index = await indexCounts(first, query);
    const counts = ({ searched, isTail }: AtHand) =>
      scopeCounts(index, countScope(searched, query), searched, query, isTail);
    const best = chooseBest(first.searched, counts(first), query, { best: SHORTLIST, words: 0, vectors: 0 });
    const surroundings = await around(
      first,
      best.filter(({ kind }) => kind === TURN),
    );
    const hand = withMore(first, surroundings.fragments);
    const whole = counts(hand);
    const chosen = chooseBest(hand.searched, whole, query, limits);
    return { hand, surroundings, chosen, complete: false, statistics: whole.statistics };
  };

  const indexCounts = async ({ brought, scope }: AtHand, query: CandidateQuery): Promise<IndexCounts> => {
    const { counts, fragments } = brought;
    const listed =
      counts.sessions.sum_other_doc_count === 0 && counts.holding.sessions.sum_other_doc_count === 0;
    const keys = new Set(fragments.map(({ entry }) => entry.session));
    const sessions = listed
      ? { sessions: counts.sessions, holding: counts.holding.sessions }
      : await countSessions(elasticsearch, alias, scope, query, [...keys]);
    return {
      turns: counts.doc_count,
      length: counts.length.value,
      words: new Map(counts.words.buckets.map(({ key, doc_count }) => [key, doc_count])),
      ...sessions,
    };
  };

  const registry = openRegistry(elasticsearch, config);
  const writers = makeGenerationWriters({
    registry,
    projection: 'recall',
    version: RECALL_VERSION,
    onDropped,
  });
  const writer = makeRecallWriter(elasticsearch, config, decodeDocument, writers);
  const index: RecallIndex = { retrieve, ...openRecallDetails(elasticsearch, alias) };
  return {
    index,
    store: { apply: writer.apply, check: writers.targets },
    registry,
    elasticsearch,
    isIndexed: makeIsIndexed(elasticsearch, alias),
    listing: openListing(elasticsearch, alias, writers.targets),
    feedOf: (committed: () => Promise<Positions>) => makeFeedIndex(elasticsearch, alias, committed),
    ping: async (): Promise<void> => {
      await elasticsearch.ask('GET', `/_cluster/health/${alias}`, {
        query: { wait_for_status: 'yellow', timeout: '1s' },
      });
    },
    close: () => {
      writer.close();
      return elasticsearch.close();
    },
  };
};

const isOf = (turn: TailTurn, { org, user, session, since, until }: Scope): boolean =>
  turn.org === org &&
  (user === undefined || turn.user === user) &&
  (session === undefined || turn.session === session) &&
  turn.timestamp >= (since ?? -Infinity) &&
  turn.timestamp <= (until ?? Infinity);

/** Whether counts were had of all that is looked for. */
const covers = (asked: CandidateQuery, query: CandidateQuery): boolean => {
  const known = new Set(searchedTerms(asked).map(({ stem }) => stem));
  return (
    searchedTerms(query).every(({ stem }) => known.has(stem)) && query.stems.every(stem => known.has(stem))
  );
};

const candidate = (
  { number, session, timestamp, kind }: Chosen,
  entries: ReadonlyMap<number, Indexed>,
): Candidate => {
  const { id, role, document } = entries.get(number)!;
  const name = kind === TURN ? 'turn' : 'observation';
  return { key: number, id, kind: name, session, role, timestamp, document, neighbours: NO_NEIGHBOURS };
};

const neighboursOf = (
  { searched, entries }: AtHand,
  turns: readonly Chosen[],
): Awaited<ReturnType<Retrieved['neighbours']>> => {
  const at = (number?: number): Neighbour | undefined =>
    number === undefined ? undefined : entries.get(number);
  return new Map(
    [...turnsAround(searched, turns)].map(([key, [a, b, c, d]]) => [
      key,
      [at(a), at(b), at(c), at(d)] as const,
    ]),
  );
};

/**
 * Which of these turns the index has, and whether they are more than an identity: read by id, so a turn that was written
 * and not yet shown is there too.
 */
const makeIsIndexed =
  (elasticsearch: Elasticsearch, alias: string) =>
  async (org: string, user: string, ids: readonly string[]): Promise<Map<string, boolean>> => {
    if (ids.length === 0) return new Map();
    type Found = {
      _id: string;
      found?: boolean;
      error?: { type?: string };
      _source?: { org: string; active: boolean };
    };
    const { docs } = await elasticsearch.ask<{ docs: Found[] }>('POST', `/${alias}/_mget`, {
      query: { routing: ownerOf(org, user), _source_includes: 'org,active' },
      body: { ids },
    });
    const found = new Map<string, boolean>();
    for (const { _id, error, _source: source } of docs) {
      // Each item answers for itself: a shard that is away says nothing about its turns.
      elasticsearch.check({ status: 503, error });
      if (source?.org === org) found.set(_id, source.active);
    }
    return found;
  };
