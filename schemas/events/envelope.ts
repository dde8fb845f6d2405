/** The envelope of an event, stored as JSON in the log. `data` is sealed when it contains people's text. */
export interface Envelope {
  /** Derived from the content, so that a retry produces the same event; the first copy of an id wins. */
  id: string;
  type: string;
  version: number;
  org_id: string;
  /**
   * When the service recorded it: RFC 3339, UTC, milliseconds. Determines the day to which a turn is billed.
   */
  recorded_at: string;
  correlation_id: string;
  /** The key that seals `data`; null when `data` is plain. */
  key_id: string | null;
  /** See `EventHead`. */
  expires_at?: string;
  kept_from?: string;
  /** A plain object, or base64 of nonce (12) + ciphertext + tag (16). */
  data: unknown;
}

/** An event of a frame, as far as it is known without the frame's key. */
export interface EventHead {
  id: string;
  /** Only if it isn't the frame's: a turn that was taken over keeps the instant of the attempt before. */
  recorded_at?: string;
  /** Tokens of a turn, in the clear so that it can be billed after its key is destroyed. */
  tokens?: number;
  /** Facts that it states, in the clear so that they are counted without its key; missing: none. */
  facts?: number;
  /** Set where there is no turn, only what was stated without one. */
  stated?: true;
  /**
   * When it expires, if its write said so: RFC 3339, UTC, milliseconds. In the clear: it can be removed
   * without its key.
   */
  expires_at?: string;
  /**
   * Only if it isn't `recorded_at`: from when a retention counts. What is observed of a turn has its turn's.
   */
  kept_from?: string;
}

/**
 * The clear part of a frame, a record of several events with one sealed body. Its members are those of an
 * envelope; `id` is that of the first event.
 */
export interface FrameHead extends Omit<Envelope, 'expires_at' | 'kept_from' | 'data'> {
  key_id: string;
  /**
   * The id of the user's own key, which wraps that of the session: random, and the same for all that is said
   * of a user until an erasure. Whose it was is not known without the key.
   */
  user_key?: string;
  /** The id of the API key whose call it was; absent: of none that is known, as after an import. */
  api_key?: string;
  /** In the order of the record. */
  events: EventHead[];
}

/** Events of a frame at most. */
export const MOST_EVENTS = 256;

/**
 * A frame: this byte, with which no JSON begins, the length of the head (u32, little endian), the head as
 * JSON, the sealed body: nonce (12) + ciphertext + tag (16).
 */
const FRAME = 1;
const BEFORE_HEAD = 5;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const serialiseEnvelope = (envelope: Envelope): Uint8Array => Buffer.from(JSON.stringify(envelope));

/**
 * The same bytes as of `serialiseEnvelope` with base64 of `sealed`, which is ASCII, so that nothing has to
 * look for quotes in it.
 */
export const serialiseSealedEnvelope = (envelope: Omit<Envelope, 'data'>, sealed: Buffer): Uint8Array =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"data":"`),
    Buffer.from(sealed.toString('base64'), 'latin1'),
    Buffer.from('"}'),
  ]);

export const isFrame = (value: Uint8Array): boolean => value[0] === FRAME;

/** The bytes of a frame that come before its body, and that the body is bound to. */
export const serialiseHead = (head: FrameHead): Buffer => {
  const json = Buffer.from(JSON.stringify(head));
  const bytes = Buffer.allocUnsafe(BEFORE_HEAD + json.length);
  bytes[0] = FRAME;
  bytes.writeUInt32LE(json.length, 1);
  json.copy(bytes, BEFORE_HEAD);
  return bytes;
};

/** Splits a frame before its body. Throws `SyntaxError` when it is shorter than it says. */
export const splitFrame = (value: Uint8Array): { head: Buffer; body: Buffer } => {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const end = bytes.length < BEFORE_HEAD ? Number.POSITIVE_INFINITY : BEFORE_HEAD + bytes.readUInt32LE(1);
  if (end > bytes.length) throw new SyntaxError('the frame is cut short');
  return { head: bytes.subarray(0, end), body: bytes.subarray(end) };
};

/**
 * An envelope, or the clear part of a frame. Throws `SyntaxError` or `TypeError` when the bytes are neither.
 */
export const parseEnvelope = (value: Uint8Array): unknown =>
  JSON.parse(utf8.decode(isFrame(value) ? splitFrame(value).head.subarray(BEFORE_HEAD) : value));

const INSTANT = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' } as const;

export const envelopeSchema = {
  type: 'object',
  required: ['id', 'type', 'version', 'org_id', 'recorded_at', 'correlation_id', 'key_id', 'data'],
  properties: {
    id: { type: 'string', minLength: 1 },
    type: { type: 'string', minLength: 1 },
    version: { type: 'integer', minimum: 1 },
    org_id: { type: 'string', minLength: 1 },
    recorded_at: INSTANT,
    correlation_id: { type: 'string' },
    key_id: { type: ['string', 'null'] },
    expires_at: INSTANT,
    kept_from: INSTANT,
    data: {},
  },
} as const;

const { data: _, expires_at, kept_from, ...common } = envelopeSchema.properties;

export const frameHeadSchema = {
  type: 'object',
  required: ['id', 'type', 'version', 'org_id', 'recorded_at', 'correlation_id', 'key_id', 'events'],
  properties: {
    ...common,
    key_id: { type: 'string', minLength: 1 },
    user_key: { type: 'string', minLength: 1 },
    api_key: { type: 'string', minLength: 1 },
    events: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_EVENTS,
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: common.id,
          recorded_at: common.recorded_at,
          tokens: { type: 'integer', minimum: 0 },
          facts: { type: 'integer', minimum: 1 },
          stated: { const: true },
          expires_at,
          kept_from,
        },
      },
    },
  },
} as const;
