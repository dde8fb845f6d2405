import type { CandidateQuery } from '../../projections/recall/candidate-query.ts';
import {
  type Chosen,
  chooseBest,
  type Limits,
  selectCandidates,
} from '../../projections/recall/candidates.ts';
import {
  type Candidate,
  type Document,
  type Neighbour,
  NO_NEIGHBOURS,
} from '../../projections/recall/document.ts';
import { type Searched, searchRuns, TURN } from '../../projections/recall/run.ts';
import { countScope } from '../../projections/recall/scope-counts.ts';
import { turnsAround } from '../../projections/recall/turns-around.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import type { RecallIndex, Retrieved, Scope, StoredFragment, TailTurn } from '../../services/ports.ts';
import type { Indexed } from '../recall/indexed.ts';
import { analyseTail, placeTail, type TailAnalysis, type TailNumbers } from '../recall/tail-entries.ts';
import {
  type Brought,
  bringCandidates,
  MOST_SPEAKERS,
  makeReadFragments,
  searchedTerms,
} from './elasticsearch-candidates.ts';
import { connectElasticsearch, type Elasticsearch } from './elasticsearch-client.ts';
import { scopeCounts } from './elasticsearch-counts.ts';
import { keyOf } from './elasticsearch-fragment.ts';
import { recallAlias } from './elasticsearch-index.ts';
import { bringNeighbours } from './elasticsearch-neighbours.ts';
import { openRecallDetails } from './elasticsearch-recall-details.ts';
import { makeRecallWriter } from './elasticsearch-recall-writer.ts';
import { ownerOf, sessionKeyOf } from './elasticsearch-scope.ts';
import { countSessions } from './elasticsearch-sessions.ts';

/** All fragments of a scope up to 1,000; beyond, the best of a first pass. */
const LIMITS: Limits = { all: 1_000, best: 144, words: 16, vectors: 12 };
/** Fragments that a search brings of a larger scope, for the first pass to choose from. */
const BROUGHT = 1_000;
/** More than this is not brought in one answer: the engine's own limit. */
const MOST_BROUGHT = 10_000;

export interface ElasticsearchIndexOptions {
  config: ClusterConfig;
  decodeDocument: (bytes: Uint8Array) => Document;
  analyse: TailAnalysis;
  /** Makes what lets other requests run between two steps of long work. */
  makeBreathe: () => () => Promise<void>;
  limits?: Limits | undefined;
}

/** A turn's place in the log numbers it: before it is indexed and after, in every process. */
const TAIL_NUMBERS: TailNumbers = {
  session: ({ org, user, session }) => sessionKeyOf(org, user, session),
  entry: ({ partition, offset }, part) => keyOf({ partition, offset, part }),
};

/** The scope's fragments that are at hand, of the index and of the tail, each once. */
interface AtHand {
  brought: Brought;
  /** Nothing of the scope is missing. */
  whole: boolean;
  searched: Searched[];
  entries: ReadonlyMap<number, Indexed>;
  isTail(number: number): boolean;
  speakers: string[];
}

