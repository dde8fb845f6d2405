import { makeYieldWhenDue } from '../../core/fairness/yield-when-due.ts';
import { partitionName } from '../../core/log/positions.ts';
import { readPages } from '../../core/log/read.ts';
import type { EventLog, LogRecord, Positions } from '../../core/ports.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import { parseEnvelope } from '../../schemas/events/envelope.ts';
import { EVENT_TYPES } from '../../schemas/events/event-types.ts';

const removes = ({ value }: LogRecord): boolean => {
  try {
    const { type } = parseEnvelope(value) as { type: string };
    return EVENT_TYPES[type]?.removes === true;
  } catch {
    // The projector sets it aside.
    return false;
  }
};

/**
 * Returns the positions after the last erasure, retraction or expiry in each partition between two positions;
 * a partition without any is missing.
 */
export const unappliedRemovals = async (
  log: Pick<EventLog, 'read'>,
  { from, to }: { from: Positions; to: Positions },
): Promise<Positions> => {
  const after: Positions = {};
  // The log is read without giving way, in the thread that answers /healthz.
  const yieldWhenDue = makeYieldWhenDue();
  for await (const { records } of readPages(log, { topics: PROJECTIONS.recall.topics, from, to }))
    for (const record of records) {
      await yieldWhenDue();
      if (removes(record)) after[partitionName(record)] = record.offset + 1;
    }
  return after;
};
