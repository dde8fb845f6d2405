import type { MemoryErased } from '../../schemas/events/curation/erasure.ts';
import type { MemoryExpired } from '../../schemas/events/curation/expiry.ts';
import { type FrameHead, isFrame, parseEnvelope, splitFrame } from '../../schemas/events/envelope.ts';
import { type FrameType, type Registry, registry } from '../../schemas/events/registry.ts';
import type { KeyStore, LogRecord, Topic } from '../ports.ts';
import { associatedData, expiryIn } from './encode.ts';
import { open } from './keys/sealing.ts';
import { unpackBody } from './packed-body.ts';

/**
 * Header of a copy that was requeued from the dead letters: the offset of the original record in the same
 * partition or, as `1042/7`, of one event of that record. A repaired build projects the copy exactly as it
 * would project the original.
 */
export const ORIGINAL_OFFSET = 'original-offset';

/** An event as projections see it: decrypted, validated, of the newest version, with its log address. */
export interface Event<T = unknown> {
  id: string;
  type: string;
  version: number;
  org_id: string;
  recorded_at: string;
  correlation_id: string;
  /** The tokens that are billed for a turn. */
  tokens?: number | undefined;
  /** See `EventHead`. */
  facts?: number | undefined;
  stated?: true | undefined;
  /** When it expires, and the start of a retention period if that isn't `recorded_at` (envelope.ts). */
  expires_at?: string | undefined;
  kept_from?: string | undefined;
  /** The id of its sealing key; null when the event isn't sealed. */
  keyId: string | null;
  /** The id of the user's own key, where its record names it. */
  userKeyId?: string | undefined;
  /** The id of the API key whose call wrote it, where its record names one. */
  apiKey?: string | undefined;
  data: T;
  topic: Topic;
  partition: number;
  /** Its record's position in the partition; the first copy of an id has the lowest offset. */
  offset: number;
  /** Its index in its record; undefined in a record of one event. */
  index?: number | undefined;
  /** For a requeued event, whose `offset` is the original's: the offset at which it was read. */
  readAt?: number | undefined;
  /** The admission attempt that appended it. */
  attempt?: string | undefined;
}

/**
 * The outcome of decoding a record: its events; `erased` (their key was destroyed on purpose, so only the
 * clear part is left, without `data`); or poison, with the step that rejected it.
 */
export type Decoded =
  | { kind: 'events'; events: Event[] }
  | { kind: 'erased'; events: Event<undefined>[] }
  | { kind: 'poison'; step: 'parse' | 'open' | 'validate'; reason: string };

export type Decode = (record: LogRecord) => Promise<Decoded>;

