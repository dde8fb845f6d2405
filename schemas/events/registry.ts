import { Ajv, type ValidateFunction } from 'ajv';
import { accountEventSchemas } from './accounts.ts';
import { type Envelope, envelopeSchema } from './envelope.ts';
import { memoryErasedSchema } from './erasure.ts';
import { extractionFailedSchema, observationsExtractedSchema } from './observations.ts';
import { turnRecordedSchema, turnRecordedSchemaV1, writeAcceptedSchema } from './turns.ts';
import { recallMeteredSchema } from './usage.ts';

/**
 * Every event type, with the schema of each version that ever shipped and how to read it as the next one.
 * A version that shipped stays here for ever (test/golden).
 */
interface EventType {
  /** Version n is at n - 1. `tokens`: its envelope has them. */
  versions: { schema: object; tokens?: true; upcast?: (older: EventBody) => EventBody }[];
  sealed: boolean;
}

/** What of an event has versions. */
export interface EventBody {
  data: unknown;
  tokens?: number | undefined;
}

/** In version 1 the tokens were sealed with the rest of the data. */
const tokensToEnvelope = ({ data }: EventBody): EventBody => {
  const { tokens, ...rest } = data as { tokens: number };
  return { data: rest, tokens };
};

const EVENT_TYPES: Record<string, EventType> = {
  'write.accepted': { versions: [{ schema: writeAcceptedSchema }], sealed: true },
  'turn.recorded': {
    versions: [
      { schema: turnRecordedSchemaV1, upcast: tokensToEnvelope },
      { schema: turnRecordedSchema, tokens: true },
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
};

const ajv = new Ajv({
  strict: true,
  allErrors: false,
  validateSchema: false,
  strictTypes: false,
  allowUnionTypes: true,
});
/**
 * Compiled when a thread first meets the schema (Ajv keeps what it compiled), and not held against the metaschema:
 * both were a tenth of a second of every thread's start.
 */
const validatorOf = (schema: object): ValidateFunction => ajv.compile(schema);

/** The fault's place and rule; never the value. */
const faultOf = (validate: ValidateFunction): string => {
  const [first] = validate.errors ?? [];
  return `${first?.instancePath || '/'} ${first?.keyword ?? 'schema'}`;
};

export type Checked<T> = { ok: true; value: T } | { ok: false; reason: string };

export const checkEnvelope = (value: unknown): Checked<Envelope> => {
  const validateEnvelope = validatorOf(envelopeSchema);
  if (!validateEnvelope(value)) return { ok: false, reason: `envelope: ${faultOf(validateEnvelope)}` };
  const envelope = value as unknown as Envelope;
  // Own members alone: an event of type `constructor` is as unknown as any other.
  const type = Object.hasOwn(EVENT_TYPES, envelope.type) ? EVENT_TYPES[envelope.type] : undefined;
  if (!type) return { ok: false, reason: 'unknown event type' };
  if (envelope.version > type.versions.length) return { ok: false, reason: 'unknown event version' };
  if (type.sealed !== (envelope.key_id !== null))
    return { ok: false, reason: 'sealed and plain are swapped' };
  if (type.versions[envelope.version - 1]!.tokens && envelope.tokens === undefined)
    return { ok: false, reason: 'envelope: /tokens required' };
  return { ok: true, value: envelope };
};

/** Validates `data` against the version it was written in, then upcasts the body to the newest. */
export const checkData = (type: string, version: number, body: EventBody): Checked<EventBody> => {
  const { versions } = EVENT_TYPES[type]!;
  const validate = validatorOf(versions[version - 1]!.schema);
  if (!validate(body.data)) return { ok: false, reason: `data: ${faultOf(validate)}` };
  const value = versions
    .slice(version - 1)
    .reduce((older, { upcast }) => (upcast ? upcast(older) : older), body);
  return { ok: true, value };
};

/** The version that is written today. */
export const currentVersion = (type: string): number => EVENT_TYPES[type]!.versions.length;
