/**
 * The deletions that must be repeated, as documents of the index itself: they survive every process, go where
 * the index goes (a snapshot, another node), and end with it.
 */
import type { Erase } from '../../../../projections/recall/recall-writes.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { BOOKKEEPING } from '../index/index.ts';

const KIND = BOOKKEEPING.erasure;
/**
 * A deletion whose process has not ended it by then may be claimed by another one. A large deletion takes
 * minutes.
 */
const CLAIM_MS = 5 * 60_000;
/** Deletions that are claimed at once. */
const MOST = 500;

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

interface Hit {
  _index: string;
  _id: string;
  _seq_no: number;
  _primary_term: number;
  _source: Source;
}

export interface ClaimedDeletion {
  target: string;
  deletion: Deletion;
  /** Removes the stored deletion once it is done, unless it was stored again meanwhile. */
  remove(): Promise<void>;
}

const idOf = ({ id, owner, session_key, source, partition, offset }: Source): string =>
  [KIND, id, owner, session_key ?? '*', source, partition, offset].join('.');

export const openSecondDeletions = (elasticsearch: Pick<Elasticsearch, 'ask'>, generations: string) => {
  /** Undefined when another process has claimed it. */
  const claim = async (hit: Hit, until: number): Promise<ClaimedDeletion | undefined> => {
    const { _index, _id, _source } = hit;
    const path = `/${_index}/_doc/${encodeURIComponent(_id)}`;
    const fence = ({ _seq_no, _primary_term }: Pick<Hit, '_seq_no' | '_primary_term'>) => ({
      if_seq_no: _seq_no,
      if_primary_term: _primary_term,
    });
    const claimed = await elasticsearch.ask<Hit & { error?: object }>('PUT', path, {
      query: fence(hit),
      body: { ..._source, timestamp: until },
      accepted: [404, 409],
    });
    if (claimed.error) return undefined;
    const { id: target, owner, session_key: sessionKey, source: topic, partition, offset } = _source;
    return {
      target,
      deletion: { owner, sessionKey, topic, partition, offset },
      remove: async () => {
        await elasticsearch.ask('DELETE', path, {
          query: { ...fence(claimed), refresh: true },
          accepted: [404, 409],
        });
      },
    };
  };

  return {
    /** Stores deletions; resolves when they are on disk and visible. */
    store: async (
      index: string,
      { target, deletions, due }: { target: string; deletions: readonly Deletion[]; due: number },
    ): Promise<void> => {
      for (const { owner, sessionKey, topic, partition, offset } of deletions) {
        const source: Source = {
          kind: KIND,
          id: target,
          owner,
          session_key: sessionKey,
          source: topic,
          partition,
          offset,
          timestamp: due,
        };
        await elasticsearch.ask('PUT', `/${index}/_doc/${encodeURIComponent(idOf(source))}`, {
          query: { refresh: true },
          body: source,
        });
      }
    },
    /** Claims the deletions that are due in any generation, unless another process has claimed them. */
    claimDue: async (now: number): Promise<ClaimedDeletion[]> => {
      const { hits } = await elasticsearch.ask<{ hits: { hits: Hit[] } }>('POST', `/${generations}/_search`, {
        body: {
          size: MOST,
          seq_no_primary_term: true,
          track_total_hits: false,
          query: { bool: { filter: [{ term: { kind: KIND } }, { range: { timestamp: { lte: now } } }] } },
        },
      });
      const claimed: ClaimedDeletion[] = [];
      for (const hit of hits.hits) {
        const one = await claim(hit, now + CLAIM_MS);
        if (one) claimed.push(one);
      }
      return claimed;
    },
  };
};