/** Returns the organization that a record names; undefined for a record that isn't an envelope. */
export const organizationOf = ({ value }: Pick<LogRecord, 'value'>): string | undefined => {
  try {
    const org = (parseEnvelope(value) as { org_id?: unknown } | null)?.org_id;
    return typeof org === 'string' && org !== '' ? org : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns the offsets of a record's events. Ignores an `original-offset` header that isn't before the record
 * itself. `only`: index of the one event of the record that was set aside and is read again.
 */
const offsetsIn = ({
  offset,
  headers,
}: LogRecord): { offsets: Pick<Event, 'offset' | 'readAt'>; only?: number | undefined } => {
  const [, text, index] = /^(\d{1,15})(?:\/(\d{1,3}))?$/.exec(headers[ORIGINAL_OFFSET] ?? '') ?? [];
  const of = text === undefined ? offset : Number(text);
  if (of >= offset) return { offsets: { offset } };
  return { offsets: { offset: of, readAt: offset }, only: index === undefined ? undefined : Number(index) };
};

/** Returns the ids of the events of a parsed envelope or head. */
export const idsIn = (parsed: Record<string, unknown>): unknown[] =>
  Array.isArray(parsed.events)
    ? parsed.events.map(event => (event as { id?: unknown } | null)?.id)
    : [parsed.id];

/** Returns the number of events that a record names in the clear; 1 where it names none. */
export const eventsIn = (value: Uint8Array): number => {
  if (!isFrame(value)) return 1;
  try {
    return Math.max(1, idsIn(parseEnvelope(value) as Record<string, unknown>).length);
  } catch {
    return 1;
  }
};

/** Awaited before records are decoded one after the other, where preparing all at once is faster. */
export type Prepare = (records: readonly LogRecord[]) => Promise<void>;

/**
 * Opens the keys of all these records at once: one round trip per key in sequence would take long. The
 * decoder then finds them in the store's cache.
 */
export const openKeysOf = async (
  { byId }: Pick<KeyStore, 'byId'>,
  records: readonly LogRecord[],
): Promise<void> => {
  const ids = new Set<string>();
  for (const { value } of records) {
    try {
      const { key_id } = parseEnvelope(value) as { key_id?: unknown };
      if (typeof key_id === 'string') ids.add(key_id);
    } catch {
      // The decoder reports the fault.
    }
  }
  await Promise.all([...ids].map(byId));
};

/**
 * Decodes records. A reader that passes an erasure, or the end of an expired session, destroys the listed
 * keys before it decrypts the next record, so every reader, however late, gets the same result for later
 * records.
 *
 * @param known another build's registry, for tests
 */
export const makeDecode =
  (keys: Pick<KeyStore, 'byId' | 'destroyKeys'>, known: Registry = registry): Decode =>
  async record => {
    let parsed: unknown;
    try {
      parsed = parseEnvelope(record.value);
    } catch {
      return { kind: 'poison', step: 'parse', reason: 'not UTF-8 JSON' };
    }
    return isFrame(record.value)
      ? decodeFrame(keys, known, record, parsed)
      : decodeEvent(keys, known, record, parsed);
  };

const decodeEvent = async (
  keys: Pick<KeyStore, 'byId' | 'destroyKeys'>,
  known: Registry,
  record: LogRecord,
  parsed: unknown,
): Promise<Decoded> => {
  const envelope = known.checkEnvelope(parsed);
  if (!envelope.ok) return { kind: 'poison', step: 'validate', reason: envelope.reason };
  const { id, type, version, org_id, recorded_at, correlation_id, key_id, data } = envelope.value;
  const { topic, partition, headers } = record;
  const facts = {
    id,
    type,
    version: known.currentVersion(type),
    org_id,
    recorded_at,
    correlation_id,
    keyId: key_id,
    ...expiryIn(envelope.value),
    topic,
    partition,
    ...offsetsIn(record).offsets,
    attempt: headers.attempt,
  };

  let plain = data;
  if (key_id !== null) {
    const key = await keys.byId(key_id);
    if (!key) return { kind: 'erased', events: [{ ...facts, data: undefined }] };
    try {
      plain = JSON.parse(
        open(key, Buffer.from(String(data), 'base64'), associatedData(envelope.value)).toString(),
      );
    } catch {
      return { kind: 'poison', step: 'open', reason: 'data does not open under its key' };
    }
  }
  const checked = known.checkData(type, version, plain);
  if (!checked.ok) return { kind: 'poison', step: 'validate', reason: checked.reason };
  const event: Event = { ...facts, data: checked.value };
  if (type === 'memory.erased') await keys.destroyKeys((event.data as MemoryErased).key_ids);
  if (type === 'memory.expired') await keys.destroyKeys((event.data as MemoryExpired).key_ids, 'former');
  return { kind: 'events', events: [event] };
};

const decodeFrame = async (
  keys: Pick<KeyStore, 'byId'>,
  known: Registry,
  record: LogRecord,
  parsed: unknown,
): Promise<Decoded> => {
  const checked = known.checkHead(parsed);
  if (!checked.ok) return { kind: 'poison', step: 'validate', reason: checked.reason };
  const key = await keys.byId(checked.value.key_id);
  if (!key) return { kind: 'erased', events: eventsOf(known, record, checked.value, undefined) };
  let body: unknown;
  try {
    const { head, body: sealed } = splitFrame(record.value);
    body = unpackBody(open(key, sealed, head));
  } catch {
    return { kind: 'poison', step: 'open', reason: 'data does not open under its key' };
  }
  const data = known.checkBody(checked.value, body);
  if (!data.ok) return { kind: 'poison', step: 'validate', reason: data.reason };
  return { kind: 'events', events: eventsOf(known, record, checked.value, data.value) };
};

/** Returns the events of a frame with their data; without data when the key is destroyed. */
const eventsOf = <Data extends readonly object[] | undefined>(
  known: Registry,
  record: LogRecord,
  { events, frame, ...head }: FrameHead & { frame: FrameType },
  data: Data,
): Event<Data extends undefined ? undefined : unknown>[] => {
  const { topic, partition, headers } = record;
  const { offsets, only } = offsetsIn(record);
  const all = events.map((event, index) => {
    const type = frame.typeOf(index);
    return {
      id: event.id,
      type,
      version: known.currentVersion(type),
      org_id: head.org_id,
      recorded_at: event.recorded_at ?? head.recorded_at,
      correlation_id: head.correlation_id,
      keyId: head.key_id,
      userKeyId: head.user_key,
      ...(head.api_key !== undefined && { apiKey: head.api_key }),
      tokens: event.tokens,
      facts: event.facts,
      stated: event.stated,
      ...expiryIn(event),
      topic,
      partition,
      ...offsets,
      index,
      attempt: headers.attempt,
      data: data?.[index] as Data extends undefined ? undefined : unknown,
    };
  });
  return only === undefined ? all : all.filter(({ index }) => index === only);
};
