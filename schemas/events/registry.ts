import { Ajv, type ValidateFunction } from 'ajv';
import { accountEventSchemas, apiKeyCreatedV1 } from './accounts.ts';
import { entityCorrectedSchema, sessionTitledSchema } from './correction.ts';
import {
  type TurnsEmbedded,
  turnEmbeddedSchema,
  turnsEmbeddedEvents,
  turnsEmbeddedSchema,
} from './embeddings.ts';
import { type Envelope, envelopeSchema, type FrameHead, frameHeadSchema } from './envelope.ts';
import { memoryErasedSchema } from './erasure.ts';
import { memoryExpiredSchema } from './expiry.ts';
import {
  extractionFailedSchema,
  type ObservationsOfTurns,
  observationsExtractedSchema,
  observationsOfTurnsEvents,
  observationsOfTurnsSchema,
} from './observations.ts';
import { memoryRetractedSchema } from './retraction.ts';
import {
  type TurnsRecorded,
  turnRecordedEnvelope,
  turnRecordedSchema,
  turnRecordedSchemaV1,
  turnsRecordedEvents,
  turnsRecordedSchema,
  writeAcceptedSchema,
} from './turns.ts';
import { recallMeteredSchema } from './usage.ts';

export interface EventVersion {
  /** Schema of `data` after unsealing. */
  schema: object;
  /** Additional envelope schema, if this version's envelope has more than the common members. */
  envelope?: object;
  /** Converts this version's body to the next version; undefined in the newest version. */
  upcast?: (older: EventBody) => EventBody;
}

/** The versioned part of an event. */
export interface EventBody {
  data: unknown;
  /** A turn's billed tokens, from the plain envelope. */
  tokens?: number | undefined;
}

export interface EventType {
  /** Version n has index n - 1. */
  versions: readonly EventVersion[];
  sealed: boolean;
}

/** Version 1 sealed the tokens together with the rest of the data. */
const tokensToEnvelope = ({ data }: EventBody): EventBody => {
  const { tokens, ...rest } = data as { tokens: number };
  return { data: rest, tokens };
};

/** Version 1 knew no strict keys. */
const notStrict = ({ data, ...rest }: EventBody): EventBody => ({
  ...rest,
  data: { ...(data as object), strict: false },
});

/** Version 1 also lists keys that are destroyed with the user's: to destroy them once more changes nothing. */
const listsMoreKeys = (body: EventBody): EventBody => body;

/**
 * Every event type with its versions' schemas and upcasters. A released version is never removed
 * (test/golden).
 */
export const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  'write.accepted': { versions: [{ schema: writeAcceptedSchema }], sealed: true },
  'turn.recorded': {
    versions: [
      { schema: turnRecordedSchemaV1, upcast: tokensToEnvelope },
      { schema: turnRecordedSchema, envelope: turnRecordedEnvelope },
    ],
    sealed: true,
  },
  'observations.extracted': { versions: [{ schema: observationsExtractedSchema }], sealed: true },
  'extraction.failed': { versions: [{ schema: extractionFailedSchema }], sealed: true },
  'turn.embedded': { versions: [{ schema: turnEmbeddedSchema }], sealed: true },
  'memory.erased': {
    versions: [{ schema: memoryErasedSchema, upcast: listsMoreKeys }, { schema: memoryErasedSchema }],
    sealed: false,
  },
  'memory.expired': { versions: [{ schema: memoryExpiredSchema }], sealed: false },
  'memory.retracted': { versions: [{ schema: memoryRetractedSchema }], sealed: true },
  'entity.corrected': { versions: [{ schema: entityCorrectedSchema }], sealed: true },
  'session.titled': { versions: [{ schema: sessionTitledSchema }], sealed: true },
  'recall.metered': { versions: [{ schema: recallMeteredSchema }], sealed: false },
  ...Object.fromEntries(
    Object.entries(accountEventSchemas).map(([type, schema]) => [
      type,
      { versions: [{ schema }], sealed: false },
    ]),
  ),
  'api_key.created': {
    versions: [
      { schema: apiKeyCreatedV1, upcast: notStrict },
      { schema: accountEventSchemas['api_key.created'] },
    ],
    sealed: false,
  },
};

export interface FrameVersion {
  /** Schema of the body after unsealing. */
  schema: object;
  /** The type of the event at an index. Its data has the newest version of that type. */
  typeOf(index: number): string;
  /** Whether the event at an index says in the clear what it bills. */
  hasTokens(index: number): boolean;
  /** The data of each event. `ids`: those of the events in the head. */
  eventsOf(body: never, ids: readonly string[]): object[];
}

/**
 * Every type of a frame by its versions. Version 1 of `observations.extracted` is an event of its own. A released version
 * is never removed (test/golden).
 */
