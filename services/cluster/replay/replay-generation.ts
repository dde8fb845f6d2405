import type { Registry } from '../../../infra/cluster/elasticsearch/registry.ts';
import type { GenerationEngine } from '../../../infra/cluster/generations/engine.ts';
import {
  changed,
  comingOf,
  type Generational,
  promoted,
  servingOf,
  standbyOf,
} from '../../../infra/cluster/generations/generations.ts';
import { ServiceError } from '../../core/errors.ts';
import type { EventLog, Positions } from '../../core/ports.ts';
import type { ReplayMessage } from '../../operations/operator/generations.ts';
import { type FillPorts, fill, patiently } from './fill.ts';
import { claimGeneration } from './lease.ts';

/** With fewer events to go it is handed over to the projectors. */
const CLOSE = 5_000;
/** Rounds over what was appended meanwhile: handed over then, however much is left. */
const MOST_ROUNDS = 4;
/** Projectors may leave it to its builder again when it fails them. */
const MOST_HANDOVERS = 5;
const TELL_MS = 500;

/** One projection that is kept in generations. */
export interface Replayed<Row, Request> extends Omit<FillPorts<Row, Request>, 'log'> {
  projection: Generational;
  /** Of what this release writes. */
  version: string;
  engine: GenerationEngine<Row, Request>;
  registry: Registry;
  log: Pick<EventLog, 'read' | 'ends'>;
  /** Next offsets that the projectors have not acknowledged. */
  committed: () => Promise<Positions>;
  /** Compares a generation with the log; `differences` of 0 lets it be promoted. */
  verify: (generation: number, signal: AbortSignal) => Promise<{ rows: number; differences: number }>;
}

export interface ReplayOptions {
  throttle?: number | undefined;
  dryRun?: boolean;
}

export const ofTopics = (positions: Positions, topics: readonly string[]): Positions =>
  Object.fromEntries(Object.entries(positions).filter(([place]) => topics.includes(place.split('/')[0]!)));

export const eventsBetween = (from: Positions, to: Positions): number =>
  Object.entries(to).reduce((sum, [place, end]) => sum + Math.max(end - (from[place] ?? 0), 0), 0);

/** Removes what nobody writes to any more; resolves with the numbers. */
export const removeDropped = async ({
  registry,
  projection,
  engine,
}: Pick<Replayed<never, never>, 'registry' | 'projection'> & {
  engine: Pick<GenerationEngine<never, never>, 'remove'>;
}): Promise<number[]> => {
  const dropped = (await registry.read(projection))?.generations.filter(({ state }) => state === 'dropped');
  for (const { number } of dropped ?? []) {
    await engine.remove(number);
    await registry.change(projection, registered => changed(registered, number, () => undefined));
  }
  return (dropped ?? []).map(({ number }) => number);
};

/** The last step of a promotion, which may be repeated: reads go to it, then the registry says so. */
export const serve = async <Row, Request>(
  { registry, projection, engine, committed, topics }: Replayed<Row, Request>,
  generation: number,
): Promise<number | null> => {
  // Nobody writes to the one of before any more where it is of another version: it has what was acknowledged by now.
  const frozenAt = ofTopics(await committed(), topics);
  await engine.serve(generation);
  const registered = await registry.change(projection, before =>
    before.generations.some(one => one.number === generation && one.state === 'promoting')
      ? promoted(before, generation, frozenAt)
      : before,
  );
  return standbyOf(registered)?.number ?? null;
};

/**
 * Builds a generation from the first event on, or goes on with one, and promotes it. Serving goes on meanwhile, and a
 * failure leaves it as it was; what was built is gone on with by the next replay.
 */
