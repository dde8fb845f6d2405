import { type Decode, openKeysOf } from '../../../core/log/events.ts';
import type { GenerationEngine } from '../../../core/ports/projection/generation-engine.ts';
import {
  GENERATIONAL,
  type Generational,
  makeProjections,
  type ProjectedEvent,
} from '../../../projections/all.ts';
import type { Projection } from '../../../projections/projection.ts';
import {
  type GenerationCalls,
  makeGenerationCalls,
  type Replayed,
} from '../../operations/generations/generation-calls.ts';
import { reportOf } from '../../operations/verify/verify.ts';
import { embedderGroup } from '../../workers/embedder/embedder.ts';
import { PROJECTOR_GROUP } from '../../workers/projector/group.ts';
import type { Adapters } from '../adapters.ts';
import type { makeClusterVerify } from '../cluster-verify.ts';
import { assertWhole } from '../upkeep/log-guard.ts';
import { makeProjectionGenerations } from './projection-generations.ts';
import { makeRepairs } from './repair.ts';

/**
 * `generations`, `replay`, `rollback` and `retire` of the shared engines. They run in the command's own
 * process.
 */
export const replayCalls = (
  adapters: Adapters,
  decode: Decode,
  verify: ReturnType<typeof makeClusterVerify>,
): GenerationCalls => {
  const { log, registry, generational, language, embeddings } = adapters;
  const model = embeddings?.models[0];
  const projections = makeProjections(language);
  const replayed = (projection: Generational): Replayed => ({
    generations: makeProjectionGenerations({
      ...(projections[projection] as Projection<ProjectedEvent, unknown>),
      projection,
      log,
      decode,
      prepare: records => openKeysOf(adapters.keys, records),
      registry,
      model: projection === 'recall' ? model : undefined,
      committed: () => log.committed(PROJECTOR_GROUP),
      engine: generational[projection].engine as GenerationEngine<unknown, unknown>,
      assertWhole: () => assertWhole(log),
      verify: (generation: number, signal: AbortSignal) =>
        reportOf(verify({}, signal, { projection, generation })),
    }),
  });
  const inGenerations = GENERATIONAL.map(projection => [projection, replayed(projection)]);
  return makeGenerationCalls(
    {
      ...(Object.fromEntries(inGenerations) as Record<Generational, Replayed>),
      ...makeRepairs(adapters, decode),
    },
    model === undefined
      ? undefined
      : { ends: () => log.ends(), embedded: () => log.committed(embedderGroup(model)) },
  );
};
