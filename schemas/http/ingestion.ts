/**
 * Writing turns. Here and in all requests, a member that is missing, of the wrong type or outside its
 * enumeration is a fault of form (400); all other faults are faults of value (422). Members without a schema
 * are ignored.
 */
import { type Check, makeCheck } from '../ajv.ts';
import { FACT_LIMITS, OBSERVATION_LENGTH, STANCES } from '../facts.ts';
import type { FromSchema } from '../from-schema.ts';
import { body, guarded, json } from './operation.ts';
import { scope, TEXT, TURN_ID } from './parts/examples.ts';
import { expiryFaults } from './parts/expiry-faults.ts';
import { factFaults } from './parts/observation.ts';
import {
  component,
  count,
  instant,
  list,
  nullableString,
  object,
  reference,
  screened,
  shown,
  speaker,
  string,
  text,
  usage,
} from './parts/parts.ts';
import { scopeSchema } from './parts/scope-schema.ts';
import { sessionTitle } from './parts/session-title.ts';
import { shortenMember } from './parts/shorten.ts';
import { METADATA_BYTES, METADATA_DEPTH } from './queries/metadata.ts';
import { RIGHTS } from './rights.ts';

export const LIMITS = {
  bodyBytes: 4 * 1024 * 1024,
  turns: 1_000,
  observations: 64,
} as const;

/** Days until something expires: a century. */
export const MOST_DAYS = 36_500;

// ---- request

export const observationText = text(1, OBSERVATION_LENGTH);

/**
 * Members of a client's observation that state a fact about one subject. Without `attribute` it is a sentence
 * and nothing more.
 */
export const factProperties = {
  subject: {
    ...shown(1, FACT_LIMITS.subject),
    description: 'Whose attribute it is: the label of a person or thing. Default: who spoke.',
  },
  attribute: {
    ...text(1, FACT_LIMITS.attribute),
    pattern: '^[a-z][a-z0-9_]*$',
    'x-rule': 'must be snake_case: a to z, digits and underscores, a letter first',
    description:
      'Such as home, employer, partner, allergy: docs/reference/attributes.md has the table. Others are kept alike.',
  },
  about: {
    ...shown(1, FACT_LIMITS.about),
    description: 'The object that the attribute is of, where it has one: a budget about a laptop.',
  },
  value: { ...text(1, FACT_LIMITS.value), description: 'What it is.', examples: ['Porto'] },
  valid_from: { ...instant, description: 'From when it holds. Default: nothing is said of it.' },
  ended: {
    type: 'boolean',
    default: false,
    description: 'It no longer holds. Without a value: whatever held.',
  },
  stance: {
    type: 'string',
    enum: STANCES,
    description:
      'How it was said. holds: it is so, whatever began when; changed: it became so, at valid_from or just now; plan: it will be so from valid_from on; was: it no longer is. Default: plan if valid_from is after the turn, else changed if it ended, else holds.',
  },
} as const;

const turnSchema = {
  type: 'object',
  required: ['role', 'text', 'timestamp'],
  properties: {
    role: {
      ...speaker,
      description: "Who spoke: user, assistant, a speaker's name.",
    },
    text: text(1, 65_536),
    timestamp: {
      ...instant,
      description:
        'RFC 3339 with T, t or a space. An offset is converted to UTC and kept as utc_offset: days are counted in it. No offset means UTC. Resolution: one millisecond.',
    },
    observations: {
      type: 'array',
      maxItems: LIMITS.observations,
      description:
        'What the client knows about this turn; recallable as soon as the turn is, and billed with it.',
      items: {
        ...observationText,
        type: ['string', 'object'],
        required: ['text'],
        properties: { text: observationText, ...factProperties },
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
        expires_at: {
          ...instant,
          description:
            'From this moment on the turns, and what was found in them, are in no answer. RFC 3339, in the future.',
        },
        ttl_days: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_DAYS,
          description: 'The same, in days after the turns were recorded. Not together with `expires_at`.',
        },
        session_title: sessionTitle,
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
      description: `Stored unchanged, and billed, with a write that stores a turn; at most ${METADATA_BYTES} bytes as JSON and ${METADATA_DEPTH} levels deep. What a filter is about: of its values, those that have room in 4 KiB, in their order and with their keys. No effect on a recall without a filter.`,
    },
  },
} as const;
const ingest = component('Ingest', ingestSchema);

export type Turn = FromSchema<typeof turnSchema>;
export type IngestBody = FromSchema<typeof ingestSchema>;

const shortenIngest = (value: unknown): unknown => {
  const shortened = shortenMember(value, 'turns', LIMITS.turns) as { turns?: unknown } | null;
  const turns = shortened?.turns;
  if (!Array.isArray(turns)) return shortened;
  return { ...shortened, turns: turns.map(turn => shortenMember(turn, 'observations', LIMITS.observations)) };
};

export const checkIngest: Check<IngestBody> = makeCheck(ingestSchema, {
  shorten: shortenIngest,
  between: value => [...factFaults(value), ...expiryFaults(value)],
});

// ---- answers

const ingested = component(
  'Ingested',
  object(
    {
      job_id: {
        ...string,
        description:
          'Derived from the scope and the turns: a retry gets the same id. Any other write of known turns alone gets the job of the write that stored its first turn.',
      },
      active_fragment_ids: {
        ...list(string),
        description:
          "One id per turn, in the request's order; none of a turn that was hidden or has expired; empty without the active tier.",
      },
      passive_job_id: {
        ...nullableString,
        description: 'Job of the background enrichment; null when none is pending.',
      },
      usage: reference(usage),
    },
    { screened },
  ),
);
const job = component(
  'Job',
  object({
    job_id: string,
    status: { type: 'string', enum: ['queued', 'done', 'failed'] },
    turns: count,
    observations: count,
    entities: count,
    reason: nullableString,
  }),
);

export type IngestAnswer = FromSchema<typeof ingested.schema>;
export type JobAnswer = FromSchema<typeof job.schema>;

// ---- endpoints

export const ingestionOperations = {
  ingest: guarded({
    method: 'post',
    path: '/ingestion/memory',
    summary: 'Write turns',
    description:
      'The turns can be recalled as soon as the answer arrives. Billed are the o200k tokens of what is stored: texts and observations of turns that are new and, if there are any, the metadata as compact JSON. Sending a turn again is a no-op: nothing is stored or billed twice, also when it has expired.',
    tag: 'Memory',
    ...RIGHTS.ingest,
    request: body(ingest, checkIngest, {
      scope,
      turns: [{ role: 'user', text: TEXT, timestamp: '2026-01-05T09:30:00Z' }],
    }),
    answer: json(202, 'Stored; enrichment continues in the background.', ingested, {
      job_id: 'job_6db74e8b13c9ebc98e44dde372aa24c1',
      active_fragment_ids: [TURN_ID],
      passive_job_id: 'enr_6db74e8b13c9ebc98e44dde372aa24c1',
      usage: { tokens_in: 7, tokens_out: 0 },
    }),
    statuses: [429, 503],
  }),
  job: guarded({
    method: 'get',
    path: '/ingestion/jobs/{id}',
    summary: 'Get the state of a write',
    description: 'Accepts either job id of an ingestion.',
    tag: 'Memory',
    ...RIGHTS.job,
    answer: json(200, 'The state of the job.', job, {
      job_id: 'enr_6db74e8b13c9ebc98e44dde372aa24c1',
      status: 'done',
      turns: 1,
      observations: 1,
      entities: 1,
      reason: null,
    }),
    statuses: [404, 503],
  }),
};
