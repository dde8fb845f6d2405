import { positionsIn } from '../../../../core/log/positions.ts';
import { readPages } from '../../../../core/log/read.ts';
import type { ReadModels } from '../../../../core/ports/engines.ts';
import type { EventLog, LogRecord, Positions, Topic } from '../../../../core/ports.ts';
import { parseEnvelope } from '../../../../schemas/events/envelope.ts';

/**
 * How late a record may appear: its instant is taken when the call arrives, the record is in the log at most
 * half a minute later, and the clocks of several processes differ.
 */
const LATE_MS = 60_000;
/** How long a result is cached, so that a burst of recalls reads the log once. */
const KNOWN_FOR_MS = 1_000;
/** Records per read from a partition that is behind. */
const PAGE = 16;

export interface SettledUntilPorts {
  log: Pick<EventLog, 'ends' | 'read'>;
  /** Next offsets of the serving projections. */
  settled: () => Positions | Promise<Positions>;
  /** The topics of the projection that is asked about. */
  topics: readonly Topic[];
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * The earliest instant among the first unsettled records of all partitions, or now without any; less
 * `LATE_MS`.
 */
export const makeSettledUntil = ({
  log,
  settled,
  topics,
  clock,
}: SettledUntilPorts): ReadModels['settledUntil'] => {
  const look = async (): Promise<number> => {
    // Read the clock first: records made while the log is read then have a later instant.
    const now = clock();
    const positions = await settled();
    const ends = await log.ends();
    const firsts = Object.entries(positionsIn(ends, topics))
      .filter(([name, end]) => (positions[name] ?? 0) < end)
      .map(([name, end]) => firstRecorded({ log, topics }, name, positions[name] ?? 0, end));
    return Math.min(now, ...(await Promise.all(firsts))) - LATE_MS;
  };

  let asked = Number.NEGATIVE_INFINITY;
  let known: Promise<number>;
  return () => {
    if (performance.now() - asked > KNOWN_FOR_MS) {
      asked = performance.now();
      known = look();
      known.catch(() => {
        asked = Number.NEGATIVE_INFINITY;
      });
    }
    return known;
  };
};

/**
 * The first `recorded_at` from an offset on. Records without one are skipped, since they will not be
 * projected.
 */
const firstRecorded = async (
  { log, topics }: Pick<SettledUntilPorts, 'log' | 'topics'>,
  name: string,
  from: number,
  end: number,
): Promise<number> => {
  const range = {
    topics,
    from: { [name]: from },
    to: { [name]: end },
    pageSize: PAGE,
  };
  for await (const { records } of readPages(log, range)) {
    for (const record of records) {
      const recorded = recordedAt(record);
      if (recorded !== undefined) return recorded;
    }
  }
  return Number.POSITIVE_INFINITY;
};

const recordedAt = ({ value }: LogRecord): number | undefined => {
  try {
    const instant = Date.parse(String((parseEnvelope(value) as { recorded_at?: unknown }).recorded_at));
    return Number.isNaN(instant) ? undefined : instant;
  } catch {
    return undefined;
  }
};
