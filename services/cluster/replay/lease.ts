import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../core/errors.ts';
import { changed, comingOf, type Registered, type RegisteredGeneration } from '../../../core/generations.ts';
import type { GenerationRegistry } from '../../../core/ports/projection/generation-registry.ts';
import type { Generational } from '../../../projections/all.ts';
import { replayRuns } from '../../operations/generations/conflicts.ts';
import { asDropped } from './replayed-projection.ts';

/** The holder of a lease renews it this often. */
const BEAT_MS = 2_500;
/**
 * A lease expires when it is not renewed for this long, by the watcher's own clock: no two clocks have to
 * agree.
 */
const LEASE_MS = 10_000;
const LOOK_MS = 500;

const isSame = (one?: RegisteredGeneration, other?: RegisteredGeneration): boolean =>
  one?.number === other?.number &&
  one?.builder?.owner === other?.builder?.owner &&
  one?.builder?.beat === other?.builder?.beat;

/** Watches a lease until its holder renews it (throws `conflict`) or it expires. */
const watchBuilder = async (
  registry: GenerationRegistry,
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
    if (!isSame(seen, first)) throw replayRuns(projection);
    if (performance.now() > until) return seen;
    await pause(LOOK_MS, undefined, { signal });
  }
  return look();
};

/** The right to build a generation, which one process holds. */
export interface Lease {
  number: number;
  /** The generation as it was registered: new, or left by an interrupted replay. */
  found: RegisteredGeneration;
  /** Aborted when another process took the lease, or when it could not be renewed before it expired. */
  lost: AbortSignal;
  /**
   * Changes the registered generation and renews the lease. Throws `conflict` when another process took it.
   */
  change(change: (one: RegisteredGeneration) => RegisteredGeneration): Promise<void>;
  /** Releases the lease, so that another replay may continue immediately. */
  release(change: (one: RegisteredGeneration) => RegisteredGeneration): Promise<void>;
}

/**
 * Takes over what an earlier replay left, or registers a new generation. Drops one that a release of another
 * version began. Throws `conflict` while another replay runs.
 */
export const takeLease = async (
  {
    registry,
    projection,
    version,
    model,
  }: Pick<RegisteredGeneration, 'version' | 'model'> & {
    registry: GenerationRegistry;
    projection: Generational;
  },
  positions: () => Pick<RegisteredGeneration, 'positions' | 'events'>,
  signal: AbortSignal,
): Promise<Lease> => {
  const seen = await watchBuilder(registry, projection, signal);
  const owner = randomUUID();
  let number = 0;
  let found: RegisteredGeneration | undefined;
  const ofModel = model === undefined ? {} : { model };
  await registry.change(projection, registered => {
    const coming = comingOf(registered);
    if (!isSame(coming, seen)) throw replayRuns(projection);
    const builder = { owner, beat: 0 };
    if (coming && (coming.version === version || coming.state === 'promoting')) {
      ({ number } = coming);
      found = coming;
      // A generation that is being promoted was verified with the model that it has.
      const serves = coming.state === 'promoting' ? {} : ofModel;
      return changed(registered, number, one => ({ ...one, ...serves, builder }));
    }
    number = registered.last + 1;
    found = { number, version, state: 'building', positions: {}, events: 0, ...ofModel };
    const others = coming
      ? changed(registered, coming.number, one => asDropped(one, 'of another version'))
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

  let renewed = performance.now();
  const beat = (): void => {
    update(one => ({ ...one, ...positions() })).then(
      () => {
        renewed = performance.now();
      },
      error => {
        const isTaken = error instanceof ServiceError && error.code === 'conflict';
        if (isTaken || performance.now() - renewed > LEASE_MS) lost.abort(error);
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
      renewed = performance.now();
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
