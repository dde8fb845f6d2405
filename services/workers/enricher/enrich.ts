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
 * The events to append for these records, in their order: one for each turn that is to be enriched. Rejects when
 * `signal` is aborted before all are made.
 */
export type Enrich = (records: readonly LogRecord[], signal: AbortSignal) => Promise<NewRecord[]>;

type Recorded = Event<TurnRecorded>;
type SealingKey = Pick<SessionKey, 'keyId' | 'sealing'>;

/** Makes the record, with the instant at which it is recorded: RFC 3339. */
type Seal = (recordedAt: string) => NewRecord;
/** A header of turns whose enrichment is in the log already: an import has both. */
export const ENRICHED = 'enriched';

/** decode → extract → seal. What can't be decoded is skipped here; the projector appends it to the dead letters. */
export const makeEnrich = ({ keys, decode, extractor, clock }: EnrichPorts): Enrich => {
  /** An unexpected fault is as final as giving up. Its kind alone is kept: its message may quote the turn. */
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
    // It may have given up because it was aborted: then the turn is delivered again.
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
    // First whatever an outage of ours can stop, so that it wastes no extractor's work.
    const turns: { event: Recorded; key: SealingKey }[] = [];
    for (const record of records) {
      if (record.headers[ENRICHED] !== undefined) continue;
      const decoded = await decode(record);
      if (decoded.kind !== 'event' || decoded.event.type !== 'turn.recorded') continue;
      const event = decoded.event as Recorded;
      if (!event.data.passive) continue;
      // The turn's own key, not the session's of today: what is made of an erased turn must be unreadable with it.
      const keyId = event.keyId!;
      const sealing = await keys.byId(keyId);
      if (sealing) turns.push({ event, key: { keyId, sealing } });
    }
    const seals = await Promise.all(turns.map(({ event, key }) => enrich(event, key, signal)));
    // The slowest of them may have taken minutes: what is appended now is recorded now.
    const recordedAt = new Date(clock()).toISOString();
    return seals.map(seal => seal(recordedAt));
  };
};
