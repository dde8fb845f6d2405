import { usageGenerations } from '../../../infra/cluster/clickhouse/generations.ts';
import { recallGenerations } from '../../../infra/cluster/elasticsearch/generations.ts';
import { decodeDocument } from '../../../projections/language/codec.ts';
import { makeRecallProjection } from '../../../projections/recall/projection.ts';
import { projectUsage } from '../../../projections/usage/projection.ts';
import { RECALL_VERSION, USAGE_VERSION } from '../../../projections/versions.ts';
import type { Decoded } from '../../core/log/events.ts';
import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import type { LogRecord } from '../../core/ports.ts';
import { reportOf } from '../../operations/verify/verify.ts';
import { PROJECTOR_GROUP } from '../../workers/projector/group.ts';
import type { Adapters } from '../adapters.ts';
import { makeOperatorCalls } from '../operator-calls.ts';
import type { makeClusterVerify } from '../verify.ts';
import { makeMend } from './repair.ts';

/** Enough for an engine to have the next one when it is done with one. */
const BULKS_IN_FLIGHT = 3;

/** What an operator may ask of the shared engines, in the command's own process. */
export const replayCalls = (
  adapters: Adapters,
  decode: (record: LogRecord) => Promise<Decoded>,
  verify: ReturnType<typeof makeClusterVerify>,
): OperatorCalls => {
  /** Against the log, before it is promoted. */
  const verified = (projection: 'recall' | 'usage') => (generation: number, signal: AbortSignal) =>
    reportOf(verify({}, signal, { projection, generation }));

  const { config, log, recall, usage, language } = adapters;
  const { registry, elasticsearch } = recall;
  const shared = { log, decode, registry, committed: () => log.committed(PROJECTOR_GROUP) };
  const recallEngine = recallGenerations(elasticsearch, config, decodeDocument);
  const usageEngine = usageGenerations(usage.atLeisure, config);
  const ofRecall = {
    ...shared,
    projection: 'recall',
    version: RECALL_VERSION,
    engine: recallEngine,
    fold: makeRecallProjection(language),
    topics: ['turns', 'observations'],
    inFlight: BULKS_IN_FLIGHT,
  } as const;
  const ofUsage = {
    ...shared,
    projection: 'usage',
    version: USAGE_VERSION,
    engine: usageEngine,
    fold: projectUsage,
    topics: ['turns', 'usage'],
    // A row is looked up before it is inserted: the copies of an event have to come in their order.
    inFlight: 1,
  } as const;
  return makeOperatorCalls({
    generational: {
      recall: { ...ofRecall, verify: verified('recall') },
      usage: { ...ofUsage, verify: verified('usage') },
    },
    mend: makeMend(adapters, decode),
  });
};
