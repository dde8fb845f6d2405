/**
 * The deletions that must be repeated, as documents of the index itself: they survive every process, go where
 * the index goes (a snapshot, another node), and end with it.
 */
import { unavailable } from '../../../../core/errors.ts';
import type { Erase } from '../../../../projections/recall/recall-writes.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { BOOKKEEPING } from '../index/index.ts';
import { type BulkItem, outcomeOf } from './bulk-outcome.ts';
import { type Fenced, fencedLines } from './fenced-lines.ts';

const KIND = BOOKKEEPING.erasure;
/**
 * A deletion whose process has not ended it by then may be claimed by another one. A large deletion takes
 * minutes.
 */
const CLAIM_MS = 5 * 60_000;
/** Deletions that are claimed at once. */
export const MOST_CLAIMED = 500;
const TIMEOUT_MS = 30_000;

type Item = BulkItem & Pick<Fenced, '_seq_no' | '_primary_term'>;

/** A deletion, in the fields by which its documents are found. Contains no name and no text. */
export interface Deletion {
  owner: string;
  /** Undefined: all of the owner's sessions. */
  sessionKey: number | undefined;
  topic: Erase['origin']['topic'];
  partition: number;
  /** Only documents of records before this offset are deleted. */
  offset: number;
}

/** Uses fields of the index that mean the same in other documents. */
interface Source {
  kind: typeof KIND;
  /** The index to delete in. */
  id: string;
  owner: string;
  session_key?: number | undefined;
  source: Deletion['topic'];
  partition: number;
  offset: number;
  /** When it is due: Unix milliseconds. */
  timestamp: number;
}

interface Hit extends Fenced {
  _source: Source;
}

export interface ClaimedDeletion {
  target: string;
  deletion: Deletion;
  stored: Fenced;
}

const idOf = ({ id, owner, session_key, source, partition, offset }: Source): string =>
  [KIND, id, owner, session_key ?? '*', source, partition, offset].join('.');

export const openSecondDeletions = (elasticsearch: Pick<Elasticsearch, 'ask'>, generations: string) => {
  /** Sends all of them at once, since each refresh would be one more segment. */
  const send = async <Action extends 'index' | 'delete'>(
    path: string,
    lines: readonly string[],
    query: { refresh?: true } = {},
  ): Promise<Record<Action, Item>[]> => {
    const { items } = await elasticsearch.ask<{ items: Record<Action, Item>[] }>('POST', path, {
      query,
      lines: [...lines],
      timeoutMs: TIMEOUT_MS,
    });
    return items;
  };

  return {
    /** Stores deletions; resolves when they are on disk and visible. */
    store: async (
      index: string,
      { target, deletions, due }: { target: string; deletions: readonly Deletion[]; due: number },
    ): Promise<void> => {
      if (deletions.length === 0) return;
      const lines = deletions.flatMap(({ owner, sessionKey, topic, partition, offset }) => {
        const common = { kind: KIND, id: target, owner, session_key: sessionKey } as const;
        const source: Source = { ...common, source: topic, partition, offset, timestamp: due };
        return [JSON.stringify({ index: { _id: idOf(source) } }), JSON.stringify(source)];
      });
      for (const { index: item } of await send<'index'>(`/${index}/_bulk`, lines, { refresh: true }))
        if (outcomeOf(item) === 'refused') throw unavailable('Elasticsearch refuses to note an erasure.');
    },
    /** Claims the deletions that are due in any generation, but those that another process has claimed. */
    claimDue: async (now: number): Promise<ClaimedDeletion[]> => {
      const { hits } = await elasticsearch.ask<{ hits: { hits: Hit[] } }>('POST', `/${generations}/_search`, {
        body: {
          size: MOST_CLAIMED,
          seq_no_primary_term: true,
          track_total_hits: false,
          query: { bool: { filter: [{ term: { kind: KIND } }, { range: { timestamp: { lte: now } } }] } },
        },
      });
      if (hits.hits.length === 0) return [];
      const lines = hits.hits.flatMap(hit =>
        fencedLines(hit, { source: { ...hit._source, timestamp: now + CLAIM_MS } }),
      );
      const items = await send<'index'>('/_bulk', lines);
      return hits.hits.flatMap(({ _index, _id, _source }, i) => {
        const { status, _seq_no, _primary_term } = items[i]!.index;
        if (status >= 300) return [];
        const { id: target, owner, session_key: sessionKey, source: topic, partition, offset } = _source;
        const deletion = { owner, sessionKey, topic, partition, offset };
        return { target, deletion, stored: { _index, _id, _seq_no, _primary_term } };
      });
    },
    /** Removes stored deletions that are done, but those that were stored again meanwhile. */
    remove: async (claimed: readonly ClaimedDeletion[]): Promise<void> => {
      const lines = claimed.flatMap(({ stored }) => fencedLines(stored));
      const items = await send<'delete'>('/_bulk', lines, { refresh: true });
      // 404: the generation was removed.
      if (items.some(({ delete: { status } }) => status >= 300 && status !== 404 && status !== 409))
        throw unavailable("Elasticsearch can't delete right now.");
    },
  };
};
