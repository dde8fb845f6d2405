import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import { makeGenerationCalls } from '../../operations/generations/calls.ts';
import type { Replays } from './replay.ts';

/** `generations`, `replay`, `rollback` and `retire` of a data folder: every projection is in the one file. */
export const generationCalls = (folder: Pick<Replays, 'generations' | 'replay'>): OperatorCalls =>
  makeGenerationCalls({ recall: folder, usage: folder, accounts: folder, admission: folder });
