/**
 * Request bodies and queries, with the schemas that validate them and are part of the OpenAPI document. A
 * member that is missing, of the wrong type or outside its enumeration is a fault of form (400); all others
 * are faults of value (422). Members without a schema are ignored.
 */
import { type Check, makeCheck } from '../ajv.ts';
import type { Fault } from './faults.ts';
import { METADATA_BYTES, METADATA_DEPTH } from './metadata.ts';
import { makeQueryCheck } from './query.ts';
import { shortenMember } from './shorten.ts';
import { id, text } from './text.ts';
import { windowFaults } from './window.ts';

export * from './account-requests.ts';
export * from './listings.ts';

export const LIMITS = {
  bodyBytes: 4 * 1024 * 1024,
  turns: 1_000,
  observations: 64,
} as const;

const timestamp = { type: 'string', format: 'date-time' } as const;

// ---- ingestion --------------------------------------------------------------------------------------

export interface Scope {
  org_id: string;
  user_id?: string;
  session_id?: string;
}

export interface Turn {
  role: string;
  text: string;
  /** RFC 3339; `parseInstant` reads it. */
  timestamp: string;
  observations?: (string | { text: string })[];
}

export interface IngestBody {
  scope: Scope;
  turns: Turn[];
  /** Both default to true. */
  options?: { write_active?: boolean; write_passive?: boolean };
  metadata?: Record<string, unknown>;
}

const scopeSchema = {
  type: 'object',
  required: ['org_id'],
  properties: {
    org_id: { ...id, description: "Required, but has no effect: the organization is the token's." },
    user_id: { ...id, description: "End-user partition inside the organization. Default: the token's user." },
    session_id: {
      ...id,
      description:
        "Conversation, channel or task. Default: the token's session_id claim; without one, ingestion writes to default-session and recall searches all sessions.",
    },
  },
} as const;

const observationText = text(1, 4_096);

const turnSchema = {
  type: 'object',
  required: ['role', 'text', 'timestamp'],
  properties: {
    role: {
      ...text(1, 64),
      pattern: '^[^\\p{Cc}\\[\\]]*$',
      'x-rule': 'must not have control characters or square brackets',
      description: "Who spoke: user, assistant, a speaker's name.",
    },
    text: text(1, 65_536),
    timestamp: {
      ...timestamp,
      description:
        'RFC 3339 with T, t or a space. An offset is converted to UTC; no offset means UTC. Resolution: one millisecond.',
    },
    observations: {
      type: 'array',
      maxItems: LIMITS.observations,
      description: 'What the client knows about this turn; recallable as soon as the turn is.',
      items: {
        ...observationText,
        type: ['string', 'object'],
        required: ['text'],
        properties: { text: observationText },
      },
    },
  },
} as const;

export const ingestSchema = {
  type: 'object',
  required: ['scope', 'turns'],
  properties: {
    scope: scopeSchema,
    turns: { type: 'array', minItems: 1, maxItems: LIMITS.turns, items: turnSchema },
    options: {
      type: 'object',
      properties: {
        write_active: { type: 'boolean', default: true },
        write_passive: { type: 'boolean', default: true },
      },
      not: {
        required: ['write_active', 'write_passive'],
        properties: { write_active: { const: false }, write_passive: { const: false } },
      },
      'x-rule': 'must not switch off both write_active and write_passive',
    },
    metadata: {
      type: 'object',
      'x-metadata': true,
      description: `Stored unchanged; at most ${METADATA_BYTES} bytes as JSON and ${METADATA_DEPTH} levels deep. No effect on recall.`,
    },
  },
} as const;

const shortenIngest = (value: unknown): unknown => {
  const body = shortenMember(value, 'turns', LIMITS.turns) as { turns?: unknown } | null;
  const turns = body?.turns;
  if (!Array.isArray(turns)) return body;
  return { ...body, turns: turns.map(turn => shortenMember(turn, 'observations', LIMITS.observations)) };
};

export const checkIngest: Check<IngestBody> = makeCheck(ingestSchema, { shorten: shortenIngest });

// ---- recall -------------------------------------------------------------------------------------------

