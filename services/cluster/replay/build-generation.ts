import { ServiceError } from '../../../core/errors.ts';
import { eventsBetween, positionsIn } from '../../../core/log/positions.ts';
import type { ReplayProgress } from '../../../core/ports/projection/generations.ts';
import type { Positions } from '../../../core/ports.ts';
import { fill, patiently } from './fill.ts';
import type { Lease } from './lease.ts';
import type { Projection } from './replayed-projection.ts';

/** The projectors join when fewer events than this are left. */
const CLOSE = 5_000;
/**
 * The most rounds over newly appended events. After them the projectors join, however many events are left.
 */
const MOST_ROUNDS = 4;
/** How often the projectors may hand a generation back to its builder because their writes to it fail. */
const MOST_HANDOVERS = 5;

/** The progress of a build; advanced during the build. */
export interface Built {
  positions: Positions;
  /** Events read so far. */
  events: number;
}

export const endsOf = async <Row, Request>(
  { log, topics }: Pick<Projection<Row, Request>, 'log' | 'topics'>,
  signal: AbortSignal,
): Promise<Positions> => positionsIn(await patiently(() => log.ends(), signal), topics);

/**
 * Builds until the projectors have joined. When they leave the generation, another build hands it over again.
 */
export const makeBuild = <Row, Request>(
  replayed: Projection<Row, Request>,
  lease: Pick<Lease, 'number' | 'change'>,
  built: Built,
  { throttle, signal }: { throttle: number | undefined; signal: AbortSignal },
): (() => AsyncGenerator<ReplayProgress>) => {
  const { engine } = replayed;
  const { number } = lease;
  let handovers = 0;

  const read = async function* (phase: ReplayProgress['phase']): AsyncGenerator<ReplayProgress> {
    const ends = await endsOf(replayed, signal);
    const before = built.events;
    const filling = { generation: number, positions: built.positions, throttle, signal };
    for await (const count of fill(replayed, filling, ends)) {
      built.events = before + count;
      yield { phase, events: built.events, total: eventsBetween({}, ends) };
    }
  };

  const readMost = async function* (): AsyncGenerator<ReplayProgress> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      yield* read(round === 0 ? 'building' : 'catching up');
      if (eventsBetween(built.positions, await endsOf(replayed, signal)) < CLOSE) break;
    }
    await patiently(() => engine.finish(number), signal);
  };

  return async function* () {
    if (handovers === 0) yield* readMost();
    if (handovers++ === MOST_HANDOVERS)
      throw new ServiceError(
        'unavailable',
        `The projectors can't write to generation ${number}; the log of a projector says why.`,
      );
    await lease.change(one => ({ ...one, state: 'joined' }));
    // Projectors that read events appended from here on see the generation as joined and write to it.
    yield* read('catching up');
    // Read again: an erasure that projectors applied meanwhile may have missed writes that were in flight
    // from here.
    yield* read('catching up');
    await patiently(() => engine.finish(number), signal);
  };
};