export const FRAME_TYPES: Readonly<Record<string, Readonly<Record<number, FrameVersion>>>> = {
  'turns.recorded': {
    1: {
      schema: turnsRecordedSchema,
      typeOf: index => (index === 0 ? 'write.accepted' : 'turn.recorded'),
      hasTokens: index => index > 0,
      eventsOf: (body: TurnsRecorded, ids) => turnsRecordedEvents(body, ids),
    },
  },
  'observations.extracted': {
    2: {
      schema: observationsOfTurnsSchema,
      typeOf: () => 'observations.extracted',
      hasTokens: () => false,
      eventsOf: (body: ObservationsOfTurns) => observationsOfTurnsEvents(body),
    },
  },
  'turns.embedded': {
    1: {
      schema: turnsEmbeddedSchema,
      typeOf: () => 'turn.embedded',
      hasTokens: () => false,
      eventsOf: (body: TurnsEmbedded) => turnsEmbeddedEvents(body),
    },
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
 * Compiles on a thread's first use of the schema (Ajv caches the result), without checking it against the metaschema.
 * Compiling and checking early would add a tenth of a second to every thread's start.
 */
const validatorOf = (schema: object): ValidateFunction => ajv.compile(schema);

/** The path and rule of the fault; never the value. */
const faultOf = (validate: ValidateFunction): string => {
  const [first] = validate.errors ?? [];
  return `${first?.instancePath || '/'} ${first?.keyword ?? 'schema'}`;
};

export type Checked<T> = { ok: true; value: T } | { ok: false; reason: string };

/** The event types and versions that a release supports. */
export interface Registry {
  /** Checks that a parsed record is an envelope of a known type and version. */
  checkEnvelope(value: unknown): Checked<Envelope>;
  /** Validates `data` against the schema of its own version, then upcasts the body to the newest. */
  checkData(type: string, version: number, body: EventBody): Checked<EventBody>;
  /** The version that this release writes. */
  currentVersion(type: string): number;
}

export const makeRegistry = (types: Readonly<Record<string, EventType>>): Registry => ({
  checkEnvelope: value => {
    const validateEnvelope = validatorOf(envelopeSchema);
    if (!validateEnvelope(value)) return { ok: false, reason: `envelope: ${faultOf(validateEnvelope)}` };
    const envelope = value as unknown as Envelope;
    // Only own members: `constructor` is not an event type.
    const type = Object.hasOwn(types, envelope.type) ? types[envelope.type] : undefined;
    if (!type) return { ok: false, reason: 'unknown event type' };
    const version = type.versions[envelope.version - 1];
    if (!version) return { ok: false, reason: 'unknown event version' };
    if (type.sealed !== (envelope.key_id !== null))
      return { ok: false, reason: 'sealed and plain are swapped' };
    const validateMore = version.envelope && validatorOf(version.envelope);
    if (validateMore && !validateMore(value))
      return { ok: false, reason: `envelope: ${faultOf(validateMore)}` };
    return { ok: true, value: envelope };
  },
  checkData: (type, version, body) => {
    const { versions } = types[type]!;
    const validate = validatorOf(versions[version - 1]!.schema);
    if (!validate(body.data)) return { ok: false, reason: `data: ${faultOf(validate)}` };
    const value = versions
      .slice(version - 1)
      .reduce((older, { upcast }) => (upcast ? upcast(older) : older), body);
    return { ok: true, value };
  },
  currentVersion: type => types[type]!.versions.length,
});

/** Checks that the parsed clear part of a frame is of a known type and version. */
export const checkFrameHead = (value: unknown): Checked<FrameHead & { frame: FrameVersion }> => {
  const validate = validatorOf(frameHeadSchema);
  if (!validate(value)) return { ok: false, reason: `envelope: ${faultOf(validate)}` };
  const head = value as FrameHead;
  const versions = Object.hasOwn(FRAME_TYPES, head.type) ? FRAME_TYPES[head.type] : undefined;
  if (!versions) return { ok: false, reason: 'unknown event type' };
  const frame = versions[head.version];
  if (!frame) return { ok: false, reason: 'unknown event version' };
  const isBilled = head.events.every(({ tokens }, i) => (tokens !== undefined) === frame.hasTokens(i));
  if (!isBilled) return { ok: false, reason: 'envelope: /events tokens' };
  return { ok: true, value: { ...head, frame } };
};

/** Validates the body of a frame; returns the data of its events. */
export const checkFrameBody = (
  { events, frame }: FrameHead & { frame: FrameVersion },
  body: unknown,
): Checked<object[]> => {
  const validate = validatorOf(frame.schema);
  if (!validate(body)) return { ok: false, reason: `data: ${faultOf(validate)}` };
  const ids = events.map(({ id }) => id);
  const data = frame.eventsOf(body as never, ids);
  return data.length === ids.length
    ? { ok: true, value: data }
    : { ok: false, reason: 'data: /turns not as many as events' };
};

/** The registry of this release. */
export const registry = makeRegistry(EVENT_TYPES);
