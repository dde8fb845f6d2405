import { extractionId } from '../../projections/recall/identity.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import { type Decoded, type Event, encodeEvent } from '../events.ts';
import type { KeyStore, LogRecord, NewRecord } from '../ports.ts';

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

export interface EnrichPorts {
  keys: Pick<KeyStore, 'forSession'>;
  decode: (record: LogRecord) => Promise<Decoded>;
  extractor: Extractor;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The events to append for these records: one for each turn that is to be enriched. */
export type Enrich = (records: readonly LogRecord[]) => Promise<NewRecord[]>;

/** decode → extract → seal. What can't be decoded is passed over here; the projector has it in the dead letters. */
export const makeEnrich = ({ keys, decode, extractor, clock }: EnrichPorts): Enrich => {
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

  return async records => {
    const made: NewRecord[] = [];
    for (const record of records) {
      const decoded = await decode(record);
      if (decoded.kind !== 'event' || decoded.event.type !== 'turn.recorded') continue;
      const event = decoded.event as Event<TurnRecorded>;
      if (event.data.passive) made.push(await enrich(event));
    }
    return made;
  };
};
