/** What answers carry, for the OpenAPI document and for the tests that hold the service to it. */

const string = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const nullable = (type: string) => ({ type: [type, 'null'] });

/** All of `properties` is required but what `optional` adds. */
const object = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

const list = (items: object) => ({ type: 'array', items });

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const usage = reference('Usage');

const fragment = {
  id: string,
  text: string,
  score: { type: 'number' },
  timestamp: { type: 'string', description: 'Unix seconds.', examples: ['1767225600'] },
  user_id: string,
  session_id: string,
};

/** A fragment in the feed: its words as they were said, and no score. */
const { score: _, ...unscored } = fragment;
const told = { ...unscored, recorded_at: instant };

const apiKey = {
  id: string,
  name: string,
  prefix: { type: 'string', description: 'The public beginning of the key.' },
  roles: list(string),
  user_id: string,
  session_id: nullable('string'),
  created_at: instant,
  last_used_at: { type: ['string', 'null'], description: 'To the minute.' },
};

/** By their names in the document. */
export const responseSchemas: Record<string, object> = {
  Usage: object({ tokens_in: count, tokens_out: count }),
  Tokens: object({
    access_token: { type: 'string', description: 'RS256-signed JWT; lives 24 hours.' },
    refresh_token: { type: 'string', description: 'JWT; lives 7 days; store the one returned.' },
    token_type: { type: 'string', enum: ['bearer'] },
    expires_in: { type: 'integer', description: 'Lifetime of the access token in seconds.' },
  }),
  SignedUp: object({
    org_id: string,
    user_id: string,
    api_key: { type: 'string', description: 'Shown this once.' },
  }),
  Me: object({
    org_id: string,
    user_id: string,
    roles: list(string),
    plan: string,
    limits: reference('Limits'),
    created_at: instant,
  }),
  Limits: {
    ...object({ tokens_in: count, tokens_out: count }),
    description: 'Tokens a UTC day; 0: no cap.',
  },
  ApiKey: object(apiKey),
  ApiKeys: object({ api_keys: list(reference('ApiKey')) }),
  NewApiKey: object({ ...apiKey, api_key: { type: 'string', description: 'Shown this once.' } }),
  Ingested: object({
    job_id: { type: 'string', description: 'Derived from the scope and the turns: a retry gets the same.' },
    active_fragment_ids: {
      ...list(string),
      description: "One a turn in the request's order; empty without the active tier.",
    },
    passive_job_id: { ...nullable('string'), description: 'Background enrichment, while there is some.' },
    usage,
  }),
  Job: object({
    job_id: string,
    status: { type: 'string', enum: ['queued', 'done', 'failed'] },
    turns: count,
    observations: count,
    entities: count,
    reason: nullable('string'),
  }),
  TurnHit: object({
    ...fragment,
    kind: { type: 'string', enum: ['turn'] },
    text: { type: 'string', examples: ['[2026-01-01] [user] I moved to Lyon.'] },
    role: string,
  }),
  ObservationHit: object({
    ...fragment,
    kind: { type: 'string', enum: ['observation'] },
    source_turn_ids: list(string),
    source: { type: 'string', enum: ['client', 'rules', 'llm'] },
  }),
  TurnEvent: object({
    ...told,
    kind: { type: 'string', enum: ['turn'] },
    role: string,
  }),
  ObservationEvent: object({
    ...told,
    kind: { type: 'string', enum: ['observation'] },
    source_turn_ids: list(string),
    source: { type: 'string', enum: ['client', 'rules', 'llm'] },
  }),
  EntityHit: object({ label: string, score: { type: 'number' } }, { id: string, kind: string }),
  Recalled: object({
    hits: object({
      turns: list(reference('TurnHit')),
      observations: list(reference('ObservationHit')),
      entities: list(reference('EntityHit')),
    }),
    confidence: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The probability that the hits hold what the query asks for; 0 without hits.',
    },
    timeline: {
      ...nullable('string'),
      description:
        'Lines in the order of time, each with the date (UTC) on which it was said, within 400 tokens; null unless asked for and there are hits.',
    },
    mode: { type: 'string', enum: ['active', 'deep'] },
    usage,
  }),
  Erased: object({
    erased: {
      ...object({ turns: count, observations: count, entities: count, sessions: count }),
      description: 'What there was when the erasure began; entities that the turns named.',
    },
    erased_at: instant,
    receipt: {
      type: 'string',
      description:
        'A JWS (RFC 7515) over scope, erased and erased_at; jti is the id of the event in the log.',
    },
  }),
  UsageToday: object({
    period: { type: 'string', enum: ['day_utc'] },
    start: instant,
    end: instant,
    tokens_in: count,
    tokens_out: count,
    limits: reference('Limits'),
  }),
  UsageMonth: object({
    period: { type: 'string', enum: ['month'] },
    start: instant,
    end: instant,
    tokens_in: count,
    tokens_out: count,
  }),
  Jwks: object({
    keys: list(object({ kty: string, kid: string, use: string, alg: string, n: string, e: string })),
  }),
  Health: object({ status: { type: 'string', enum: ['ok'] } }),
  Readiness: object({
    ready: { type: 'boolean' },
    engines: {
      type: 'object',
      additionalProperties: object({ ok: { type: 'boolean' }, detail: string }),
    },
  }),
};
