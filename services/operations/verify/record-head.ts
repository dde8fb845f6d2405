import { idsIn } from '../../../core/log/events.ts';
import { parseEnvelope } from '../../../schemas/events/envelope.ts';

export interface RecordHead {
  /** The ids of the record's events. */
  ids: readonly string[];
  type: string;
  org: string;
}

/** Envelopes written by `serialiseEnvelope` begin with these members, rarely with escapes in them. */
const HEAD = /^\{"id":"([^"\\]+)","type":"([^"\\]+)","version":\d+,"org_id":"([^"\\]+)"/;
const HEAD_BYTES = 512;

/**
 * Reads a record's cleartext members without parsing all of it, so that skipping a record is cheap. Undefined
 * when the record is not an event.
 */
export const recordHead = (value: Uint8Array): RecordHead | undefined => {
  const bytes = Buffer.from(value.buffer, value.byteOffset, Math.min(value.byteLength, HEAD_BYTES));
  const match = HEAD.exec(bytes.toString());
  if (match) return { ids: [match[1]!], type: match[2]!, org: match[3]! };
  try {
    const parsed = parseEnvelope(value) as Record<string, unknown>;
    const { type, org_id: org } = parsed;
    const ids = idsIn(parsed);
    return ids.every(id => typeof id === 'string') && typeof type === 'string' && typeof org === 'string'
      ? { ids, type, org }
      : undefined;
  } catch {
    return undefined;
  }
};
