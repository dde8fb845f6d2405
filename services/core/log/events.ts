import {
  type Envelope,
  parseEnvelope,
  serialiseEnvelope,
  serialiseSealedEnvelope,
} from '../../../schemas/events/envelope.ts';
import type { MemoryErased } from '../../../schemas/events/erasure.ts';
import { type Registry, registry } from '../../../schemas/events/registry.ts';
import type { KeyStore, LogRecord, SessionKey, Topic } from '../ports.ts';
import { open, seal } from './sealing.ts';

/**
 * Header of a copy that was requeued from the dead letters: the offset of the record in the same partition that the copy
 * replaces. A repaired release projects the copy exactly as it would project that record.
 */
export const PLACE_OF = 'place-of';

/** An event as projections see it: decrypted, validated, of the newest version, with its place in the log. */
export interface Event<T = unknown> {
  id: string;
  type: string;
  version: number;
  org_id: string;
  recorded_at: string;
  correlation_id: string;
  /** The tokens that a turn is billed. */
  tokens?: number | undefined;
  /** Its envelope has no token counts: they are encrypted with the text. */
  tokensSealed?: true;
  /** The id of its sealing key; null when the event isn't sealed. */
  keyId: string | null;
  data: T;
  topic: Topic;
  partition: number;
  /** Its place in the partition's order; of several copies of an id, the one with the lowest offset is the first. */
  offset: number;
  /** Of a requeued event, which takes the place of another record: the offset at which it was read. */
  readAt?: number | undefined;
  /** The admission attempt that appended it. */
  attempt?: string | undefined;
}

export interface NewEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  correlation_id: string;
  tokens?: number;
  data: object;
}

/** The associated data of a sealed text. */
const associatedData = (event: Pick<NewEvent, 'id' | 'type' | 'org_id' | 'tokens'>): string =>
  `${event.type}\n${event.id}\n${event.org_id}${event.tokens === undefined ? '' : `\n${event.tokens}`}`;

/** The bytes of an event in the log, sealed if a key is given. */
export const encodeEvent = (event: NewEvent, key?: Pick<SessionKey, 'keyId' | 'sealing'>): Uint8Array => {
  const envelope: Omit<Envelope, 'data'> = {
    id: event.id,
    type: event.type,
    version: registry.currentVersion(event.type),
    org_id: event.org_id,
    recorded_at: event.recorded_at,
    correlation_id: event.correlation_id,
    key_id: key?.keyId ?? null,
    ...(event.tokens === undefined ? {} : { tokens: event.tokens }),
  };
  if (!key) return serialiseEnvelope({ ...envelope, data: event.data });
  return serialiseSealedEnvelope(
    envelope,
    seal(key.sealing, JSON.stringify(event.data), associatedData(event)),
  );
};

/**
 * The outcome of decoding a record: an event; `erased` (its key was destroyed on purpose, so only its envelope is left,
 * without `data`); or poison, with the step that rejected it.
 */
export type Decoded =
  | { kind: 'event'; event: Event }
  | { kind: 'erased'; event: Event<undefined> }
  | { kind: 'poison'; step: 'parse' | 'open' | 'validate'; reason: string };

export type Decode = (record: LogRecord) => Promise<Decoded>;

/** The organization that a record names; undefined for one that isn't an envelope. */
export const organizationOf = ({ value }: Pick<LogRecord, 'value'>): string | undefined => {
  try {
    const org = (parseEnvelope(value) as { org_id?: unknown } | null)?.org_id;
    return typeof org === 'string' && org !== '' ? org : undefined;
  } catch {
    return undefined;
  }
};

/** Ignores a place that isn't before the record itself. */
const placeIn = ({ offset, headers }: LogRecord): Pick<Event, 'offset' | 'readAt'> => {
  const place = /^\d{1,15}$/.test(headers[PLACE_OF] ?? '') ? Number(headers[PLACE_OF]) : offset;
  return place < offset ? { offset: place, readAt: offset } : { offset };
};

/**
 * Decodes records. A reader that passes an erasure destroys the listed keys before it decrypts the next record, so every
 * reader, however late, gets the same result for later records.
 *
 * @param known another release's registry, for tests
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
    const envelope = known.checkEnvelope(parsed);
    if (!envelope.ok) return { kind: 'poison', step: 'validate', reason: envelope.reason };
    const { id, type, version, org_id, recorded_at, correlation_id, key_id, tokens, data } = envelope.value;
    const { topic, partition, headers } = record;
    const facts = {
      id,
      type,
      version: known.currentVersion(type),
      org_id,
      recorded_at,
      correlation_id,
      keyId: key_id,
      tokens,
      topic,
      partition,
      ...placeIn(record),
      attempt: headers.attempt,
    };

    let plain = data;
    if (key_id !== null) {
      const key = await keys.byId(key_id);
      if (!key) return { kind: 'erased', event: { ...facts, data: undefined } };
      try {
        plain = JSON.parse(
          open(key, Buffer.from(String(data), 'base64'), associatedData(envelope.value)).toString(),
        );
      } catch {
        return { kind: 'poison', step: 'open', reason: 'data does not open under its key' };
      }
    }
    const checked = known.checkData(type, version, { data: plain, tokens });
    if (!checked.ok) return { kind: 'poison', step: 'validate', reason: checked.reason };
    const event: Event = { ...facts, ...checked.value };
    if (tokens === undefined && event.tokens !== undefined) event.tokensSealed = true;
    if (type === 'memory.erased') await keys.destroyKeys((event.data as MemoryErased).key_ids);
    return { kind: 'event', event };
  };
