import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../../../core/errors.ts';
import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import type { Decoded, Event } from '../../../core/log/events.ts';
import { parsePartition, positionsIn } from '../../../core/log/positions.ts';
import type { GenerationEngine } from '../../../core/ports/projection/generation-engine.ts';
import type { EventLog, LogRecord, Positions, Topic } from '../../../core/ports.ts';

/** Records per read. */
const PAGE = 1_000;
/** As a rule: those of a write. */
const EVENTS_OF_A_RECORD = 10;
/** How long an unreachable engine is retried. After that the replay ends, and the next one continues. */
const OUTAGE_MS = 60_000;
const LONGEST_PAUSE_MS = 5_000;

export interface FillPorts<Row, Request> {
  log: Pick<EventLog, 'read'>;
  decode: (record: LogRecord) => Promise<Decoded>;
  /** Awaited before the records of a page are decoded, one after the other. */
  prepare?: (records: readonly LogRecord[]) => Promise<void>;
  fold: (event: Event) => Row[];
  engine: Pick<GenerationEngine<Row, Request>, 'requests' | 'send' | 'waits' | 'inFlight'>;
  topics: readonly Topic[];
}

export interface Filling {
  generation: number;
  /** Next offsets up to which everything is stored; advanced during the fill. */
  positions: Positions;
  /** Events a second at most. */
  throttle?: number | undefined;
  signal: AbortSignal;
}

/** Retries while an engine is unreachable. */
export const patiently = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  const deadline = performance.now() + OUTAGE_MS;
  for (let delay = 200; ; delay = Math.min(delay * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || performance.now() + delay > deadline) throw error;
      await pause(delay, undefined, { signal });
    }
  }
};

/**
 * Writes the events of the log from `positions` to `ends` into a generation, with several requests in flight
 * while the next events are folded. Yields how many records were read, after each page. Skips what can't be
 * decoded or folded, and what the engine rejects: the projector set it aside as dead letters.
 */
export async function* fill<Row, Request>(
  ports: FillPorts<Row, Request>,
  filling: Filling,
  ends: Positions,
): AsyncGenerator<number> {
  const sender = makeSender(ports.engine, filling);
  const stored = makeStoredPages(filling.positions);
  const pace = makePace(filling);
  let read = 0;
  try {
    for await (const { records, ...page } of readAhead(ports, filling, ends)) {
      const onStored = stored.add(page);
      await ports.prepare?.(records);
      const { rows, events } = await folded(ports, records);
      await sender.send(ports.engine.requests(rows), onStored);
      read += records.length;
      sender.check();
      yield read;
      await pace(events);
    }
  } finally {
    await sender.settled();
    // The positions of stored pages advance in a callback: let it run first.
    await pause(0);
  }
  sender.check();
}

interface Page {
  /** The name of its partition. */
  name: string;
  /** The next offset after it. */
  next: number;
}

/** The log in pages, partition by partition; the next page is read while one is written. */
async function* readAhead<Row, Request>(
  { log, topics }: Pick<FillPorts<Row, Request>, 'log' | 'topics'>,
  { positions, throttle, signal }: Filling,
  ends: Positions,
): AsyncGenerator<Page & { records: LogRecord[] }> {
  // A page is about a second's share of the throttle, so a throttled replay makes progress every second.
  const size = throttle === undefined ? PAGE : Math.min(PAGE, Math.ceil(throttle / EVENTS_OF_A_RECORD));
  for (const [name, end] of Object.entries(positionsIn(ends, topics))) {
    const { topic, partition } = parsePartition(name);
    const readFrom = (offset: number) =>
      patiently(() => log.read(topic, partition, offset, Math.min(size, end - offset)), signal);
    let next = positions[name] ?? 0;
    let reading = next < end ? readFrom(next) : undefined;
    while (reading) {
      const records = (await reading).filter(({ offset }) => offset < end);
      if (records.length === 0) break;
      next = records.at(-1)!.offset + 1;
      reading = next < end ? readFrom(next) : undefined;
      // The read may reject before it is awaited.
      reading?.catch(() => {});
      yield { name, next, records };
    }
  }
}

/** The rows of records, and how many events they come from; a record that can't be decoded counts as one. */
const folded = async <Row, Request>(
  { decode, fold }: Pick<FillPorts<Row, Request>, 'decode' | 'fold'>,
  records: readonly LogRecord[],
): Promise<{ rows: Row[]; events: number }> => {
  const rows: Row[] = [];
  const yieldWhenDue = makeYieldWhenDue();
  let events = 0;
  for (const record of records) {
    const decoded = await decode(record);
    events += decoded.kind === 'poison' ? 1 : decoded.events.length;
    // Erased events still count as usage.
    if (decoded.kind === 'poison') continue;
    for (const event of decoded.events) {
      // A page may take seconds, in which the lease has to be renewed.
      await yieldWhenDue();
      try {
        rows.push(...fold(event));
      } catch {
        // The projector sets the event aside.
      }
    }
  }
  return { rows, events };
};

/** Keeps as many requests in flight as the engine allows. */
const makeSender = <Request>(
  engine: FillPorts<unknown, Request>['engine'],
  { generation, signal }: Pick<Filling, 'generation' | 'signal'>,
) => {
  const pending = new Set<Promise<void>>();
  let fault: { error: unknown } | undefined;
  const check = (): void => {
    signal.throwIfAborted();
    if (fault) throw fault.error;
  };
  const begin = (request: Request): Promise<void> => {
    const sending: Promise<void> = patiently(() => engine.send(generation, request), signal)
      .then(
        () => {},
        error => {
          fault ??= { error };
        },
      )
      .finally(() => pending.delete(sending));
    pending.add(sending);
    return sending;
  };
  return {
    /** Throws when a request failed, or the signal was aborted. */
    check,
    /** Resolves when all requests are in flight; calls `onStored` when all are stored. */
    send: async (requests: readonly Request[], onStored: () => void): Promise<void> => {
      const own: Promise<void>[] = [];
      for (const request of requests) {
        const most = engine.waits?.(request) ? 1 : engine.inFlight;
        while (pending.size >= most) await Promise.race(pending);
        check();
        own.push(begin(request));
      }
      void Promise.all(own).then(() => {
        if (!fault) onStored();
      });
    },
    settled: async (): Promise<void> => void (await Promise.all(pending)),
  };
};

/** Pages in the order of the log: a position advances when its page and those before it are stored. */
const makeStoredPages = (positions: Positions) => {
  const pages: (Page & { stored: boolean })[] = [];
  return {
    /** Returns what to call when the page is stored. */
    add: (page: Page): (() => void) => {
      const entry = { ...page, stored: false };
      pages.push(entry);
      return () => {
        entry.stored = true;
        while (pages[0]?.stored) {
          const { name, next } = pages.shift()!;
          positions[name] = next;
        }
      };
    },
  };
};

/** Waits while the number of events is ahead of the throttle; called with the events of each page. */
const makePace = ({ throttle, signal }: Pick<Filling, 'throttle' | 'signal'>) => {
  const started = performance.now();
  let all = 0;
  return async (events: number): Promise<void> => {
    all += events;
    if (throttle === undefined) return;
    const early = (all / throttle) * 1_000 - (performance.now() - started);
    if (early > 0) await pause(early, undefined, { signal });
  };
};