export const openElasticsearchIndex = ({
  config,
  decodeDocument,
  analyse,
  makeBreathe,
  limits = LIMITS,
}: ElasticsearchIndexOptions) => {
  const elasticsearch = connectElasticsearch(config);
  const alias = recallAlias(config);
  const read = makeReadFragments(decodeDocument);
  const size = Math.min(MOST_BROUGHT, Math.max(limits.all, BROUGHT));

  const retrieve: RecallIndex['retrieve'] = async (scope, analyseQuery, all) => {
    const waiting = all.filter(turn => isOf(turn, scope));
    await analyseTail(waiting, analyse, makeBreathe());
    const tail = placeTail(waiting, TAIL_NUMBERS, analyse);
    const tailIds = tail.entries.map(({ number }) => tail.fragment(number)!.id);
    const bring = async (query: CandidateQuery): Promise<AtHand> =>
      atHand(await bringCandidates(elasticsearch, read, { alias, scope, query, tailIds, size }), tail, scope);

    // Who speaks in the scope comes with the answer: what is looked for first takes every word for one that counts.
    const asked = analyseQuery([]);
    let hand = await bring(asked);
    const query = analyseQuery(hand.speakers);
    if (!hand.whole && !covers(asked, query)) hand = await bring(query);
    const { chosen, complete, statistics } = hand.whole
      ? selectCandidates(hand.searched, query, limits)
      : await selectAmong(hand, scope, query);

    const stored = new Map(hand.brought.fragments.map(each => [each.entry.number, each.stored]));
    const fragment = (key: number): StoredFragment => (tail.fragment(key) ?? stored.get(key))!;
    const places = new Map(chosen.map(one => [one.number, one]));
    return {
      query,
      complete,
      candidates: chosen.map(one => candidate(one, hand.entries)),
      statistics: { ...statistics, speakers: hand.speakers },
      neighbours: async keys => {
        const turns = keys.flatMap(key => (places.get(key)?.kind === TURN ? [places.get(key)!] : []));
        const around = hand.whole
          ? []
          : await bringNeighbours(
              elasticsearch,
              read,
              alias,
              scope,
              unknownAround(hand, turns).map(({ number }) => ({
                entry: hand.entries.get(number)!,
                user: fragment(number).user,
              })),
            );
        return neighboursOf(hand, around, turns, scope);
      },
      fragment,
    };
  };

  /** The best of what was brought, by counts over the whole scope. */
  const selectAmong = async (hand: AtHand, scope: Scope, query: CandidateQuery) => {
    const { counts, fragments } = hand.brought;
    const listed = counts.sessions.sum_other_doc_count === 0;
    const keys = new Set(fragments.map(({ entry }) => entry.session));
    const sessions = listed
      ? { sessions: counts.sessions, holding: counts.holding.sessions }
      : await countSessions(elasticsearch, alias, scope, query, [...keys]);
    const index = {
      turns: counts.doc_count,
      length: counts.length.value,
      words: new Map(counts.words.buckets.map(({ key, doc_count }) => [key, doc_count])),
      ...sessions,
    };
    const local = countScope(hand.searched, query);
    const whole = scopeCounts(index, local, hand.searched, query, hand.isTail);
    return {
      chosen: chooseBest(hand.searched, whole, query, limits),
      complete: false,
      statistics: whole.statistics,
    };
  };

  const { apply } = makeRecallWriter(elasticsearch, config, decodeDocument);
  const index: RecallIndex = { retrieve, ...openRecallDetails(elasticsearch, alias) };
  return {
    index,
    store: { apply },
    isIndexed: makeIsIndexed(elasticsearch, alias),
    ping: async (): Promise<void> => {
      await elasticsearch.ask('GET', `/_cluster/health/${alias}`, {
        query: { wait_for_status: 'yellow', timeout: '1s' },
      });
    },
    close: () => elasticsearch.close(),
  };
};

const isOf = (turn: TailTurn, { org, user, session }: Scope): boolean =>
  turn.org === org &&
  (user === undefined || turn.user === user) &&
  (session === undefined || turn.session === session);

const atHand = (brought: Brought, tail: ReturnType<typeof placeTail>, scope: Scope): AtHand => {
  const whole = brought.total <= brought.fragments.length;
  const shown = whole ? new Set(brought.fragments.map(({ stored }) => stored.id)) : brought.shown;
  const unseen = tail.entries.filter(({ number }) => !shown.has(tail.fragment(number)!.id));
  const entries = [...brought.fragments.map(({ entry }) => entry), ...unseen].sort(
    (a, b) => a.number - b.number,
  );
  const numbers = new Set(unseen.map(({ number }) => number));
  const roles = whole
    ? brought.fragments.flatMap(({ entry }) => (entry.kind === TURN ? [entry.role] : []))
    : brought.counts.roles.buckets.map(({ key }) => key);
  const speakers = [...new Set(roles)].sort().slice(0, MOST_SPEAKERS);
  return {
    brought,
    whole,
    searched: searchRuns([], entries, { since: scope.since, until: scope.until }),
    entries: new Map(entries.map(entry => [entry.number, entry])),
    isTail: number => numbers.has(number),
    speakers: [...new Set([...speakers, ...unseen.map(({ role }) => role)])],
  };
};

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

/** Turns in sessions of which not every turn is at hand. */
const unknownAround = ({ brought }: AtHand, turns: readonly Chosen[]): Chosen[] => {
  const all = new Map(brought.counts.sessions.buckets.map(({ key, doc_count }) => [key, doc_count]));
  const known = new Map<number, number>();
  for (const { entry } of brought.fragments) {
    if (entry.kind === TURN) known.set(entry.session, (known.get(entry.session) ?? 0) + 1);
  }
  return turns.filter(({ session }) => all.get(session) !== known.get(session));
};

const neighboursOf = (
  hand: AtHand,
  around: readonly Indexed[],
  turns: readonly Chosen[],
  scope: Scope,
): Awaited<ReturnType<Retrieved['neighbours']>> => {
  const ids = new Set([...hand.entries.values()].map(({ id }) => id));
  const added = around.filter(({ id }) => !ids.has(id));
  const searched = [...hand.searched, ...searchRuns([], added, { since: scope.since, until: scope.until })];
  const entries = new Map([...hand.entries, ...added.map(entry => [entry.number, entry] as const)]);
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
