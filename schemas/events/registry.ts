import { Ajv, type ValidateFunction } from 'ajv';
import { type TurnsEmbedded, turnsEmbeddedEvents, turnsEmbeddedSchema } from './embeddings.ts';
import { type Envelope, envelopeSchema, type FrameHead, frameHeadSchema } from './envelope.ts';
import { EVENT_TYPES, type EventTypes, type Version } from './event-types.ts';
import {
  type ObservationsOfTurns,
  observationsOfTurnsEvents,
  observationsOfTurnsSchema,
} from './observations.ts';
import { type TurnsRecorded, turnsRecordedEvents, turnsRecordedSchema } from './turns.ts';

/** A record of several events with one sealed body. */
export interface FrameType {
  /** Versions of the body. Version n has index n - 1. */
  versions: readonly Version[];
  /** The type of the event at an index. */
  typeOf(index: number): string;
  /** The data of each event in a body of the newest version. `ids`: those of the events in the head. */
  eventsOf(body: never, ids: readonly string[]): object[];
}

export type FrameTypes = Readonly<Record<string, FrameType>>;

/**
 * Every type of a frame with its versions' schemas and upcasters. A released version is never removed
 * (test/golden).
 */
export const FRAME_TYPES: FrameTypes = {
  'turns.recorded': {
    versions: [{ schema: turnsRecordedSchema }],
    typeOf: index => (index === 0 ? 'write.accepted' : 'turn.recorded'),
    eventsOf: (body: TurnsRecorded, ids) => turnsRecordedEvents(body, ids),
  },
  'observations.extracted': {
    versions: [{ schema: observationsOfTurnsSchema }],
    typeOf: () => 'observations.extracted',
    eventsOf: (body: ObservationsOfTurns) => observationsOfTurnsEvents(body),
  },
  'turns.embedded': {
    versions: [{ schema: turnsEmbeddedSchema }],
    typeOf: () => 'turn.embedded',
    eventsOf: (body: TurnsEmbedded) => turnsEmbeddedEvents(body),
  },
};

const ajv = new Ajv({
  strict: true,
  allErrors: false,
  validateSchema: false,
  strictTypes: false,
  allowUnionTypes: true,
});
/**
 * Compiles on a thread's first use of the schema (Ajv caches the result), without checking it against the
 * metaschema. Compiling and checking early would add a tenth of a second to every thread's start.
 */
const validatorOf = (schema: object): ValidateFunction => ajv.compile(schema);

/** The path and rule of the fault; never the value. */
const faultOf = (validate: ValidateFunction): string => {
  const [first] = validate.errors ?? [];
  return `${first?.instancePath || '/'} ${first?.keyword ?? 'schema'}`;
};

export type Checked<T> = { ok: true; value: T } | { ok: false; reason: string };

/** Validates against the schema of the version that it was written in, then upcasts to the newest. */
const newestOf = (versions: readonly Version[], version: number, written: unknown): Checked<unknown> => {
  const validate = validatorOf(versions[version - 1]!.schema);
  if (!validate(written)) return { ok: false, reason: `data: ${faultOf(validate)}` };
  const value = versions
    .slice(version - 1)
    .reduce((older, { upcast }) => (upcast ? upcast(older as never) : older), written);
  return { ok: true, value };
};

/** Only own members: `constructor` is not a type. */
const own = <T>(types: Readonly<Record<string, T>>, type: string): T | undefined =>
  Object.hasOwn(types, type) ? types[type] : undefined;

/** The event types and versions that a release supports. */
export interface Registry {
  /** Checks that a parsed record is an envelope of a known type and version. */
  checkEnvelope(value: unknown): Checked<Envelope>;
  /** Validates an event's data; returns it as the newest version has it. */
  checkData(type: string, version: number, data: unknown): Checked<unknown>;
  /** Checks that the parsed clear part of a frame is of a known type and version. */
  checkHead(value: unknown): Checked<FrameHead & { frame: FrameType }>;
  /** Validates the body of a frame; returns the data of its events as the newest version has it. */
  checkBody(head: FrameHead & { frame: FrameType }, body: unknown): Checked<object[]>;
  /** The version of an event that this release writes. */
  currentVersion(type: string): number;
  /** The version of a frame that this release writes. */
  currentFrame(type: string): number;
}

export const makeRegistry = (types: EventTypes, frames: FrameTypes = FRAME_TYPES): Registry => ({
  checkEnvelope: value => {
    const validateEnvelope = validatorOf(envelopeSchema);
    if (!validateEnvelope(value)) return { ok: false, reason: `envelope: ${faultOf(validateEnvelope)}` };
    const envelope = value as unknown as Envelope;
    const type = own(types, envelope.type);
    if (!type || type.stored === 'framed') return { ok: false, reason: 'unknown event type' };
    if (!type.versions[envelope.version - 1]) return { ok: false, reason: 'unknown event version' };
    if ((type.stored === 'sealed') !== (envelope.key_id !== null))
      return { ok: false, reason: 'sealed and plain are swapped' };
    return { ok: true, value: envelope };
  },
  checkData: (type, version, data) => newestOf(types[type]!.versions, version, data),
  checkHead: value => {
    const validate = validatorOf(frameHeadSchema);
    if (!validate(value)) return { ok: false, reason: `envelope: ${faultOf(validate)}` };
    const head = value as FrameHead;
    const frame = own(frames, head.type);
    if (!frame) return { ok: false, reason: 'unknown event type' };
    if (!frame.versions[head.version - 1]) return { ok: false, reason: 'unknown event version' };
    // Turns alone are billed.
    const isBilled = head.events.every(
      ({ tokens }, i) => (tokens !== undefined) === (frame.typeOf(i) === 'turn.recorded'),
    );
    if (!isBilled) return { ok: false, reason: 'envelope: /events tokens' };
    return { ok: true, value: { ...head, frame } };
  },
  checkBody: ({ events, frame, version }, body) => {
    const newest = newestOf(frame.versions, version, body);
    if (!newest.ok) return newest;
    const ids = events.map(({ id }) => id);
    const data = frame.eventsOf(newest.value as never, ids);
    return data.length === ids.length
      ? { ok: true, value: data }
      : { ok: false, reason: 'data: /turns not as many as events' };
  },
  currentVersion: type => types[type]!.versions.length,
  currentFrame: type => frames[type]!.versions.length,
});

/** The registry of this release. */
export const registry = makeRegistry(EVENT_TYPES);
