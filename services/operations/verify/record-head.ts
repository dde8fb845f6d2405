import { parseEnvelope } from '../../../schemas/events/envelope.ts';

export interface RecordHead {
  id: string;
  type: string;
  org: string;
}

/** An envelope as `serialiseEnvelope` writes it begins with these members; names hold few escapes. */
const HEAD = /^\{"id":"([^"\\]+)","type":"([^"\\]+)","version":\d+,"org_id":"([^"\\]+)"/;
const HEAD_BYTES = 512;

/**
 * Whose event a record holds, without reading all of it: what is not looked at costs next to nothing. Undefined: it is
 * none.
 */
export const recordHead = (value: Uint8Array): RecordHead | undefined => {
  const bytes = Buffer.from(value.buffer, value.byteOffset, Math.min(value.byteLength, HEAD_BYTES));
  const match = HEAD.exec(bytes.toString());
  if (match) return { id: match[1]!, type: match[2]!, org: match[3]! };
  try {
    const { id, type, org_id: org } = parseEnvelope(value) as Record<string, unknown>;
    return typeof id === 'string' && typeof type === 'string' && typeof org === 'string'
      ? { id, type, org }
      : undefined;
  } catch {
    return undefined;
  }
};
