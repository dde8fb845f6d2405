import { Ajv, type ValidateFunction } from 'ajv';
import { accountEventSchemas, apiKeyCreatedV1 } from './accounts.ts';
import { type Envelope, envelopeSchema } from './envelope.ts';
import { memoryErasedSchema } from './erasure.ts';
import { extractionFailedSchema, observationsExtractedSchema } from './observations.ts';
import {
  turnRecordedEnvelope,
  turnRecordedSchema,
  turnRecordedSchemaV1,
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
  'memory.erased': { versions: [{ schema: memoryErasedSchema }], sealed: false },
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

/** The registry of this release. */
export const registry = makeRegistry(EVENT_TYPES);
