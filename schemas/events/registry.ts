import { Ajv, type ValidateFunction } from 'ajv';
import { accountEventSchemas } from './accounts.ts';
import { type Envelope, envelopeSchema } from './envelope.ts';
import { extractionFailedSchema, observationsExtractedSchema } from './observations.ts';
import { turnRecordedSchema, writeAcceptedSchema } from './turns.ts';
import { recallMeteredSchema } from './usage.ts';

/**
 * Every event type, with the schema of each version that ever shipped and how to read it as the next one.
 * A version that shipped stays here for ever (test/golden).
 */
interface EventType {
  /** `data` of version n is at n - 1. */
  versions: { schema: object; upcast?: (data: unknown) => unknown }[];
  sealed: boolean;
}

const EVENT_TYPES: Record<string, EventType> = {
  'write.accepted': { versions: [{ schema: writeAcceptedSchema }], sealed: true },
  'turn.recorded': { versions: [{ schema: turnRecordedSchema }], sealed: true },
  'observations.extracted': { versions: [{ schema: observationsExtractedSchema }], sealed: true },
  'extraction.failed': { versions: [{ schema: extractionFailedSchema }], sealed: true },
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
  return { ok: true, value: envelope };
};

/** Validates `data` against the version it was written in, then upcasts it to the newest. */
export const checkData = (type: string, version: number, data: unknown): Checked<unknown> => {
  const { versions } = EVENT_TYPES[type]!;
  const validate = validatorOf(versions[version - 1]!.schema);
  if (!validate(data)) return { ok: false, reason: `data: ${faultOf(validate)}` };
  const value = versions
    .slice(version - 1)
    .reduce((older, { upcast }) => (upcast ? upcast(older) : older), data);
  return { ok: true, value };
};

/** The version that is written today. */
export const currentVersion = (type: string): number => EVENT_TYPES[type]!.versions.length;
