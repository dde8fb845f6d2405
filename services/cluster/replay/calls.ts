import { makeProjections } from '../../../projections/all.ts';
import type { Generational } from '../../core/generations.ts';
import type { Decode } from '../../core/log/events.ts';
import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import { makeGenerationCalls } from '../../operations/generations/calls.ts';
import { reportOf } from '../../operations/verify/verify.ts';
import { PROJECTOR_GROUP } from '../../workers/projector/group.ts';
import type { Adapters } from '../adapters.ts';
import type { makeClusterVerify } from '../verify.ts';
import { makeProjectionGenerations } from './generations.ts';
import { makeRepairs } from './repair.ts';

/** Enough for an engine to have the next one when it is done with one. */
const BULKS_IN_FLIGHT = 3;

/** `generations`, `replay`, `rollback` and `retire` of the shared engines, in the command's own process. */
export const replayCalls = (
  adapters: Adapters,
  decode: Decode,
  verify: ReturnType<typeof makeClusterVerify>,
): OperatorCalls => {
  const { log, recall, generations, language } = adapters;
  const projections = makeProjections(language);
  const ofProjection = <Name extends Generational>(projection: Name) => ({
    projection,
    log,
    decode,
    registry: recall.registry,
    committed: () => log.committed(PROJECTOR_GROUP),
    engine: generations[projection],
    verify: (generation: number, signal: AbortSignal) =>
      reportOf(verify({}, signal, { projection, generation })),
  });
  const ofRecall = { ...ofProjection('recall'), ...projections.recall, inFlight: BULKS_IN_FLIGHT };
  // A row is looked up before it is inserted: the copies of an event have to come in their order.
  const ofUsage = { ...ofProjection('usage'), ...projections.usage, inFlight: 1 };
  return makeGenerationCalls({
    recall: { generations: makeProjectionGenerations(ofRecall) },
    usage: { generations: makeProjectionGenerations(ofUsage) },
    ...makeRepairs(adapters, decode),
  });
};
