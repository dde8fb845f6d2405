import { unavailable } from '../../../core/errors.ts';
import { PARTITION, sessionNamed } from '../../../core/log/keys/key-wrapping.ts';
import { partitionsOf } from '../../../core/log/positions.ts';
import type { KeyedSessions, RecordAddress, SharedLog } from '../../../core/ports.ts';
import { foldKeys, type LivingKey } from './fold-keys.ts';
import { type KeyIndex, type KeyPosition, type PageEnd, type StoredKey, trusted } from './index/key-index.ts';
import { type LoggedKey, sessionTagOf } from './record.ts';
import type { Tail, Tails } from './tails.ts';

/** The most ids of one lookup. */
const AT_ONCE = 500;

export interface LookupPorts {
  index: Pick<KeyIndex, 'positions' | 'byIds' | 'ofScopes' | 'sessionsOf'>;
  tails: Tails;
  log: Pick<SharedLog, 'ends' | 'partitionOf'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The error of a call that must be repeated; the next attempt sees only the new pass. */
const readAnew = () => unavailable('The index of the sealing keys is being read anew.', undefined, 1);

/** The living keys of some sessions of an owner, in their order. */
export interface ScopeFound {
  living: LivingKey[];
  /** Looks again, reading at least up to these records. */
  again(appended: readonly RecordAddress[]): Promise<ScopeFound>;
}

/** A living key, judged by its own records. */
export interface FoundKey {
  key: LoggedKey;
  /** The offset of its latest record. */
  offset: number;
  /** The key that wraps it, if it lives; undefined for a user's own key. */
  wrapping: LoggedKey | undefined;
  wrappingOffset: number;
}

export type Lookup = ReturnType<typeof makeLookup>;

/**
 * Finds keys without any state: reads the index's position, then the index, and then the topic from that
 * position to its end. Records that the index lacked at the second step lie behind the position.
 */
export const makeLookup = ({ index, tails, log, clock }: LookupPorts) => {
  const positionsOf = async (partitions: readonly number[]): Promise<Map<number, KeyPosition>> => {
    const held = await index.positions(partitions);
    return new Map(held.map(position => [position.partition, trusted(position, clock())]));
  };

  /**
   * Returns whether no other pass of these partitions has begun since their positions were read; its
   * documents would not count.
   */
  const isSamePass = async (positions: ReadonlyMap<number, KeyPosition>): Promise<boolean> => {
    const now = await positionsOf([...positions.keys()]);
    return [...positions].every(([partition, { pass }]) => now.get(partition)!.pass === pass);
  };

  const ofScopes = async (owner: string, sessions: readonly string[]): Promise<ScopeFound> => {
    const partition = log.partitionOf(owner);
    const positions = await positionsOf([partition]);
    const position = positions.get(partition)!;
    const tags = sessions.map(session => sessionTagOf(owner, session));
    const [indexed, tail] = await Promise.all([
      index.ofScopes(owner, tags, position.pass),
      tails.read(partition, position.offset),
    ]);
    if (!(await isSamePass(positions))) throw readAnew();
    const foundIn = (read: Tail): ScopeFound => {
      const records = read.ofOwner(owner).filter(({ key }) => key && sessions.includes(key.session));
      return {
        living: foldKeys(indexed, records, read.isDestroyed),
        again: async appended => {
          const until = Math.max(0, ...appended.map(({ offset }) => offset + 1));
          return foundIn(await tails.read(partition, position.offset, until));
        },
      };
    };
    return foundIn(tail);
  };

  const sessionsOf = async (owner: string): Promise<KeyedSessions> => {
    const partition = log.partitionOf(owner);
    const positions = await positionsOf([partition]);
    const { offset: from, pass } = positions.get(partition)!;
    const { next } = await tails.read(partition, from);
    // The records themselves: a key that was made and destroyed meanwhile is among them.
    const recorded = async (offset: number): Promise<string[]> =>
      (await tails.read(partition, offset))
        .ofOwner(owner)
        .filter(record => record.offset >= offset)
        .flatMap(({ key }) => (key && key.session !== PARTITION ? [sessionNamed(key.session)] : []));
    return {
      names: async function* () {
        yield await recorded(from);
        for (let after: PageEnd | undefined; pass !== ''; ) {
          const page = await index.sessionsOf(owner, pass, after);
          const last = page.at(-1);
          if (!last) break;
          yield page.flatMap(({ key }) => (key ? [sessionNamed(key.session)] : []));
          after = [last.partition, last.offset];
        }
        if (!(await isSamePass(positions))) throw readAnew();
      },
      since: async function* () {
        yield await recorded(next);
      },
    };
  };

  /** Returns the living keys among the ids, judged by their own records alone. */
  const livingOf = async (
    ids: readonly string[],
    positions: ReadonlyMap<number, KeyPosition>,
    ends: ReadonlyMap<number, number>,
  ): Promise<Map<string, LivingKey>> => {
    const stored = await index.byIds(ids);
    const read = async (partition: number): Promise<Tail | undefined> => {
      const { offset } = positions.get(partition)!;
      const end = ends.get(partition) ?? 0;
      return offset < end ? tails.read(partition, offset, end) : undefined;
    };
    // A document of another pass proves nothing: its key may have been destroyed since.
    const isCounted = ({ partition, pass, key }: StoredKey): boolean =>
      key === undefined || positions.get(partition)?.pass === pass;
    const counted = new Map([...stored].filter(([, one]) => isCounted(one)));
    const isWide = ids.some(id => !counted.has(id));
    const needed = isWide ? [...positions.keys()] : new Set([...counted.values()].map(one => one.partition));
    const found = await Promise.all([...needed].map(read));
    const later = found.filter(tail => tail !== undefined);
    const living = new Map<string, LivingKey>();
    for (const id of ids) {
      const one = counted.get(id);
      const [alive] = foldKeys(
        one ? [one] : [],
        later.flatMap(tail => tail.ofKey(id)),
      );
      if (alive) living.set(id, alive);
    }
    return living;
  };

  const findPage = async (ids: readonly string[]): Promise<Map<string, FoundKey>> => {
    // A key is in the log before any data sealed with it: a key that is not below these ends never existed or
    // is destroyed.
    const ends = new Map(partitionsOf(await log.ends(), 'keys').map(one => [one.partition, one.offset]));
    const positions = await positionsOf([...ends.keys()]);
    const living = await livingOf(ids, positions, ends);
    // An id that isn't found counts as destroyed for good, so the lookup must be complete.
    if (living.size < ids.length && !(await isSamePass(positions))) throw readAnew();
    const unders = [...living.values()]
      .map(({ key }) => key.under)
      .filter(id => id !== '' && !living.has(id));
    const wrapping = unders.length > 0 ? await livingOf([...new Set(unders)], positions, ends) : living;
    if (unders.some(id => !wrapping.has(id)) && !(await isSamePass(positions))) throw readAnew();
    return new Map(
      [...living].map(([id, { key, offset }]) => {
        const under = living.get(key.under) ?? wrapping.get(key.under);
        return [id, { key, offset, wrapping: under?.key, wrappingOffset: under?.offset ?? 0 }];
      }),
    );
  };

  return {
    ofScopes,
    /** Finds the sessions of an owner as `KeyStore.sessionsOf` does. */
    sessionsOf,
    /**
     * Returns the keys among the ids that are not destroyed. `wrapping` is missing if the user's key is
     * destroyed.
     */
    byIds: async (ids: readonly string[]): Promise<Map<string, FoundKey>> => {
      const found = new Map<string, FoundKey>();
      for (let at = 0; at < ids.length; at += AT_ONCE)
        for (const [id, key] of await findPage(ids.slice(at, at + AT_ONCE))) found.set(id, key);
      return found;
    },
    positionsOf,
    endsOf: async (): Promise<{ partition: number; offset: number }[]> =>
      partitionsOf(await log.ends(), 'keys'),
    tailOf: (position: KeyPosition, until: number): Promise<Tail> =>
      tails.read(position.partition, position.offset, until),
  };
};
