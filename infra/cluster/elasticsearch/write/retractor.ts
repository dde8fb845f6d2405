import {
  followedBy,
  hiddenIn,
  type Retract,
  type StoredWrite,
} from '../../../../projections/recall/recall-writes.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { BOOKKEEPING, type DocumentKind } from '../index/index.ts';
import { type Clause, ownerOf } from '../scope-clauses.ts';
import { type Bulk, refreshIndex, retractionLines, sendBulk } from './bulk.ts';
import { deleteMatching } from './delete-matching.ts';
import { KEPT_OF_TURN, type KeptOfTurn, RETRACTED } from './documents.ts';

export interface Retractor {
  /**
   * Reduces a turn to its identity and deletes its observations, or deletes one observation, and with them
   * all corrections that follow them. The replacements have a version that no copy of the event reaches, so a
   * late projector changes nothing.
   */
  apply(index: string, retractions: readonly Retract[]): Promise<void>;
  /**
   * Call it after a bulk: deletes the bulk's documents of turns retracted earlier, and the corrections that
   * follow what was retracted. Whichever comes second,
   * retraction or observation, sees the other: `apply` searches for written documents, this reads
   * retractions. In an index without retractions this is one small read.
   */
  hideLate(index: string, bulk: Pick<Bulk, 'writes'>): Promise<void>;
}

/** Ids of turns and observations, each with its user's digest, which routes its documents. */
type Owned = ReadonlyMap<string, string>;

interface Found {
  _id: string;
  found?: boolean;
  error?: { type?: string };
  _source?: KeptOfTurn & { kind?: DocumentKind; outcome?: string; recorded_at?: number };
}

/** The fields read of a turn to be retracted. */
const KEPT = [...KEPT_OF_TURN, 'recorded_at'];
/** Ids per request. */
const AT_ONCE = 1_000;

/** The documents that belong to a turn. */
const OF_TURNS: Clause = { terms: { kind: ['said', 'extracted', 'mention', 'vectors'] } };

/** Matches what goes with these turns and observations. */
const goingWith = (ids: readonly string[]): Clause => ({
  bool: {
    should: [{ bool: { filter: [OF_TURNS, { terms: { turn: ids } }] } }, { terms: { follows: ids } }],
    minimum_should_match: 1,
  },
});

const MARK = BOOKKEEPING.retractions;

/**
 * Records whether an index has had a retraction. The mark is set before a retraction writes anything else: a
 * process that doesn't find it after a bulk wrote before any search of the retraction.
 */
const openMarks = (elasticsearch: Pick<Elasticsearch, 'ask'>) => {
  /** A mark stays for as long as its index. */
  const marked = new Set<string>();
  return {
    set: async (index: string): Promise<void> => {
      if (marked.has(index)) return;
      await elasticsearch.ask('PUT', `/${index}/_doc/${MARK}`, { body: { kind: MARK } });
      marked.add(index);
    },
    has: async (index: string): Promise<boolean> => {
      if (marked.has(index)) return true;
      const { found } = await elasticsearch.ask<{ found?: boolean }>('GET', `/${index}/_doc/${MARK}`, {
        query: { _source: false },
        accepted: [404],
      });
      if (found) marked.add(index);
      return found === true;
    },
  };
};

export const makeRetractor = (elasticsearch: Pick<Elasticsearch, 'ask' | 'check'>): Retractor => {
  const marks = openMarks(elasticsearch);

  /** Reads by id, which includes unrefreshed documents. */
  const read = async (index: string, of: Owned, fields: readonly string[]): Promise<Found[]> => {
    const all = [...of].map(([_id, routing]) => ({ _id, routing, _source: fields }));
    const found: Found[] = [];
    for (let at = 0; at < all.length; at += AT_ONCE) {
      const { docs } = await elasticsearch.ask<{ docs: Found[] }>('POST', `/${index}/_mget`, {
        body: { docs: all.slice(at, at + AT_ONCE) },
      });
      for (const { error } of docs) elasticsearch.check({ status: 503, error });
      found.push(...docs);
    }
    return found;
  };

  const deleteOf = async (index: string, hidden: Owned): Promise<void> => {
    for (const [owner, its] of Map.groupBy(hidden, ([, owner]) => owner))
      await deleteMatching(elasticsearch, index, {
        bool: { filter: [{ term: { owner } }, goingWith(its.map(([id]) => id))] },
      });
  };

  return {
    apply: async (index, retractions) => {
      await marks.set(index);
      const turns: Owned = new Map(
        retractions
          .filter(({ observationId }) => observationId === undefined)
          .map(({ org, user, turnId }) => [turnId, ownerOf(org, user)]),
      );
      const kept = new Map(
        (await read(index, turns, KEPT)).map(({ _id, _source = {} }) => {
          const { recorded_at, ...fields } = _source;
          // The identity is recorded later than its turn.
          if (fields.expires_at === undefined) fields.kept_from ??= recorded_at;
          return [_id, fields];
        }),
      );
      await sendBulk(elasticsearch, index, retractionLines(retractions, kept));
      await refreshIndex(elasticsearch, index);
      const hidden = retractions.map(one => [hiddenIn(one), ownerOf(one.org, one.user)] as const);
      await deleteOf(index, new Map(hidden));
    },
    hideLate: async (index, { writes }) => {
      const of = new Map(
        writes
          .filter(isOfTurn)
          .flatMap(write =>
            [write.turnId, ...followedBy(write)].map(id => [id, ownerOf(write.org, write.user)] as const),
          ),
      );
      if (of.size === 0 || !(await marks.has(index))) return;
      const retracted = (await read(index, of, ['outcome', 'kind'])).filter(isRetracted);
      if (retracted.length === 0) return;
      await refreshIndex(elasticsearch, index);
      await deleteOf(index, new Map(retracted.map(({ _id }) => [_id, of.get(_id)!])));
    },
  };
};

const isRetracted = ({ _source }: Found): boolean =>
  _source?.outcome === RETRACTED || _source?.kind === 'retraction';

const isOfTurn = (
  write: StoredWrite,
): write is Extract<StoredWrite, { op: 'observation' | 'entity' | 'vectors' }> =>
  write.op === 'observation' || write.op === 'entity' || write.op === 'vectors';
