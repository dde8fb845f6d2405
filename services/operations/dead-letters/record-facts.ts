import { hash } from 'node:crypto';
import type { EnvelopeFacts, RecordFacts } from '../../../core/operator/dead-letters.ts';
import { parseEnvelope } from '../../../schemas/events/envelope.ts';

const FORMS = {
  id: /^[a-z]{3}_[\x21-\x7e]{1,200}$/,
  type: /^[a-z_]{1,40}\.[a-z_]{1,40}$/,
  org_id: /^[A-Za-z0-9._:-]{1,128}$/,
  recorded_at: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  correlation_id: /^[\x21-\x7e]{1,128}$/,
  key_id: /^[A-Za-z0-9_-]{1,64}$/,
} as const;

const parsed = (value: Uint8Array): Record<string, unknown> | null => {
  try {
    const envelope = parseEnvelope(value);
    return typeof envelope === 'object' && envelope !== null && !Array.isArray(envelope)
      ? (envelope as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

/** Behind the clear part of a frame is a sealed body. */
const dataOf = (data: unknown, keyId: unknown, isFrame: boolean): EnvelopeFacts['data'] => {
  if (isFrame) return 'sealed';
  if (data === undefined) return 'missing';
  return typeof data === 'string' && keyId !== null ? 'sealed' : 'plain';
};

const envelopeFacts = (envelope: Record<string, unknown>): EnvelopeFacts => {
  const { version, key_id, data, events } = envelope;
  const names = Object.keys(FORMS) as (keyof typeof FORMS)[];
  const known = names.filter(name => {
    const text = envelope[name];
    return typeof text === 'string' && FORMS[name].test(text);
  });
  return {
    ...Object.fromEntries(known.map(name => [name, envelope[name] as string])),
    ...(Number.isSafeInteger(version) ? { version: version as number } : {}),
    ...(key_id === null ? { key_id } : {}),
    data: dataOf(data, key_id, Array.isArray(events)),
  };
};

/** Includes a member of the envelope only when it has the expected format. */
export const recordFacts = (value: Uint8Array): RecordFacts => {
  const envelope = parsed(value);
  return {
    bytes: value.length,
    sha256: hash('sha256', value),
    envelope: envelope && envelopeFacts(envelope),
  };
};
