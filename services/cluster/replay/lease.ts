import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Registry } from '../../../infra/cluster/elasticsearch/registry.ts';
import {
  changed,
  comingOf,
  type Generational,
  type Registered,
  type RegisteredGeneration,
} from '../../../infra/cluster/generations/generations.ts';
import { ServiceError } from '../../core/errors.ts';

/** Who builds says that it lives this often, in milliseconds. */
const BEAT_MS = 2_500;
/** Whoever said nothing for so long is dead. Watched on this machine's own clock: no two have to agree. */
const LEASE_MS = 10_000;
const LOOK_MS = 500;

const busy = (projection: Generational): ServiceError =>
  new ServiceError('conflict', `Another replay of ${projection} is under way.`);

const isSame = (one?: RegisteredGeneration, other?: RegisteredGeneration): boolean =>
  one?.number === other?.number &&
  one?.builder?.owner === other?.builder?.owner &&
  one?.builder?.beat === other?.builder?.beat;

/** Looks on until whoever builds shows that it lives (`conflict`), or has shown nothing for the length of the lease. */
const watchBuilder = async (
  registry: Registry,
  projection: Generational,
  signal: AbortSignal,
): Promise<RegisteredGeneration | undefined> => {
  const look = async () => {
    const registered = await registry.read(projection);
    return registered && comingOf(registered);
  };
  const first = await look();
  const until = performance.now() + LEASE_MS;
  for (let seen = first; seen?.builder; seen = await look()) {
    if (!isSame(seen, first)) throw busy(projection);
    if (performance.now() > until) return seen;
    await pause(LOOK_MS, undefined, { signal });
  }
  return look();
};

/** A generation that this process alone builds. */
export interface Claim {
  number: number;
  /** As it was found: what a replay that was cut short has done. */
  found: RegisteredGeneration;
  /** Aborted when another one took it, or nothing is known of it for the length of a lease. */
  lost: AbortSignal;
  /** Changes its entry, and with it tells that this process lives. Throws `conflict` when it was taken by another. */
  change(change: (one: RegisteredGeneration) => RegisteredGeneration): Promise<void>;
  /** Lets go of it: another replay may go on at once. */
  release(change: (one: RegisteredGeneration) => RegisteredGeneration): Promise<void>;
}

/**
 * Takes over what an earlier replay left, or registers a new generation. A generation that a release of another version
 * began is given up. Throws `conflict` while another replay lives.
 */
export const claimGeneration = async (
  { registry, projection, version }: { registry: Registry; projection: Generational; version: string },
  positions: () => Pick<RegisteredGeneration, 'positions' | 'events'>,
  signal: AbortSignal,
): Promise<Claim> => {
  const seen = await watchBuilder(registry, projection, signal);
  const owner = randomUUID();
  let number = 0;
  let found: RegisteredGeneration | undefined;
  await registry.change(projection, registered => {
    const coming = comingOf(registered);
    if (!isSame(coming, seen)) throw busy(projection);
    const builder = { owner, beat: 0 };
    if (coming && (coming.version === version || coming.state === 'promoting')) {
      ({ number } = coming);
      found = coming;
      return changed(registered, number, one => ({ ...one, builder }));
    }
    number = registered.last + 1;
    found = { number, version, state: 'building', positions: {}, events: 0 };
    const others = coming
      ? changed(registered, coming.number, one => ({
          ...one,
          state: 'dropped',
          reason: 'of another version',
        }))
      : registered;
    return { last: number, generations: [...others.generations, { ...found, builder }] };
  });

  const lost = new AbortController();
  const update = (change: (one: RegisteredGeneration) => RegisteredGeneration): Promise<Registered> =>
    registry.change(projection, registered => {
      const mine = registered.generations.find(one => one.number === number);
      if (mine?.builder?.owner !== owner)
        throw new ServiceError('conflict', `Another replay of ${projection} took this one over.`);
      return changed(registered, number, one => ({
        ...change(one),
        builder: { owner, beat: one.builder!.beat + 1 },
      }));
    });

  let heard = performance.now();
  const beat = (): void => {
    update(one => ({ ...one, ...positions() })).then(
      () => {
        heard = performance.now();
      },
      error => {
        const isTaken = error instanceof ServiceError && error.code === 'conflict';
        if (isTaken || performance.now() - heard > LEASE_MS) lost.abort(error);
      },
    );
  };
  const beats = setInterval(beat, BEAT_MS);
  return {
    number,
    found: found!,
    lost: lost.signal,
    change: async change => {
      await update(change);
      heard = performance.now();
    },
    release: async change => {
      clearInterval(beats);
      await registry.change(projection, registered =>
        changed(registered, number, one => {
          if (one.builder?.owner !== owner) return one;
          const { builder: _, ...rest } = change(one);
          return rest;
        }),
      );
    },
  };
};
