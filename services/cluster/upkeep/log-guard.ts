import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../core/errors.ts';
import { positionsIn } from '../../../core/log/positions.ts';
import type { Watch } from '../../../core/ports/engines.ts';
import type { Positions, SharedLog } from '../../../core/ports.ts';
import type { Gauge } from '../../../core/watch/gauges.ts';
import type { Log } from '../../../core/watch/logger.ts';

/** How often a log is checked again: when it is whole, and when it has faults. */
const EVERY_MS = 30_000;
const AGAIN_MS = 2_000;
const CLOSES_WITHIN_MS = 1_000;

/** A partition is reported from this share of its permitted records on. */
const NEARLY_FULL = 0.9;

type Checked = Pick<SharedLog, 'faults'>;

/** Throws `conflict` when nothing may be built from the log: what was built would be served as the truth. */
export const assertWhole = async (log: Checked): Promise<void> => {
  const faults = await log.faults();
  if (faults.length > 0)
    throw new ServiceError('conflict', `Nothing is built from this log: ${faults.join('; ')}.`);
};

/** The partitions of turns that are nearly full, with the number of their records. */
const nearlyFull = (ends: Positions, mostRecords: number): string[] =>
  Object.entries(positionsIn(ends, ['turns']))
    .filter(([, end]) => end >= NEARLY_FULL * mostRecords)
    .map(([name, end]) => `${name} has ${end} of ${mostRecords} records`);

/** The state of the log, which every process watches: projectors wait for it, the others report it. */
export interface LogGuard {
  /** Resolves when the log was found whole; never if the guard is closed before. */
  whole(): Promise<void>;
  /** The faults that the last check found; undefined while none has succeeded. */
  faults(): readonly string[] | undefined;
  /** Faults degrade an API that answers calls; they don't take it down. */
  probe: Watch['probes'][string];
  gauge: Gauge;
  close(): Promise<void>;
}

/**
 * Checks at once and then forever. A check that fails, for example because brokers are unreachable, decides
 * nothing and is repeated.
 *
 * @param mostRecords of a partition of turns
 */
export const guardLog = (
  log: Checked & Pick<SharedLog, 'ends'>,
  logger: Pick<Log, 'error' | 'warn' | 'info'>,
  mostRecords: number,
  { everyMs, againMs } = { everyMs: EVERY_MS, againMs: AGAIN_MS },
): LogGuard => {
  let faults: readonly string[] | undefined;
  let full: readonly string[] = [];
  let waiting: (() => void)[] = [];
  const closing = new AbortController();

  const receive = (found: readonly string[]): void => {
    if (closing.signal.aborted) return;
    const text = found.join('; ');
    if (text !== (faults ?? []).join('; ')) {
      if (found.length > 0) logger.error({ faults: found }, 'nothing may be built from the log');
      else logger.info('the log is whole again');
    }
    faults = found;
    if (found.length > 0) return;
    for (const wake of waiting) wake();
    waiting = [];
  };
  const measure = (ends: Positions): void => {
    const before = full;
    full = nearlyFull(ends, mostRecords);
    if (full.length > before.length)
      logger.warn({ partitions: full }, 'partitions of the log are nearly full');
  };
  const watching = (async () => {
    while (!closing.signal.aborted) {
      await log.faults().then(receive, () => {});
      await log.ends().then(measure, () => {});
      const isWhole = faults?.length === 0;
      await pause(isWhole ? everyMs : againMs, undefined, { signal: closing.signal, ref: false }).catch(
        () => {},
      );
    }
  })();

  return {
    whole: () =>
      faults?.length === 0 ? Promise.resolve() : new Promise(resolve => void waiting.push(resolve)),
    faults: () => faults,
    probe: async () => {
      if (faults && faults.length > 0) throw new Error(`nothing may be built from it: ${faults.join('; ')}`);
      return [faults ? 'whole' : 'not checked yet', ...full].join('; ');
    },
    gauge: {
      name: 'turnstone_log_faults',
      help: 'Faults of the topics for which nothing is projected or replayed; 0 when the log is whole',
      read: () => faults?.length ?? 0,
    },
    close: async () => {
      closing.abort();
      waiting = [];
      // Brokers that don't answer must not delay the end of the process.
      await Promise.race([watching, pause(CLOSES_WITHIN_MS, undefined, { ref: false })]);
    },
  };
};
