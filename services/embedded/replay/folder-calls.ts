import { REPLAYED_NAMES, type ReplayedName } from '../../../core/operator/replay-messages.ts';
import { type GenerationCalls, makeGenerationCalls } from '../../operations/generations/generation-calls.ts';
import type { VectorsOfLog } from '../../operations/generations/until-embedded.ts';
import type { Replays } from './replay.ts';

/**
 * `generations`, `replay`, `rollback` and `retire` of a data folder, where one file holds all projections.
 */
export const generationCalls = (
  folder: Pick<Replays, 'generations' | 'replay'>,
  vectors: VectorsOfLog | undefined,
): GenerationCalls =>
  makeGenerationCalls(
    Object.fromEntries(REPLAYED_NAMES.map(name => [name, folder])) as Record<ReplayedName, typeof folder>,
    vectors,
  );
