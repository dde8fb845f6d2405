import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../core/errors.ts';
import type { Decoded, Event } from '../../core/log/events.ts';
import type { GenerationEngine } from '../../core/ports/generation-engine.ts';
import type { EventLog, LogRecord, Positions, Topic } from '../../core/ports.ts';

/** Records per read. */
const PAGE = 1_000;
/** How long an unreachable engine is retried. Then the replay ends, and the next one continues. */
const OUTAGE_MS = 60_000;
const LONGEST_PAUSE_MS = 5_000;

export interface FillPorts<Row, Request> {
  log: Pick<EventLog, 'read'>;
  decode: (record: LogRecord) => Promise<Decoded>;
  fold: (event: Event) => Row[];
  engine: Pick<GenerationEngine<Row, Request>, 'requests' | 'send' | 'waits' | 'inFlight'>;
  topics: readonly Topic[];
}

export interface Filling {
  generation: number;
  /** Next offsets up to which everything is stored: advanced while it is filled. */
  positions: Positions;
  /** Events a second at most. */
  throttle?: number | undefined;
  signal: AbortSignal;
}

const isOutage = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

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
 * Writes the events of the log from `positions` to `ends` into a generation, with several requests in flight while the
 * next events are folded. Yields how many events were read, after each page. Skips what can't be decoded or folded, and
 * what the engine rejects: the projector set it aside as dead letters.
 */
export async function* fill<Row, Request>(
  { log, decode, fold, engine, topics }: FillPorts<Row, Request>,
  { generation, positions, throttle, signal }: Filling,
  ends: Positions,
): AsyncGenerator<number> {
  const page = Math.max(Math.min(PAGE, throttle ?? PAGE), 1);
  const pending = new Set<Promise<void>>();
  let fault: { error: unknown } | undefined;
  const check = (): void => {
    signal.throwIfAborted();
    if (fault) throw fault.error;
  };

  const send = async (request: Request): Promise<void> => {
    const most = engine.waits?.(request) ? 1 : engine.inFlight;
    while (pending.size >= most) await Promise.race(pending);
    check();
    const sending: Promise<void> = patiently(() => engine.send(generation, request), signal)
      .then(
        () => {},
        error => {
          fault ??= { error };
        },
      )
      .finally(() => pending.delete(sending));
    pending.add(sending);
  };

  const rowsOf = async (records: readonly LogRecord[]): Promise<Row[]> => {
    const rows: Row[] = [];
    for (const record of records) {
      const decoded = await decode(record);
      // Erased events still count as usage.
      if (decoded.kind === 'poison') continue;
      try {
        rows.push(...fold(decoded.event));
      } catch {
        // The projector sets the event aside.
      }
    }
    return rows;
  };

  /** Pages in the order of the log: a position advances when its page and those before it are stored. */
  const pages: { place: string; next: number; stored: boolean }[] = [];
  const advance = (): void => {
    while (pages[0]?.stored) {
      const { place, next } = pages.shift()!;
      positions[place] = next;
    }
  };

  const started = performance.now();
  let events = 0;
  try {
    for (const [place, end] of Object.entries(ends)) {
      const [topic, partition] = place.split('/') as [Topic, string];
      if (!topics.includes(topic)) continue;
      const readFrom = (offset: number) =>
        patiently(() => log.read(topic, Number(partition), offset, Math.min(page, end - offset)), signal);
      let at = positions[place] ?? 0;
      let reading = at < end ? readFrom(at) : undefined;
      while (reading) {
        const records = (await reading).filter(({ offset }) => offset < end);
        if (records.length === 0) break;
        at = records.at(-1)!.offset + 1;
        reading = at < end ? readFrom(at) : undefined;
        // It may reject before it is awaited.
        reading?.catch(() => {});
        const entry = { place, next: at, stored: false };
        pages.push(entry);
        const before = new Set(pending);
        for (const request of engine.requests(await rowsOf(records))) await send(request);
        const own = [...pending].filter(one => !before.has(one));
        void Promise.all(own).then(() => {
          if (fault) return;
          entry.stored = true;
          advance();
        });
        events += records.length;
        check();
        yield events;
        if (throttle !== undefined) {
          const early = (events / throttle) * 1_000 - (performance.now() - started);
          if (early > 0) await pause(early, undefined, { signal });
        }
      }
    }
  } finally {
    await Promise.all(pending);
    // Positions of what was stored advance in a callback.
    await pause(0);
  }
  check();
}
