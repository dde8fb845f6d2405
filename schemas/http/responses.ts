/** Schemas of the answers, for the OpenAPI document and for the tests that check the service against it. */

const string = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const nullable = (type: string) => ({ type: [type, 'null'] });

/** All of `properties` are required; those of `optional` are not. */
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

/** A fragment in the feed: without a score. */
const { score: _, ...unscored } = fragment;
const fed = { ...unscored, recorded_at: instant };

const apiKey = {
  id: string,
  name: string,
  prefix: { type: 'string', description: 'The public prefix of the key.' },
  roles: list(string),
  user_id: string,
  session_id: nullable('string'),
  created_at: instant,
  last_used_at: { type: ['string', 'null'], description: 'Accurate to a minute.' },
};

const source = {
  type: 'string',
  enum: ['client', 'rules', 'llm'],
  description: 'The client, or the extractor that found it.',
};
const nextCursor = {
  ...nullable('string'),
  description: 'Send it as cursor to get the next page; null: this is the last page.',
};
const page = (name: string, item: string) =>
  object({ [name]: list(reference(item)), next_cursor: nextCursor });
const named = {
  id: string,
  user_id: string,
  label: string,
  kind: { type: 'string', examples: ['person'] },
};

const lastSaid = {
  type: ['string', 'null'],
  format: 'date-time',
  description: "By the turns' own timestamps; null without a stored turn.",
};

const turn = {
  id: string,
  user_id: string,
  session_id: string,
  role: string,
  text: { type: 'string', description: 'As it was said.' },
  timestamp: instant,
};

/** Keys are the schemas' names in the document. */
export const responseSchemas: Record<string, object> = {
  Usage: object({ tokens_in: count, tokens_out: count }),
  Tokens: object({
    access_token: { type: 'string', description: 'RS256-signed JWT; valid for 24 hours.' },
    refresh_token: { type: 'string', description: 'JWT; valid for 7 days; store the one returned.' },
    token_type: { type: 'string', enum: ['bearer'] },
    expires_in: { type: 'integer', description: 'Lifetime of the access token in seconds.' },
  }),
  SignedUp: object({
    org_id: string,
    user_id: string,
    api_key: { type: 'string', description: 'Shown only now.' },
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
    description: 'Tokens per UTC day; 0: no cap.',
  },
  ApiKey: object(apiKey),
  ApiKeys: object({ api_keys: list(reference('ApiKey')) }),
  NewApiKey: object({ ...apiKey, api_key: { type: 'string', description: 'Shown only now.' } }),
  Ingested: object({
    job_id: {
      type: 'string',
      description: 'Derived from the scope and the turns: a retry gets the same id.',
    },
    active_fragment_ids: {
      ...list(string),
      description: "One id per turn, in the request's order; empty without the active tier.",
    },
    passive_job_id: {
      ...nullable('string'),
      description: 'Job of the background enrichment; null when none is pending.',
    },
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
  Explanation: {
    ...object({
      base: { type: 'number', description: 'Log-odds before any feature contributes.' },
      parts: {
        ...list(
          object({
            feature: string,
            aspect: {
              type: 'string',
              enum: ['words', 'meaning', 'conversation', 'speaker', 'time', 'form'],
              description: 'What the feature measures.',
            },
            log_odds: {
              type: 'number',
              description: 'The contribution of the feature, positive or negative.',
            },
          }),
        ),
        description: 'Largest contribution first.',
      },
      factor: {
        type: 'number',
        description:
          'Below 1 for an observation that is ranked behind the turns: the lowest of their scores.',
      },
    }),
    description: 'score = factor / (1 + exp(-(base + the sum of the log_odds))).',
  },
  TurnHit: object(
    {
      ...fragment,
      kind: { type: 'string', enum: ['turn'] },
      text: { type: 'string', examples: ['[2026-01-01] [user] I moved to Lyon.'] },
      role: string,
    },
    { explanation: reference('Explanation') },
  ),
  ObservationHit: object(
    {
      ...fragment,
      kind: { type: 'string', enum: ['observation'] },
      source_turn_ids: list(string),
      source,
    },
    { explanation: reference('Explanation') },
  ),
  TurnEvent: object({
    ...fed,
    kind: { type: 'string', enum: ['turn'] },
    role: string,
  }),
  ObservationEvent: object({
    ...fed,
    kind: { type: 'string', enum: ['observation'] },
    source_turn_ids: list(string),
    source,
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
      description: 'The probability that the hits contain what the query asks for; 0 without hits.',
    },
    timeline: {
      ...nullable('string'),
      description:
        'Lines in chronological order, each with its date (UTC), within 400 tokens; null without hits or when not requested.',
    },
    mode: { type: 'string', enum: ['active', 'deep'] },
    usage,
  }),
  UserItem: object({ user_id: string, sessions: count, turns: count, last_at: lastSaid }),
  Users: page('users', 'UserItem'),
  SessionItem: object({
    user_id: string,
    session_id: string,
    turns: count,
    first_at: lastSaid,
    last_at: lastSaid,
  }),
  Sessions: page('sessions', 'SessionItem'),
  TurnItem: object(turn),
  Turns: page('turns', 'TurnItem'),
  ObservationItem: object({
    id: string,
    user_id: string,
    session_id: string,
    turn_id: {
      type: 'string',
      description:
        'The turn that it comes from. A turn written with write_active false is not stored itself.',
    },
    source,
    text: string,
    timestamp: { ...instant, description: "The turn's timestamp." },
  }),
  Observations: page('observations', 'ObservationItem'),
  EntityItem: object({
    ...named,
    turns: { ...count, description: 'The number of turns in the scope that mention it.' },
  }),
  Entities: page('entities', 'EntityItem'),
  TurnEntity: object(named),
  TurnDetails: object({
    ...turn,
    observations: { ...list(reference('ObservationItem')), description: 'Observations made of this turn.' },
    entities: {
      ...list(reference('TurnEntity')),
      description: 'Entities that it mentions. GET /memory/entities counts the turns that mention each.',
    },
    provenance: {
      oneOf: [
        object({
          topic: { type: 'string', enum: ['turns'] },
          partition: count,
          offset: count,
          recorded_at: { ...instant, description: 'When the service recorded it.' },
        }),
        { type: 'null' },
      ],
      description: 'Its position in the log; null for the moment until it is projected.',
    },
  }),
  Erased: object({
    erased: {
      ...object({ turns: count, observations: count, entities: count, sessions: count }),
      description: 'Counts at the time the erasure began; entities: those mentioned in its turns.',
    },
    erased_at: instant,
    receipt: {
      type: 'string',
      description:
        "A JWS (RFC 7515) over scope, erased and erased_at; jti is the id of the erasure's event in the log.",
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
  UsageDaily: object({
    period: { type: 'string', enum: ['month'] },
    start: instant,
    end: instant,
    days: {
      ...list(
        object({
          day: { type: 'string', format: 'date', description: 'In UTC.' },
          tokens_in: count,
          tokens_out: count,
        }),
      ),
      description: 'Every day of the month in order, including days without usage; no future days.',
    },
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
