import { setTimeout as pause } from 'node:timers/promises';
import { grouped } from '../../client/terminal.ts';
import { makeChecks, type Report } from './check.ts';

/** How long a consumer has to show that it goes on. */
const LOOK_MS = 2_000;
/** Behind by more than this, it is late although it goes on. */
const LATE = 10_000;

/** By the name of its metrics: what is late with it. */
const CONSUMERS = {
  projector: 'recall finds the rest in the tail',
  enricher: 'observations are late',
  embedder: 'vectors of the embedding model are late',
  key_index: 'sessions whose key is not in Redis may be 503',
  account_index: 'the rebuild of a wiped Redis would take longer',
};

const valueIn = (metrics: string, name: string): number | undefined => {
  const line = new RegExp(`^turnstone_${name} (\\S+)$`, 'm').exec(metrics)?.[1];
  const value = line === undefined ? Number.NaN : Number(line);
  return Number.isNaN(value) ? undefined : value;
};

const lagIn = (metrics: string, consumer: string): number | undefined =>
  valueIn(metrics, `${consumer}_lag_events`);

/**
 * Checks how far the consumers are behind the log. One that is behind is looked at again: it has to go on.
 *
 * @param scrape reads the metrics once more
 */
export const checkPositions = async (
  first: string,
  scrape: () => Promise<string | undefined>,
  report: Report,
): Promise<void> => {
  const behind = Object.keys(CONSUMERS).filter(consumer => (lagIn(first, consumer) ?? 0) > 0);
  if (behind.length > 0) await pause(LOOK_MS);
  const second = behind.length > 0 ? ((await scrape()) ?? first) : first;
  for (const [consumer, effect] of Object.entries(CONSUMERS)) {
    const before = lagIn(first, consumer);
    const lag = lagIn(second, consumer);
    if (before === undefined || lag === undefined) continue;
    const { ok, warn, fail } = makeChecks(report, `${consumer.replace('_', ' ')} lag`);
    const done = (valueIn(second, `${consumer}_events`) ?? 0) - (valueIn(first, `${consumer}_events`) ?? 0);
    const events = `${grouped(lag)} events behind the log`;
    if (lag === 0) ok(events);
    else if (lag < before || done > 0) {
      if (lag > LATE) warn(`${events}, and it goes on`, `wait; ${effect}`);
      else ok(`${events}, and it goes on`);
    } else if (consumer === 'projector')
      fail(
        `${events}, and it stands still`,
        'see docs/operate/monitor/runbooks-log.md, TurnstoneProjectorStuck',
      );
    else warn(`${events}, and it stands still`, `${effect}; the log of its process says what it waits for`);
  }
};
