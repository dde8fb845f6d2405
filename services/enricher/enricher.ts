import { extractionId } from '../../projections/recall/identity.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import { type Decoded, type Event, encodeEvent } from '../events.ts';
import type { EventLog, KeyStore, LogRecord, NewRecord, Positions } from '../ports.ts';

/** Turns whose facts share an append. */
const STEP = 128;
const GROUP = 'enricher';

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
  log: Pick<EventLog, 'read' | 'ends' | 'append' | 'committed' | 'onAppend'>;
  keys: Pick<KeyStore, 'forSession'>;
  decode: (record: LogRecord) => Promise<Decoded>;
  extractor: Extractor;
  clock: () => number;
  onEnriched: (progress: { positions: Positions; turns: number }) => void;
  onTrouble: (error: unknown) => void;
}

export interface Enricher {
  close(): Promise<void>;
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

  const step = async (place: string, positions: Positions): Promise<boolean> => {
    const partition = Number(place.split('/')[1]);
    const records = await log.read('turns', partition, positions[place] ?? 0, STEP);
    if (records.length === 0) return false;
    const made: NewRecord[] = [];
    let turns = 0;
    for (const record of records) {
      const decoded = await decode(record);
      if (decoded.kind !== 'event' || decoded.event.type !== 'turn.recorded') continue;
      const event = decoded.event as Event<TurnRecorded>;
      if (!event.data.passive) continue;
      made.push(await enrich(event));
      turns++;
    }
    const next = records.at(-1)!.offset + 1;
    await log.append(made, { group: GROUP, positions: { [place]: next } });
    positions[place] = next;
    onEnriched({ positions: { ...positions }, turns });
    return records.length === STEP;
  };

  const run = async (): Promise<void> => {
    const positions = await log.committed(GROUP);
    const places = Object.keys(await log.ends()).filter(place => place.startsWith('turns/'));
    while (!closing) {
      const appended = new Promise<void>(resolve => (wake = resolve));
      let more = false;
      for (const place of places) {
        if (closing) return;
        const again = await step(place, positions).catch(async error => {
          onTrouble(error);
          await new Promise(resolve => setTimeout(resolve, 500));
          return true;
        });
        more ||= again;
      }
      if (!more && !closing) await appended;
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
