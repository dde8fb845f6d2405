/** A failure, with all that a person needs to see it again. */

import type { Plant } from '../world/plant.ts';
import { type Played, play } from './run.ts';
import { shrink } from './shrink.ts';
import { lineOf, type Step, stepsOf } from './steps.ts';

export interface Found {
  seed: number;
  played: Played;
  steps: readonly Step[];
  /** The seed, what was found, and the steps that are left. */
  text: string;
}

/**
 * Plays the histories of the seeds until one fails, and shrinks that one; undefined when all of them hold.
 *
 * @param plant makes the ports of each history anew
 */
export const firstFailure = async (
  seeds: Iterable<number>,
  count: number,
  { plant, mostRuns }: { plant?: () => Plant; mostRuns?: number } = {},
): Promise<Found | undefined> => {
  for (const seed of seeds) {
    const all = stepsOf(seed, count);
    const played = await play(all, plant?.());
    if (!played.failure) continue;
    const shrunk = await shrink(all, played, steps => play(steps, plant?.()), mostRuns);
    const text = [
      `seed ${seed} of ${count} steps: ${played.failure.found}`,
      `left of it after ${shrunk.runs} runs, ${shrunk.steps.length} steps: ${shrunk.played.failure!.found}`,
      ...shrunk.steps.map(lineOf),
      `again: TURNSTONE_SIMULATOR_SEED=${seed} TURNSTONE_SIMULATOR_STEPS=${count} npx vitest run --project simulator`,
    ].join('\n');
    return { seed, played: shrunk.played, steps: shrunk.steps, text };
  }
  return undefined;
};
