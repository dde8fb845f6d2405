import { parseEnvelope } from '../../../schemas/events/envelope.ts';
import { positionsIn } from '../../core/log/positions.ts';
import { readPages } from '../../core/log/read.ts';
import type { EventLog, LogRecord, Positions } from '../../core/ports.ts';

/**
 * Unix milliseconds: what was recorded by then is in the projections that serve, and nothing recorded by then is still to
 * come. Throws `unavailable` when the log can't be asked.
 */
export type Passed = () => Promise<number>;

/**
 * What a record may be late: an instant is taken when a call comes in, its record is in the log half a minute later at
 * most, and the clocks of several processes differ.
 */
const LATE_MS = 60_000;
/** A burst of recalls asks the log once. */
const KNOWN_FOR_MS = 1_000;
/** Records read at a time of a place that is behind. */
const PAGE = 16;

const TOPICS = ['turns', 'observations'] as const;

export interface PassedPorts {
  log: Pick<EventLog, 'ends' | 'read'>;
  /** Next offsets of the projections that serve. */
  projected: () => Positions | Promise<Positions>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** What is not projected yet was recorded no earlier than the first of it, place by place; else now is the bound. */
export const makePassed = ({ log, projected, clock }: PassedPorts): Passed => {
  const look = async (): Promise<number> => {
    // In this order: what is recorded while the log is asked is later than now.
    const now = clock();
    const positions = await projected();
    const ends = await log.ends();
    const firsts = Object.entries(positionsIn(ends, TOPICS))
      .filter(([name, end]) => (positions[name] ?? 0) < end)
      .map(([name, end]) => firstRecorded(log, name, positions[name] ?? 0, end));
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

/** When the first record from an offset on was recorded that says so: what says nothing will not be projected. */
const firstRecorded = async (
  log: PassedPorts['log'],
  name: string,
  from: number,
  end: number,
): Promise<number> => {
  const range = { topics: TOPICS, from: { [name]: from }, to: { [name]: end }, pageSize: PAGE };
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
