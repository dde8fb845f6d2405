import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { encodeEvent } from '../../../core/log/encode.ts';
import type { Decode } from '../../../core/log/events.ts';
import type { KeyStore, LogRecord, NewRecord, SessionKey } from '../../../core/ports.ts';
import { extractionId } from '../../../domain/identity/identity.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../../schemas/events/observations.ts';
import { extractedFrames } from './extracted-frames.ts';
import { EXPIRED, type Extracted, type Extractor, type SpokenTurn } from './extractor.ts';
import { type Heard, makeHearing, type Recorded } from './hearing.ts';

export interface EnrichPorts {
  keys: Pick<KeyStore, 'byId'>;
  decode: Decode;
  extractor: Extractor;
  /** Unix milliseconds. */
  clock: () => number;
}

export interface Enriched {
  records: NewRecord[];
  /** The turns that were enriched. */
  turns: number;
  /** The `traceparent` of each request whose turns these are, where its spans are exported. */
  links: string[];
}

/**
 * Returns the records to append for these records, in their order: what was extracted from the turns of one
 * is one record, and a turn that was given up one of its own. Rejects when `signal` is aborted before all are
 * made.
 */
export type Enrich = (records: readonly LogRecord[], signal: AbortSignal) => Promise<Enriched>;

type SealingKey = Pick<SessionKey, 'keyId' | 'userKeyId' | 'sealing'>;

/** The turns of a record that are to be enriched: all are of one session. */
interface Turns {
  events: Heard[];
  key: SealingKey;
  /** The trace of the request that wrote them; what is found in them goes on with it. */
  trace: { traceparent?: string };
}

/** An event to append: its id and its data. */
interface Made<Data> {
  id: string;
  /** Extracted data expires with its turn. */
  expires_at?: string | undefined;
  kept_from?: string | undefined;
  data: Data;
}

/** A header of turns whose enrichment is in the log already, because an import has both. */
export const ENRICHED = 'enriched';

/**
 * decode → extract → seal. Undecodable records are skipped here; the projector appends them to the dead
 * letters.
 */
export const makeEnrich = ({ keys, decode, extractor, clock }: EnrichPorts): Enrich => {
  /** An unexpected error is as final as giving up. Only its name is kept: its message may quote the turn. */
  const extract = async (turn: SpokenTurn, signal: AbortSignal): Promise<Extracted> => {
    if (turn.hasExpired?.()) return { givenUp: EXPIRED };
    try {
      return await extractor.extract(turn, signal);
    } catch (error) {
      signal.throwIfAborted();
      return { givenUp: `the extractor failed: ${error instanceof Error ? error.name : 'fault'}` };
    }
  };

  const enrich = async (
    { event, before, own }: Heard,
    signal: AbortSignal,
  ): Promise<Made<ObservationsExtracted | ExtractionFailed>> => {
    const { user_id, session_id, role, text, timestamp, utc_offset, metadata } = event.data;
    const id = extractionId(event.id, extractor.version);
    const of = { user_id, session_id, turn_id: event.id, extractor: extractor.version };
    const about = { ...of, ...(metadata && { metadata }) };
    const hasExpired = (): boolean =>
      event.expires_at !== undefined && Date.parse(event.expires_at) <= clock();
    const spoken = {
      role,
      text,
      timestamp: Date.parse(timestamp),
      utcOffset: utc_offset,
      before,
      own,
      hasExpired,
    };
    const extracted = await extract(spoken, signal);
    // It ends the turn's job, and reveals nothing of the turn's words.
    if (hasExpired()) return { id, data: { ...of, reason: EXPIRED } };
    if (!('givenUp' in extracted))
      return {
        id,
        ...(event.expires_at === undefined
          ? { kept_from: event.kept_from ?? event.recorded_at }
          : { expires_at: event.expires_at }),
        data: {
          ...about,
          role,
          timestamp,
          ...(utc_offset !== undefined && { utc_offset }),
          source: extractor.source,
          ...extracted,
        },
      };
    // The extractor may have given up because of the abort: then the turn is delivered again.
    signal.throwIfAborted();
    return { id, data: { ...about, reason: extracted.givenUp } };
  };

  const hearing = makeHearing();

  /** The turns to enrich, record by record. */
  const turnsOf = async (records: readonly LogRecord[]): Promise<Turns[]> => {
    const found: Turns[] = [];
    for (const record of records) {
      if (record.headers[ENRICHED] !== undefined) continue;
      const decoded = await decode(record);
      if (decoded.kind !== 'events') continue;
      const recorded = decoded.events.filter(({ type }) => type === 'turn.recorded') as Recorded[];
      const events = hearing(recorded).filter(({ event }) => event.data.passive);
      if (events.length === 0) continue;
      // Use the turns' own key, not the session's current one: erasing a turn must make its extractions
      // unreadable too.
      const { keyId, userKeyId } = events[0]!.event as Recorded & { keyId: string };
      const sealing = await keys.byId(keyId);
      const { traceparent } = record.headers;
      const trace = traceparent === undefined ? {} : { traceparent };
      if (sealing) found.push({ events, key: { keyId, userKeyId, sealing }, trace });
    }
    return found;
  };

  /**
   * All run at once. The rules extract without a wait: a page takes them up to 6 s, and the process has to
   * send heartbeats.
   */
  const enrichAll = async (
    events: readonly Heard[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Heard, Awaited<ReturnType<typeof enrich>>>> => {
    const yieldWhenDue = makeYieldWhenDue();
    const all: ReturnType<typeof enrich>[] = [];
    for (const event of events) {
      await yieldWhenDue();
      const one = enrich(event, signal);
      // It may reject before it is awaited.
      one.catch(() => {});
      all.push(one);
    }
    const made = await Promise.all(all);
    return new Map(events.map((event, i) => [event, made[i]!]));
  };

  return async (records, signal) => {
    // Do what an outage of our own stores can stop first, so that it wastes no extraction.
    const turns = await turnsOf(records);
    const made = await enrichAll(
      turns.flatMap(({ events }) => events),
      signal,
    );
    // Extraction may have taken minutes, so `recorded_at` is set just before the append.
    const recordedAt = new Date(clock()).toISOString();
    const makeRecords = (of: Turns): NewRecord[] =>
      recordsOf(
        of,
        of.events.map(event => made.get(event)!),
        recordedAt,
      );
    const links = new Set(turns.flatMap(({ trace: { traceparent = [] } }) => traceparent));
    return { records: turns.flatMap(makeRecords), turns: made.size, links: [...links] };
  };
};

const isExtracted = (
  made: Made<ObservationsExtracted | ExtractionFailed>,
): made is Made<ObservationsExtracted> => !('reason' in made.data);

/** @param recordedAt RFC 3339 */
const recordsOf = (
  { events, key, trace }: Turns,
  made: readonly Made<ObservationsExtracted | ExtractionFailed>[],
  recordedAt: string,
): NewRecord[] => {
  const [{ event }] = events as [Heard];
  const { org_id, correlation_id, data } = event;
  const common = { org_id, recorded_at: recordedAt, correlation_id };
  const record = (value: Uint8Array): NewRecord => ({
    topic: 'observations',
    key: JSON.stringify([org_id, data.user_id, data.session_id]),
    value,
    headers: { correlation_id, ...trace },
  });
  const extracted = extractedFrames(common, made.filter(isExtracted), key).map(record);
  const failed = made
    .filter(one => !isExtracted(one))
    .map(one => record(encodeEvent({ ...common, ...one, type: 'extraction.failed' }, key)));
  return [...extracted, ...failed];
};
