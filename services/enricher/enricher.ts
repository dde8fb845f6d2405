import { extractionId } from '../../projections/recall/identity.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import { type Decoded, type Event, encodeEvent } from '../events.ts';
import type { KeyStore, LogRecord, NewRecord, PolledLog, Positions } from '../ports.ts';

/** Turns whose facts share an append. */
const STEP = 128;
const GROUP = 'enricher';
/** Between a fault and the next attempt. */
const PAUSE_MS = 500;

export interface Extractor {
  /** Name and version: part of the event's id. */
  version: string;
  source: 'rules' | 'llm';
  extract(turn: { role: string; text: string; timestamp: number }): Promise<Extraction> | Extraction;
}

export interface Extraction {
  observations: { text: string }[];
  entities: { label: string; kind: string }[];
}

export interface EnricherPorts {
  log: Pick<PolledLog, 'read' | 'ends' | 'append' | 'committed' | 'onAppend'>;
  keys: Pick<KeyStore, 'forSession'>;
  decode: (record: LogRecord) => Promise<Decoded>;
  extractor: Extractor;
  clock: () => number;
  /** Lets the work that somebody waits for go first: resolves when the next step may begin. */
  pace: (stepMs: number) => Promise<void>;
  onEnriched: (progress: { positions: Positions; turns: number }) => void;
  onTrouble: (error: unknown) => void;
}

export interface Enricher {
  close(): Promise<void>;
}

/** Events to append, and the position after the turns that they were made of. */
interface Prepared {
  made: NewRecord[];
  next: number;
  more: boolean;
}

/**
 * fetch → extract → append observations → checkpoint: the events and the group's new position are one append. What
 * can't be decoded is passed over here; the projector has it in the dead letters.
 */
export const startEnricher = ({
  log,
  keys,
  decode,
  extractor,
  clock,
  pace,
  onEnriched,
  onTrouble,
}: EnricherPorts): Enricher => {
  let closing = false;
  let wake: (() => void) | undefined;
  const stopListening = log.onAppend(() => wake?.());

  const enrich = async (event: Event<TurnRecorded>): Promise<NewRecord> => {
    const { user_id, session_id, role, text, timestamp } = event.data;
    const id = extractionId(event.id, extractor.version);
    const about = { user_id, session_id, turn_id: event.id, extractor: extractor.version };
    const key = await keys.forSession(event.org_id, user_id, session_id);
    let type = 'observations.extracted';
    let data: ObservationsExtracted | ExtractionFailed;
    try {
      const extraction = await extractor.extract({ role, text, timestamp: Date.parse(timestamp) });
      data = { ...about, role, timestamp, source: extractor.source, ...extraction };
    } catch (error) {
      type = 'extraction.failed';
      // The kind of fault alone: an extractor's message may quote the turn.
      data = { ...about, reason: `the extractor failed: ${error instanceof Error ? error.name : 'fault'}` };
    }
    const { org_id, correlation_id } = event;
    const recorded_at = new Date(clock()).toISOString();
    return {
      topic: 'observations',
      key: JSON.stringify([org_id, user_id, session_id]),
      value: encodeEvent({ id, type, org_id, recorded_at, correlation_id, data }, key),
      headers: { correlation_id },
    };
  };

  /** What the next turns of a partition come to; undefined when there are none. */
  const prepare = async (place: string, from: number): Promise<Prepared | undefined> => {
    const records = await log.read('turns', Number(place.split('/')[1]), from, STEP);
    if (records.length === 0) return undefined;
    const made: NewRecord[] = [];
    for (const record of records) {
      const decoded = await decode(record);
      if (decoded.kind !== 'event' || decoded.event.type !== 'turn.recorded') continue;
      const event = decoded.event as Event<TurnRecorded>;
      if (event.data.passive) made.push(await enrich(event));
    }
    return { made, next: records.at(-1)!.offset + 1, more: records.length === STEP };
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
        onTrouble(error);
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
      stopListening();
      wake?.();
      await running;
    },
  };
};
