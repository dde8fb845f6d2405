/** The envelope of every event, stored as JSON in the log. `data` is sealed when it contains people's text. */
export interface Envelope {
  /** Derived from the content, so that a retry produces the same event; the first copy of an id wins. */
  id: string;
  type: string;
  version: number;
  org_id: string;
  /** When the service recorded it: RFC 3339, UTC, milliseconds. Determines the day to which a turn is billed. */
  recorded_at: string;
  correlation_id: string;
  /** The key that seals `data`; null when `data` is plain. */
  key_id: string | null;
  /** Only for a turn, from version 2 on. Plain, so that the turn can be billed after its key is destroyed. */
  tokens?: number;
  /** A plain object, or base64 of nonce (12) + ciphertext + tag (16). */
  data: unknown;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const serialiseEnvelope = (envelope: Envelope): Uint8Array => Buffer.from(JSON.stringify(envelope));

/** The same bytes as of `serialiseEnvelope` with base64 of `sealed`, which is ASCII, so that nothing has to look for quotes in it. */
export const serialiseSealedEnvelope = (envelope: Omit<Envelope, 'data'>, sealed: Buffer): Uint8Array =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"data":"`),
    Buffer.from(sealed.toString('base64'), 'latin1'),
    Buffer.from('"}'),
  ]);

/** Throws `SyntaxError` or `TypeError` when the bytes are not UTF-8 JSON. */
export const parseEnvelope = (value: Uint8Array): unknown => JSON.parse(utf8.decode(value));

export const envelopeSchema = {
  type: 'object',
  required: ['id', 'type', 'version', 'org_id', 'recorded_at', 'correlation_id', 'key_id', 'data'],
  properties: {
    id: { type: 'string', minLength: 1 },
    type: { type: 'string', minLength: 1 },
    version: { type: 'integer', minimum: 1 },
    org_id: { type: 'string', minLength: 1 },
    recorded_at: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' },
    correlation_id: { type: 'string' },
    key_id: { type: ['string', 'null'] },
    tokens: { type: 'integer', minimum: 0 },
    data: {},
  },
} as const;
