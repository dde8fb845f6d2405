import { unavailable } from '../../../core/errors.ts';
import { partitionsOf } from '../../../core/log/positions.ts';
import type { RecordAddress, SharedLog } from '../../../core/ports.ts';
import { foldKeys, type LivingKey } from './fold.ts';
import { type KeyIndex, type KeyPosition, type StoredKey, trusted } from './index/key-index.ts';
import { type LoggedKey, sessionTagOf } from './record.ts';
import type { Tail, Tails } from './tails.ts';

/** Ids that are looked up together. */
const AT_ONCE = 500;

export interface LookupPorts {
  index: Pick<KeyIndex, 'positions' | 'byIds' | 'ofScopes'>;
  tails: Tails;
  log: Pick<SharedLog, 'ends' | 'partitionOf'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The call is repeated: then it sees the new reading alone. */
const readAnew = () => unavailable('The index of the sealing keys is being read anew.', undefined, 1);

/** The living keys of some sessions of an owner, in their order. */
export interface ScopeFound {
  living: LivingKey[];
  /** Reads on, at least up to these records. */
  again(appended: readonly RecordAddress[]): Promise<ScopeFound>;
}

/** A key that lives, by its own records. */
export interface FoundKey {
  key: LoggedKey;
  /** Offset of its latest record. */
  offset: number;
  /** What wraps it, if that lives; undefined for a user's own key. */
  wrapping: LoggedKey | undefined;
  wrappingOffset: number;
}

export type Lookup = ReturnType<typeof makeLookup>;

/**
 * Finds keys without any state: the index's position is read first, then the index, and then the topic from that position to its end.
 * What the index lacked when it was asked lies behind the position.
 */
export const makeLookup = ({ index, tails, log, clock }: LookupPorts) => {
  const positionsOf = async (partitions: readonly number[]): Promise<Map<number, KeyPosition>> => {
    const held = await index.positions(partitions);
    return new Map(held.map(position => [position.partition, trusted(position, clock())]));
  };

  /** Whether no other reading of these partitions has begun since their positions were read: its documents count for none of them. */
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

  /** Those of the ids that live, by their own records alone. */
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
    // Another reading's document says nothing: its key may have been destroyed since.
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
    // A key is in the log before anything that is sealed with it: what is not below these ends never was, or is destroyed.
    const ends = new Map(partitionsOf(await log.ends(), 'keys').map(one => [one.partition, one.offset]));
    const positions = await positionsOf([...ends.keys()]);
    const living = await livingOf(ids, positions, ends);
    // What isn't found is destroyed for good, so nothing may have been overlooked.
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
    /** Those of the ids that are not destroyed. Of a session's key whose user's key is, `wrapping` is missing. */
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
