import { type RegisteredGeneration, servingOf } from '../../../core/generations.ts';
import { eventsBetween } from '../../../core/log/positions.ts';
import type { Replay, ReplayPlan } from '../../../core/ports/projection/generations.ts';
import type { Positions } from '../../../core/ports.ts';
import { type Built, endsOf, makeBuild } from './build-generation.ts';
import { takeLease } from './lease.ts';
import { asDropped, type Projection, removeDropped, serve } from './replayed-projection.ts';

export const planOf = async <Row, Request>(
  replayed: Projection<Row, Request>,
  number: number,
  positions: Positions,
  signal: AbortSignal,
): Promise<ReplayPlan> => {
  const { projection, version, registry, engine } = replayed;
  const registered = await registry.read(projection);
  const serving = registered && servingOf(registered);
  return {
    generation: { projection, number, version, state: 'building' },
    events: eventsBetween(positions, await endsOf(replayed, signal)),
    bytes: serving ? await engine.bytes(serving.number) : 0,
    resumed: eventsBetween({}, positions) > 0,
  };
};

/**
 * Takes the lease of a generation and prepares it to be filled. The serving generation is not affected, even
 * by a failure; what was built stays for the next replay, unless it differs from the log.
 */
export const beginReplay = async <Row, Request>(
  replayed: Projection<Row, Request>,
  { throttle }: { throttle: number | undefined },
  signal: AbortSignal,
): Promise<Replay> => {
  await replayed.assertWhole();
  const built: Built = { positions: {}, events: 0 };
  const progress = (): Built => ({ positions: { ...built.positions }, events: built.events });
  const lease = await takeLease(replayed, progress, signal);
  const { number, found } = lease;
  const isVerified = found.state === 'promoting';
  const ended = AbortSignal.any([signal, lease.lost]);
  const build = makeBuild(replayed, lease, built, { throttle, signal: ended });

  /** A lost lease is reported instead of the errors that it caused. */
  const causeOf = (error: unknown): unknown => (lease.lost.aborted ? lease.lost.reason : error);
  const held = async <T>(work: () => Promise<T>): Promise<T> =>
    work().catch(error => {
      throw causeOf(error);
    });
  const release = (refused?: string): Promise<void> =>
    lease
      .release((one: RegisteredGeneration) => {
        if (refused !== undefined) return asDropped(one, refused);
        return { ...one, ...(one.state === 'joined' && { state: 'building' }), ...progress() };
      })
      // When the registry is unreachable, the lease expires by itself.
      .catch(() => {});

  const prepare = async (): Promise<ReplayPlan> => {
    Object.assign(built.positions, found.positions);
    built.events = found.events ?? eventsBetween({}, built.positions);
    if (!isVerified) {
      await removeDropped(replayed);
      await replayed.engine.make(number);
    }
    return planOf(replayed, number, built.positions, signal);
  };
  const plan = await held(prepare).catch(async error => {
    await release();
    throw error;
  });

  const startPromotion = async (): Promise<boolean> => {
    let isJoined = false;
    await lease.change(one => {
      isJoined = one.state === 'joined';
      return isJoined ? { ...one, state: 'promoting' } : one;
    });
    return isJoined;
  };

  return {
    plan,
    isVerified,
    build: async function* () {
      try {
        yield* build();
      } catch (error) {
        throw causeOf(error);
      }
    },
    verify: () => held(() => replayed.verify(number, ended)),
    promote: () =>
      held(async () => {
        ended.throwIfAborted();
        // Records that were deleted meanwhile were missing for the build and the verification alike.
        await replayed.assertWhole();
        return isVerified || (await startPromotion())
          ? { standby: await serve(replayed, number) }
          : undefined;
      }),
    end: async outcome => {
      try {
        if (outcome === 'promoted') await removeDropped(replayed);
      } finally {
        await release(typeof outcome === 'object' && 'refused' in outcome ? outcome.refused : undefined);
      }
    },
  };
};
