import { ServiceError } from '../../core/errors.ts';
import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import { type GenerationChange, PROJECTIONS } from '../../operations/operator/generations.ts';
import type { Generations } from './generations.ts';
import type { Replays } from './replay.ts';

/** Every projection is in the one file: naming one of them names all. */
const assertProjection = ({ projection }: Record<string, unknown>): void => {
  const known: readonly unknown[] = [...PROJECTIONS, 'all'];
  if (!known.includes(projection))
    throw new ServiceError('invalid', `There is no such projection; there are ${known.join(', ')}.`);
};

const throttleOf = ({ throttle }: Record<string, unknown>): number | undefined => {
  if (throttle === undefined || throttle === null) return undefined;
  if (!Number.isSafeInteger(throttle) || (throttle as number) < 1)
    throw new ServiceError('invalid', 'throttle is a whole number of events a second, from 1.');
  return throttle as number;
};

/** `generations`, `replay`, `rollback` and `retire` of a data folder. */
export const generationCalls = (generations: Generations, replays: Replays): OperatorCalls => ({
  generations: async function* () {
    yield* await generations.list();
  },
  replay: async function* (args, signal) {
    assertProjection(args);
    const throttle = throttleOf(args);
    if (args.dryRun === true) yield await replays.plan(true);
    else yield* replays.run({ throttle }, signal);
  },
  rollback: async function* (args) {
    assertProjection(args);
    const { serving, standby } = await generations.rollback();
    yield { kind: 'rolled back', projection: 'all', serving, standby } satisfies GenerationChange;
  },
  retire: async function* (args) {
    assertProjection(args);
    const generation = await generations.retire();
    yield { kind: 'retired', projection: 'all', generation } satisfies GenerationChange;
  },
});
