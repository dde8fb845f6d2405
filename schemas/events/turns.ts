/** Events of the topic `turns`: sealed, keyed by organization, user and session. */

/** Recorded once per write request: the turns that it sent and its options. */
export interface WriteAccepted {
  user_id: string;
  session_id: string;
  job_id: string;
  /** All turns of the request in its order, including those that were already recorded. */
  turn_ids: string[];
  options: { write_active: boolean; write_passive: boolean };
  metadata: Record<string, unknown> | null;
}

export interface TurnRecorded {
  user_id: string;
  session_id: string;
  job_id: string;
  role: string;
  text: string;
  /** When it was said: RFC 3339, UTC, milliseconds. */
  timestamp: string;
  /** Whether it is stored as a turn fragment; otherwise only its identity is kept. */
  active: boolean;
  /** Whether it will be enriched. */
  passive: boolean;
  /** Observations that the client sent with this turn. */
  observations: string[];
}

const string = { type: 'string' } as const;
const turnId = { type: 'string', pattern: '^trn_[0-9a-f]{32}$' } as const;
const jobId = { type: 'string', pattern: '^job_[0-9a-f]{32}$' } as const;
const instant = {
  type: 'string',
  pattern: '^-?\\d{4,6}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
} as const;
const boolean = { type: 'boolean' } as const;

export const writeAcceptedSchema = {
  type: 'object',
  required: ['user_id', 'session_id', 'job_id', 'turn_ids', 'options', 'metadata'],
  properties: {
    user_id: string,
    session_id: string,
    job_id: jobId,
    turn_ids: { type: 'array', items: turnId },
    options: {
      type: 'object',
      required: ['write_active', 'write_passive'],
      properties: { write_active: boolean, write_passive: boolean },
    },
    metadata: { type: ['object', 'null'] },
  },
} as const;

const turnProperties = {
  user_id: string,
  session_id: string,
  job_id: jobId,
  role: string,
  text: string,
  timestamp: instant,
  active: boolean,
  passive: boolean,
  observations: { type: 'array', items: string },
} as const;

const turnSchema = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** Version 1 has the tokens in the sealed data. */
export const turnRecordedSchemaV1 = turnSchema({
  ...turnProperties,
  tokens: { type: 'integer', minimum: 0 },
});

/**
 * The tokens (o200k_base) are in the envelope: those of `text` and of `observations` and, in the first turn that a write
 * stored, those of its metadata as compact JSON. Events of earlier releases counted `text` alone.
 */
export const turnRecordedSchema = turnSchema(turnProperties);

/** The tokens are plain, so that a turn can be billed after its text is erased. */
export const turnRecordedEnvelope = {
  type: 'object',
  required: ['tokens'],
  properties: { tokens: { type: 'integer', minimum: 0 } },
} as const;
