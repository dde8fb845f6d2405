import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import { makeGenerationCalls } from '../../operations/generations/calls.ts';
import type { VectorsOfLog } from '../../operations/generations/until-embedded.ts';
import { REPLAYED_NAMES, type ReplayedName } from '../../operations/operator/generations.ts';
import type { Replays } from './replay.ts';

/** `generations`, `replay`, `rollback` and `retire` of a data folder, where one file holds all projections. */
export const generationCalls = (
  folder: Pick<Replays, 'generations' | 'replay'>,
  vectors: VectorsOfLog | undefined,
): OperatorCalls =>
  makeGenerationCalls(
    Object.fromEntries(REPLAYED_NAMES.map(name => [name, folder])) as Record<ReplayedName, typeof folder>,
    vectors,
  );
