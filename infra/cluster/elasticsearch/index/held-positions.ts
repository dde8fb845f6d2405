/**
 * The log positions that an index holds, stored in the index itself: each shard has a document for each
 * partition. They are therefore restored, lost and replaced together with the documents they describe, shard
 * by shard.
 */
import { unavailable } from '../../../../core/errors.ts';
import { parsePartition, partitionName } from '../../../../core/log/positions.ts';
import type { LogRange } from '../../../../core/ports/projection/projection-store.ts';
import type { Positions } from '../../../../core/ports.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { BOOKKEEPING } from './index.ts';

const KIND = BOOKKEEPING.position;
const TIMEOUT_MS = 30_000;
/** The attempts when two processes write the same document. */
const TRIES = 5;
/** The number of routing values to try: enough to reach each of any number of shards. */
const MOST_ROUTINGS = 1_000;

const idOf = (name: string): string => `${KIND}.${name}`;

/** A shard's document; `found` is false if the shard has none. */
interface Held {
  found?: boolean;
  error?: { type?: string };
  _seq_no: number;
  _primary_term: number;
  _source?: { offset: number };
}

const offsetOf = ({ found, _source }: Held): number => (found ? _source!.offset : 0);

export interface HeldPositions {
  /**
   * Stores that an index holds a range, if it holds what precedes it: data lost in between must not be
   * skipped. Resolves with the position that all shards have reached; a position below `range.next` means
   * that the range is not held.
   */
  advance(index: string, range: LogRange): Promise<number>;
  /** Returns the positions that all shards have reached; a partition missing in one of them is left out. */
  read(index: string, names: readonly string[]): Promise<Positions>;
}

export const openHeldPositions = (elasticsearch: Pick<Elasticsearch, 'ask'>): HeldPositions => {
  const routings = new Map<string, Promise<string[]>>();

  /** Returns a routing value for each shard. */
  const findRoutings = async (index: string): Promise<string[]> => {
    type Settings = Record<string, { settings: { index: { number_of_shards: string } } }>;
    const settings = await elasticsearch.ask<Settings>('GET', `/${index}/_settings/index.number_of_shards`);
    const shards = Number(Object.values(settings)[0]!.settings.index.number_of_shards);
    const found = new Map<number, string>();
    for (let n = 0; found.size < shards && n < MOST_ROUTINGS; n++) {
      const routing = String(n);
      const { shards: hit } = await elasticsearch.ask<{ shards: { shard: number }[][] }>(
        'GET',
        `/${index}/_search_shards`,
        { query: { routing } },
      );
      found.set(hit[0]![0]!.shard, routing);
    }
    if (found.size < shards) throw unavailable('The shards of the index are not all known.');
    return [...found.values()];
  };
  const routingsOf = (index: string): Promise<string[]> => {
    const known = routings.get(index) ?? findRoutings(index);
    routings.set(index, known);
    known.catch(() => routings.delete(index));
    return known;
  };

  /** Reads the documents of each partition, one for each routing value. Sees unrefreshed writes. */
  const get = async (
    index: string,
    names: readonly string[],
    shards: readonly string[],
  ): Promise<Held[][]> => {
    const docs = names.flatMap(name =>
      shards.map(routing => ({ _id: idOf(name), routing, _source: ['offset'] })),
    );
    const answer = await elasticsearch.ask<{ docs: Held[] }>('POST', `/${index}/_mget`, { body: { docs } });
    const failed = answer.docs.find(({ error }) => error);
    if (failed) throw unavailable('Elasticsearch gives no positions now.', failed.error?.type);
    return names.map((_, i) => answer.docs.slice(i * shards.length, (i + 1) * shards.length));
  };

  /** Writes the documents; returns false if another process wrote one since they were read. */
  const put = async (
    index: string,
    { topic, partition, next }: LogRange,
    documents: readonly { routing: string; held: Held }[],
  ): Promise<boolean> => {
    const _id = idOf(partitionName({ topic, partition }));
    const source = JSON.stringify({ kind: KIND, source: topic, partition, offset: next });
    const lines = documents.flatMap(({ routing, held: { found, _seq_no, _primary_term } }) => {
      const action = found
        ? { index: { _id, routing, if_seq_no: _seq_no, if_primary_term: _primary_term } }
        : { create: { _id, routing } };
      return [JSON.stringify(action), source];
    });
    type Item = Record<string, { status: number; error?: { type?: string } }>;
    const { items } = await elasticsearch.ask<{ items: Item[] }>('POST', `/${index}/_bulk`, {
      lines,
      timeoutMs: TIMEOUT_MS,
    });
    const outcomes = items.flatMap(item => Object.values(item));
    const failed = outcomes.find(({ status, error }) => error && status !== 409);
    if (failed) throw unavailable('Elasticsearch takes no positions now.', failed.error?.type);
    return outcomes.every(({ error }) => !error);
  };

  return {
    advance: async (index, range) => {
      const shards = await routingsOf(index);
      for (let tries = 0; tries < TRIES; tries++) {
        const [held = []] = await get(index, [partitionName(range)], shards);
        const reached = Math.min(...held.map(offsetOf));
        if (reached < range.from || reached >= range.next) return reached;
        const documents = shards
          .map((routing, i) => ({ routing, held: held[i]! }))
          .filter(({ held }) => !held.found || offsetOf(held) < range.next);
        if (await put(index, range, documents)) return range.next;
      }
      throw unavailable('Others write the positions of the index.');
    },
    read: async (index, names) => {
      const found = await get(index, names, await routingsOf(index));
      return Object.fromEntries(
        names.flatMap((name, i) =>
          found[i]!.every(held => held.found) ? [[name, Math.min(...found[i]!.map(offsetOf))]] : [],
        ),
      );
    },
  };
};

/** Returns every partition of some positions as a range that may follow any other. */
export const asRanges = (positions: Positions): LogRange[] =>
  Object.entries(positions).map(([name, next]) => ({ ...parsePartition(name), from: 0, next }));
