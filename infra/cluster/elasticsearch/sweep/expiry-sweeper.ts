import type { Sweeping } from '../../../../core/ports/projection/projection-store.ts';
import { keptAfterAt } from '../../../../projections/accounts/retention.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { eachRetention } from '../accounts/account-retentions.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { recallIndices } from '../index/index.ts';
import { type Clause, expiredByRetention } from '../scope-clauses.ts';
import { expiredLines, refreshIndex, sendBulk } from '../write/bulk.ts';
import { deleteMatching } from '../write/delete-matching.ts';
import { KEPT_OF_EXPIRED } from '../write/documents.ts';
import { noteSwept, type SweptTurn } from './swept-sessions.ts';

/** Turns per step, and documents of turns: each turn has about ten. */
const AT_ONCE = 1_000;
const MOST_DELETED = 10_000;
/** A retention has whole days, and an organization's takes one search. */
const RETENTIONS_EVERY_MS = 3_600_000;
const TIMEOUT_MS = 120_000;

/**
 * Turns with their words, or identities of turns without a fragment. A retracted turn has an outcome, and
 * stays.
 */
const TURN: Clause = {
  bool: { filter: { terms: { kind: ['turn', 'identity'] } }, must_not: { exists: { field: 'outcome' } } },
};
/** Documents that belong to turns and are deleted without a trace. */
const OF_TURNS: Clause = { terms: { kind: ['said', 'extracted', 'mention', 'vectors'] } };

interface Hits {
  hits: { total: { value: number }; hits: { _source: SweptTurn & { id: string } }[] };
}

/**
 * Returns a sweep that removes expired data from every generation. It keeps a turn's identity, in a version
 * that no copy of its event reaches, and deletes the turn's observations; if a late projector writes them
 * again, a later sweep finds them. Any number of processes may sweep.
 */
export const makeExpirySweeper = (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  config: Pick<ClusterConfig, 'namespace'>,
): Sweeping => {
  let retentionsDueAt = Number.NEGATIVE_INFINITY;

  /** Replaces the words of some turns; returns whether there may be more. */
  const replaceTurns = async (index: string, expired: readonly Clause[]): Promise<boolean> => {
    const { hits } = await elasticsearch.ask<Hits>('POST', `/${index}/_search`, {
      body: {
        size: AT_ONCE,
        track_total_hits: false,
        _source: KEPT_OF_EXPIRED,
        query: { bool: { filter: [TURN, ...expired] } },
      },
      timeoutMs: TIMEOUT_MS,
    });
    if (hits.hits.length === 0) return false;
    const turns = hits.hits.map(({ _source }) => _source);
    await noteSwept(elasticsearch, index, turns);
    await sendBulk(elasticsearch, index, expiredLines(turns));
    // Nobody else refreshes a generation that isn't written to, and the next search must not find the same
    // turns.
    await refreshIndex(elasticsearch, index);
    return hits.hits.length === AT_ONCE;
  };

  const has = async (index: string, filter: readonly Clause[]): Promise<boolean> => {
    const { hits } = await elasticsearch.ask<Hits>('POST', `/${index}/_search`, {
      body: { size: 0, track_total_hits: 1, query: { bool: { filter } } },
      timeoutMs: TIMEOUT_MS,
    });
    return hits.total.value > 0;
  };

  /** Sweeps some of the documents that these clauses match; returns whether there may be more. */
  const sweepOf = async (indices: readonly string[], expired: readonly Clause[]): Promise<boolean> => {
    let hasMore = false;
    for (const index of indices) {
      if (!(await has(index, [...expired, { bool: { should: [TURN, OF_TURNS] } }]))) continue;
      const rest = await replaceTurns(index, expired);
      const query = { bool: { filter: [OF_TURNS, ...expired] } };
      const deleted = await deleteMatching(elasticsearch, index, query, MOST_DELETED);
      hasMore ||= rest || deleted >= MOST_DELETED;
    }
    return hasMore;
  };

  return {
    sweep: async now => {
      const found = await elasticsearch.ask<object>('GET', `/${recallIndices(config)}`, {
        query: { filter_path: '*.aliases' },
      });
      const indices = Object.keys(found);
      let hasMore = await sweepOf(indices, [{ range: { expires_at: { lte: now } } }]);
      if (now < retentionsDueAt) return hasMore;
      for await (const { org, retention } of eachRetention(elasticsearch, config)) {
        const keptAfter = keptAfterAt(retention, now);
        if (keptAfter === undefined) continue;
        const expired = [{ term: { org } }, expiredByRetention(keptAfter)];
        hasMore = (await sweepOf(indices, expired)) || hasMore;
      }
      // A sweep that left documents continues at once.
      if (!hasMore) retentionsDueAt = now + RETENTIONS_EVERY_MS;
      return hasMore;
    },
  };
};