export const HIT_KINDS = ['turn', 'observation', 'entity'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

export interface RecallBody {
  scope: Scope;
  q: string;
  /** Default: active. */
  mode?: 'active' | 'deep';
  /** 1 to 50; default: 15 for active, 25 for deep. At most 30 are used. */
  top_k?: number;
  include_timeline?: boolean;
  kinds?: HitKind[];
  /** RFC 3339, inclusive. */
  since?: string;
  until?: string;
  /** RFC 3339, inclusive; compared with the recording time, unlike `since` and `until`. */
  as_of?: string;
  explain?: boolean;
}

export const recallSchema = {
  type: 'object',
  required: ['scope', 'q'],
  properties: {
    scope: scopeSchema,
    q: { ...text(1, 8_192), description: 'A question or words, in natural language.' },
    mode: { type: 'string', enum: ['active', 'deep'], default: 'active' },
    top_k: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: 'Hits across all kinds. Default: 15 for active, 25 for deep; at most 30 are used.',
    },
    include_timeline: { type: 'boolean', default: false },
    kinds: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: { type: 'string', enum: HIT_KINDS },
      description: 'Kinds of hits to return. Default: all.',
    },
    since: { ...timestamp, description: 'Earliest timestamp, inclusive.' },
    until: { ...timestamp, description: 'Latest timestamp, inclusive; not before since.' },
    as_of: {
      ...timestamp,
      description:
        'Answers only from what had been recorded by this moment, inclusive. In contrast, since and until compare with the timestamps of the turns. A moment less than about a minute in the past is a 422.',
    },
    explain: {
      type: 'boolean',
      default: false,
      description: 'Adds to each turn and observation an explanation of its score; costs no tokens.',
    },
  },
} as const;

export const checkRecall: Check<RecallBody> = makeCheck(recallSchema, {
  between: body => windowFaults('body', body),
  shorten: body => shortenMember(body, 'kinds', recallSchema.properties.kinds.maxItems),
});

// ---- erasure ------------------------------------------------------------------------------------------

/** The names of a scope, and the part of the request that holds them. */
export interface NamedScope {
  form: 'body' | 'query';
  user_id?: string | undefined;
  session_id?: string | undefined;
}

const erasedUser = {
  ...id,
  description:
    "The user to erase. Required for a token that may name any user; for others the default is the token's user.",
} as const;
const erasedSession = {
  ...id,
  description:
    "Only this session. Default: the token's session_id claim; without one, all of the user's sessions.",
} as const;

/** No other members are permitted: a misspelled name must not erase more than was meant. */
export const eraseSchema = {
  type: 'object',
  required: ['scope'],
  additionalProperties: false,
  properties: {
    scope: {
      type: 'object',
      required: ['org_id'],
      additionalProperties: false,
      properties: { org_id: scopeSchema.properties.org_id, user_id: erasedUser, session_id: erasedSession },
    },
  },
} as const;

export const checkErase: Check<{ scope: Scope }> = makeCheck(eraseSchema);

export const eraseQuery = { user_id: erasedUser, session_id: erasedSession };

/** A query's `user_id` and `session_id`, each at most once. */
export const checkEraseQuery = makeQueryCheck<{ user_id?: string; session_id?: string }>(eraseQuery, {
  strict: true,
});

// ---- usage ----------------------------------------------------------------------------------------------

export interface UsageQuery {
  month?: string;
}

export const monthSchema = {
  type: 'string',
  pattern: '^(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])$',
  'x-rule': 'must be a month from 1970-01 to 9999-11, such as 2026-01',
  examples: ['2026-01'],
} as const;

/** The end of the last month of 9999 has no RFC 3339 form. */
const nameableMonth = (value: unknown): Fault[] =>
  (value as UsageQuery).month === '9999-12'
    ? [{ form: false, loc: ['query', 'month'], type: 'pattern', message: monthSchema['x-rule'] }]
    : [];

/** A query's `month`, at most once. */
export const checkUsageQuery = makeQueryCheck<UsageQuery>({ month: monthSchema }, { between: nameableMonth });

// ---- feed -----------------------------------------------------------------------------------------------

export interface FeedQuery {
  after?: string;
}

/** A query's `after`, at most once. The feed itself parses it. */
export const checkFeedQuery = makeQueryCheck<FeedQuery>({ after: { type: 'string' } });
