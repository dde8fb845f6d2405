import { type Envelope, parseEnvelope, serialiseEnvelope } from '../schemas/events/envelope.ts';
import { type Registry, registry } from '../schemas/events/registry.ts';
import type { KeyStore, LogRecord, SessionKey, Topic } from './ports.ts';
import { open, seal } from './sealing.ts';

/**
 * Header of a copy that was requeued from the dead letters: the offset of the record, of the same partition, whose place
 * the copy takes. What is made of the copy is then what a repaired release makes of that record itself.
 */
export const PLACE_OF = 'place-of';

/** An event as projections see it: opened, validated, of the newest version, with its place in the log. */
export interface Event<T = unknown> {
  id: string;
  type: string;
  version: number;
  org_id: string;
  recorded_at: string;
  correlation_id: string;
  data: T;
  topic: Topic;
  partition: number;
  /** Its place in the partition's order; the first copy of an id is the one of the lowest. */
  offset: number;
  /** Of a requeued event, which has the place of another record: the offset that it was read at. */
  readAt?: number | undefined;
  /** Which attempt of admission appended it. */
  attempt?: string | undefined;
}

export interface NewEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  correlation_id: string;
  data: object;
}

/** What a sealed text is bound to. */
const associatedData = (event: { id: string; type: string; org_id: string }): string =>
  `${event.type}\n${event.id}\n${event.org_id}`;

/** The bytes of an event in the log; sealed when a key is given. */
export const encodeEvent = (event: NewEvent, key?: Pick<SessionKey, 'keyId' | 'sealing'>): Uint8Array => {
  const envelope: Envelope = {
    id: event.id,
    type: event.type,
    version: registry.currentVersion(event.type),
    org_id: event.org_id,
    recorded_at: event.recorded_at,
    correlation_id: event.correlation_id,
    key_id: key?.keyId ?? null,
    data: key
      ? seal(key.sealing, JSON.stringify(event.data), associatedData(event)).toString('base64')
      : event.data,
  };
  return serialiseEnvelope(envelope);
};

/**
 * A record's outcome: an event, `erased` (its key was destroyed: its words are gone, and that is right), or
 * poison with the step that refused it.
 */
export type Decoded =
  | { kind: 'event'; event: Event }
  | { kind: 'erased' }
  | { kind: 'poison'; step: 'parse' | 'open' | 'validate'; reason: string };

/** A place that isn't earlier than the record itself is none. */
const placeIn = ({ offset, headers }: LogRecord): Pick<Event, 'offset' | 'readAt'> => {
  const place = /^\d{1,15}$/.test(headers[PLACE_OF] ?? '') ? Number(headers[PLACE_OF]) : offset;
  return place < offset ? { offset: place, readAt: offset } : { offset };
};

/** `known`: another release's registry, for tests. */
export const makeDecode =
  (keys: Pick<KeyStore, 'byId'>, known: Registry = registry) =>
  async (record: LogRecord): Promise<Decoded> => {
    let parsed: unknown;
    try {
      parsed = parseEnvelope(record.value);
    } catch {
      return { kind: 'poison', step: 'parse', reason: 'not UTF-8 JSON' };
    }
    const envelope = known.checkEnvelope(parsed);
    if (!envelope.ok) return { kind: 'poison', step: 'validate', reason: envelope.reason };
    const { id, type, version, org_id, recorded_at, correlation_id, key_id, data } = envelope.value;

    let plain = data;
    if (key_id !== null) {
      const key = await keys.byId(key_id);
      if (!key) return { kind: 'erased' };
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
    const { topic, partition, headers } = record;
    return {
      kind: 'event',
      event: {
        id,
        type,
        version: known.currentVersion(type),
        org_id,
        recorded_at,
        correlation_id,
        data: checked.value,
        topic,
        partition,
        ...placeIn(record),
        attempt: headers.attempt,
      },
    };
  };