export async function* replayGeneration<Row, Request>(
  replayed: Replayed<Row, Request>,
  { throttle, dryRun = false }: ReplayOptions,
  signal: AbortSignal,
): AsyncGenerator<ReplayMessage> {
  const { projection, version, engine, registry, log, topics } = replayed;
  const started = performance.now();
  const registered = await registry.read(projection);
  if (!registered)
    throw new ServiceError('conflict', 'The generations are not registered: run `turnstone migrate`.');
  const serving = servingOf(registered);
  const bytes = serving ? await engine.bytes(serving.number) : 0;
  const endsNow = async (): Promise<Positions> => ofTopics(await patiently(() => log.ends(), signal), topics);

  const plan = async (number: number, found: Positions, resumed: boolean): Promise<ReplayMessage> => ({
    kind: 'plan',
    generation: { projection, number, version, state: 'building' },
    events: eventsBetween(found, await endsNow()),
    bytes,
    resumed,
    dryRun,
  });
  if (dryRun) {
    const coming = comingOf(registered);
    const goesOn = coming?.version === version ? coming : undefined;
    yield await plan(goesOn?.number ?? registered.last + 1, goesOn?.positions ?? {}, goesOn !== undefined);
    return;
  }

  const positions: Positions = {};
  let events = 0;
  const claim = await claimGeneration(replayed, () => ({ positions: { ...positions }, events }), signal);
  const { number, found } = claim;
  try {
    if (found.state === 'promoting') {
      const standby = await serve(replayed, number);
      yield { kind: 'promoted', generation: number, standby, seconds: secondsSince(started) };
      return;
    }
    Object.assign(positions, found.positions);
    events = found.events ?? 0;
    await removeDropped(replayed);
    await engine.make(number);
    yield await plan(number, positions, events > 0);

    const tell = makeTell(started, events);
    const ended = AbortSignal.any([signal, claim.lost]);
    const build = async function* (phase: 'building' | 'catching up', ends: Positions) {
      const before = events;
      const filling = { generation: number, positions, throttle, signal: ended };
      for await (const read of fill(replayed, filling, ends)) {
        events = before + read;
        yield* tell(phase, events, eventsBetween({}, ends));
      }
    };

    let ends = await endsNow();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      yield* build(round === 0 ? 'building' : 'catching up', ends);
      ends = await endsNow();
      if (eventsBetween(positions, ends) < CLOSE) break;
    }
    await patiently(() => engine.finish(number), ended);

    for (let handover = 0; ; handover++) {
      if (handover === MOST_HANDOVERS)
        throw new ServiceError(
          'unavailable',
          `The projectors can't write to generation ${number}; the log of a projector says why.`,
        );
      await claim.change(one => ({ ...one, state: 'joined' }));
      // Whatever is appended from here on is read of the log, and written, by projectors that see it joined.
      yield* build('catching up', await endsNow());
      // Once more: an erasure that projectors read meanwhile may have missed what was on its way from here.
      yield* build('catching up', await endsNow());
      await patiently(() => engine.finish(number), ended);
      yield* tell('verifying', events, events, true);
      const { rows, differences } = await replayed.verify(number, signal);
      yield { kind: 'verified', rows, differences };
      if (differences > 0)
        throw new ServiceError(
          'conflict',
          `Generation ${number} differs in ${differences} of ${rows}: it is not promoted.`,
        );
      ended.throwIfAborted();
      let isJoined = false;
      await claim.change(one => {
        isJoined = one.state === 'joined';
        return isJoined ? { ...one, state: 'promoting' } : one;
      });
      if (isJoined) break;
    }
    const standby = await serve(replayed, number);
    yield { kind: 'promoted', generation: number, standby, seconds: secondsSince(started) };
    await removeDropped(replayed);
  } catch (error) {
    throw claim.lost.aborted ? claim.lost.reason : error;
  } finally {
    // An engine that is away hears nothing of it: then the lease runs out.
    await claim
      .release(one => ({
        ...one,
        ...(one.state === 'joined' && { state: 'building' as const }),
        positions: { ...positions },
        events,
      }))
      .catch(() => {});
  }
}

const secondsSince = (started: number): number => (performance.now() - started) / 1_000;

/** Progress, not more often than anybody can read it. */
const makeTell = (started: number, before: number) => {
  let told = 0;
  return function* (
    phase: 'building' | 'catching up' | 'verifying',
    events: number,
    total: number,
    always = false,
  ): Generator<ReplayMessage> {
    const now = performance.now();
    if (!always && now - told < TELL_MS) return;
    told = now;
    const eventsPerSecond = (events - before) / Math.max((now - started) / 1_000, 0.001);
    const left = Math.max(total - events, 0);
    const secondsLeft = eventsPerSecond > 0 ? left / eventsPerSecond : null;
    yield { kind: 'progress', phase, events, total: Math.max(total, events), eventsPerSecond, secondsLeft };
  };
};
