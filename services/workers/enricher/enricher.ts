import type { NewRecord, PolledLog, Positions } from '../../core/ports.ts';
import { type EnrichPorts, makeEnrich } from './enrich.ts';

/** Turns whose facts share an append. */
const STEP = 128;
const GROUP = 'enricher';
/** Between a fault and the next attempt. */
const PAUSE_MS = 500;

export interface EnricherPorts extends EnrichPorts {
  log: Pick<PolledLog, 'read' | 'ends' | 'append' | 'committed' | 'onAppend'>;
  /** Lets the work that somebody waits for go first: resolves when the next step may begin. */
  pace: (stepMs: number) => Promise<void>;
  onEnriched: (progress: { positions: Positions; turns: number }) => void;
  onTrouble: (error: unknown) => void;
}

export interface Enricher {
  /** Ends the step under way, or drops it where its extractor waits. */
  close(): Promise<void>;
}

/** Events to append, and the position after the turns that they were made of. */
interface Prepared {
  made: NewRecord[];
  next: number;
  more: boolean;
}

/**
 * fetch → extract → append observations → checkpoint, for a log that this process has to itself: the events and the
 * group's new position are one append.
 */
export const startEnricher = (ports: EnricherPorts): Enricher => {
  const { log, pace, onEnriched, onTrouble } = ports;
  const enrich = makeEnrich(ports);
  const step = Math.min(ports.extractor.atOnce ?? STEP, STEP);
  const closed = new AbortController();
  let closing = false;
  let wake: (() => void) | undefined;
  const stopListening = log.onAppend(() => wake?.());

  /** What the next turns of a partition come to; undefined when there are none. */
  const prepare = async (place: string, from: number): Promise<Prepared | undefined> => {
    const records = await log.read('turns', Number(place.split('/')[1]), from, step);
    if (records.length === 0) return undefined;
    const made = await enrich(records, closed.signal);
    return { made, next: records.at(-1)!.offset + 1, more: records.length === step };
  };

  const run = async (): Promise<void> => {
    let positions: Positions | undefined;
    let places: string[] | undefined;
    // While one append is made durable the next is prepared; it is sent when that one is, so that none is passed over.
    let appending: Promise<void> = Promise.resolve();
    const append = async (place: string, { made, next }: Prepared): Promise<void> => {
      await log.append(made, { group: GROUP, positions: { [place]: next } });
      onEnriched({ positions: { [place]: next }, turns: made.length });
    };

    /** One step over each partition; true when there may be more. */
    const pass = async (places: readonly string[], from: Positions): Promise<boolean> => {
      let more = false;
      for (const place of places) {
        if (closing) break;
        const started = performance.now();
        const prepared = await prepare(place, from[place] ?? 0);
        if (!prepared) continue;
        more ||= prepared.more;
        await appending;
        from[place] = prepared.next;
        appending = append(place, prepared);
        // Whoever awaits it next hears of a fault.
        appending.catch(() => {});
        await pace(performance.now() - started);
      }
      if (closing || !more) await appending;
      return more;
    };

    while (!closing) {
      const appended = new Promise<void>(resolve => (wake = resolve));
      try {
        places ??= Object.keys(await log.ends()).filter(place => place.startsWith('turns/'));
        positions ??= await log.committed(GROUP);
        if (!(await pass(places, positions)) && !closing) await appended;
      } catch (error) {
        if (!closing) onTrouble(error);
        // What the log has of the step under way tells where to begin again.
        await appending.catch(() => {});
        appending = Promise.resolve();
        positions = undefined;
        if (!closing) await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
      }
    }
  };

  const running = run().catch(onTrouble);
  return {
    close: async () => {
      closing = true;
      closed.abort();
      stopListening();
      wake?.();
      await running;
    },
  };
};
