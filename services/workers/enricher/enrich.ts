import { extractionId } from '../../../projections/recall/identity.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import { type Decode, type Event, encodeEvent } from '../../core/log/events.ts';
import type { KeyStore, LogRecord, NewRecord, SessionKey } from '../../core/ports.ts';
import type { Extracted, Extractor, SpokenTurn } from './extractor.ts';

export interface EnrichPorts {
  keys: Pick<KeyStore, 'byId'>;
  decode: Decode;
  extractor: Extractor;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Returns the events to append for these records, in their order: one for each turn that is to be enriched. Rejects when
 * `signal` is aborted before all are made.
 */
export type Enrich = (records: readonly LogRecord[], signal: AbortSignal) => Promise<NewRecord[]>;

type Recorded = Event<TurnRecorded>;
type SealingKey = Pick<SessionKey, 'keyId' | 'sealing'>;

/** Makes the record. `recordedAt` is RFC 3339. */
type Seal = (recordedAt: string) => NewRecord;
/** A header of turns whose enrichment is in the log already, because an import has both. */
export const ENRICHED = 'enriched';

/** decode → extract → seal. Undecodable records are skipped here; the projector appends them to the dead letters. */
export const makeEnrich = ({ keys, decode, extractor, clock }: EnrichPorts): Enrich => {
  /** An unexpected error is as final as giving up. Only its name is kept: its message may quote the turn. */
  const extract = async (turn: SpokenTurn, signal: AbortSignal): Promise<Extracted> => {
    try {
      return await extractor.extract(turn, signal);
    } catch (error) {
      signal.throwIfAborted();
      return { givenUp: `the extractor failed: ${error instanceof Error ? error.name : 'fault'}` };
    }
  };

  const enrich = async (event: Recorded, key: SealingKey, signal: AbortSignal): Promise<Seal> => {
    const { user_id, session_id, role, text, timestamp } = event.data;
    const id = extractionId(event.id, extractor.version);
    const about = { user_id, session_id, turn_id: event.id, extractor: extractor.version };
    const turn = { role, text, timestamp: Date.parse(timestamp) };
    const extracted = await extract(turn, signal);
    const hasFailed = 'givenUp' in extracted;
    // The extractor may have given up because of the abort: then the turn is delivered again.
    if (hasFailed) signal.throwIfAborted();
    const type = hasFailed ? 'extraction.failed' : 'observations.extracted';
    const data: ObservationsExtracted | ExtractionFailed = hasFailed
      ? { ...about, reason: extracted.givenUp }
      : { ...about, role, timestamp, source: extractor.source, ...extracted };
    const { org_id, correlation_id } = event;
    return recorded_at => ({
      topic: 'observations',
      key: JSON.stringify([org_id, user_id, session_id]),
      value: encodeEvent({ id, type, org_id, recorded_at, correlation_id, data }, key),
      headers: { correlation_id },
    });
  };

  return async (records, signal) => {
    // Do what an outage of our own stores can stop first, so that it wastes no extraction.
    const turns: { event: Recorded; key: SealingKey }[] = [];
    for (const record of records) {
      if (record.headers[ENRICHED] !== undefined) continue;
      const decoded = await decode(record);
      if (decoded.kind !== 'event' || decoded.event.type !== 'turn.recorded') continue;
      const event = decoded.event as Recorded;
      if (!event.data.passive) continue;
      // Use the turn's own key, not the session's current one: erasing the turn must make its extractions unreadable too.
      const keyId = event.keyId!;
      const sealing = await keys.byId(keyId);
      if (sealing) turns.push({ event, key: { keyId, sealing } });
    }
    const seals = await Promise.all(turns.map(({ event, key }) => enrich(event, key, signal)));
    // Extraction may have taken minutes, so `recorded_at` is set just before the append.
    const recordedAt = new Date(clock()).toISOString();
    return seals.map(seal => seal(recordedAt));
  };
};
