import type { Decode, Event } from '../../../core/log/events.ts';
import type { KeyStore, LogRecord, NewRecord, SessionKey } from '../../../core/ports.ts';
import { embeddingId } from '../../../domain/identity/identity.ts';
import { joinedVectors } from '../../../domain/search/vectors.ts';
import { hiddenBy } from '../../../schemas/events/curation/retraction.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { EmbedTurns } from './embed-turns.ts';
import { embeddedFrames } from './embedded-frames.ts';
import { makeTurnsBefore } from './turn-before.ts';

export interface EmbedPorts {
  keys: Pick<KeyStore, 'byId'>;
  decode: Decode;
  embedTurns: EmbedTurns;
  model: string;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * A header of turns whose vectors are in the log already, because an import has both: the models, with commas
 * between them.
 */
export const EMBEDDED = 'embedded';

type Recorded = Event<TurnRecorded>;

interface Turns {
  events: Recorded[];
  key: Pick<SessionKey, 'keyId' | 'sealing'>;
}

/**
 * decode → embed → seal. Returns the records to append for these records, in their order: the vectors of the
 * turns of one are one record. Rejects when `signal` is aborted before all are made.
 */
export const makeEmbed = ({ keys, decode, embedTurns, model, clock }: EmbedPorts) => {
  const turnsBefore = makeTurnsBefore();
  const hasExpired = ({ expires_at }: Recorded): boolean =>
    expires_at !== undefined && Date.parse(expires_at) <= clock();
  /**
   * Turns that are recalled and may be enriched: the words of others go nowhere, and neither do those that
   * have expired.
   */
  const isWanted = (event: Recorded): boolean =>
    event.data.active && event.data.passive && !hasExpired(event);

  const eventsOf = async (record: LogRecord): Promise<Event[]> => {
    if (record.headers[EMBEDDED]?.split(',').includes(model)) return [];
    const decoded = await decode(record);
    return decoded.kind === 'events' ? decoded.events : [];
  };

  const turnsOf = async (all: readonly Event[], hidden: ReadonlySet<string>): Promise<Turns[]> => {
    const recorded = all.filter(({ type, id }) => type === 'turn.recorded' && !hidden.has(id)) as Recorded[];
    const events = recorded.filter(isWanted);
    if (events.length === 0) return [];
    // The turns' own key, as for what is extracted from them.
    const keyId = events[0]!.keyId!;
    const sealing = await keys.byId(keyId);
    return sealing ? [{ events, key: { keyId, sealing } }] : [];
  };

  return async (
    records: readonly LogRecord[],
    signal: AbortSignal,
  ): Promise<{ records: NewRecord[]; turns: number }> => {
    const read: Event[][] = [];
    for (const record of records) read.push(await eventsOf(record));
    const hidden = new Set(read.flat().flatMap(({ id }) => hiddenBy(id) ?? []));
    const all: Turns[] = [];
    for (const each of read) all.push(...(await turnsOf(each, hidden)));
    const events = all.flatMap(({ events }) => events);
    const before = turnsBefore(events, hidden);
    const vectors = await embedTurns(
      events.map((event, i) => ({
        turn: event.data,
        before: before[i] && { ...before[i], hasExpired: () => before[i]!.expires <= clock() },
        hasExpired: () => hasExpired(event),
      })),
      signal,
    );
    const found = new Map(events.map((event, i) => [event, vectors[i]]));
    // Asking may have taken minutes.
    const recordedAt = new Date(clock()).toISOString();
    return {
      records: all.flatMap(turns => recordsOf(turns, found, model, recordedAt)),
      turns: events.length,
    };
  };
};

/** @param recordedAt RFC 3339 */
const recordsOf = (
  { events, key }: Turns,
  found: ReadonlyMap<Recorded, readonly Int8Array[] | undefined>,
  model: string,
  recordedAt: string,
): NewRecord[] => {
  const [{ org_id, correlation_id, data }] = events as [Recorded];
  const made = events.flatMap(event => {
    const vectors = found.get(event);
    if (!vectors || vectors.length === 0) return [];
    const { user_id, session_id } = event.data;
    const embedded: TurnEmbedded = {
      user_id,
      session_id,
      turn_id: event.id,
      model,
      dimensions: vectors[0]!.length,
      vectors: Buffer.from(joinedVectors(vectors)).toString('base64'),
    };
    const { expires_at, kept_from, recorded_at } = event;
    return [
      { id: embeddingId(event.id, model), expires_at, kept_from: kept_from ?? recorded_at, data: embedded },
    ];
  });
  const head = { org_id, recorded_at: recordedAt, correlation_id };
  return embeddedFrames(head, made, key).map(value => ({
    topic: 'observations',
    key: JSON.stringify([org_id, data.user_id, data.session_id]),
    value,
    headers: { correlation_id },
  }));
};
