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

const source = {
  type: 'string',
  enum: ['client', 'rules', 'llm'],
  description: 'Who made it: the client, or the extractor.',
};
const nextCursor = {
  ...nullable('string'),
  description: 'Sent back as cursor, it brings the next page; null: this is the last one.',
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
  description: 'By the time that turns tell of themselves; null without a stored turn.',
};

const turn = {
  id: string,
  user_id: string,
  session_id: string,
  role: string,
  text: { type: 'string', description: 'As it was said.' },
  timestamp: instant,
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
  Explanation: {
    ...object({
      base: { type: 'number', description: 'Log-odds of a fragment of which no feature says anything.' },
      parts: {
        ...list(
          object({
            feature: string,
            aspect: {
              type: 'string',
              enum: ['words', 'meaning', 'conversation', 'speaker', 'time', 'form'],
              description: 'What the feature looks at.',
            },
            log_odds: { type: 'number', description: 'What it adds or takes.' },
          }),
        ),
        description: 'The weightiest first.',
      },
      factor: {
        type: 'number',
        description:
          'Below 1 for an observation that takes a place behind the turns: the least of their scores.',
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
    ...told,
    kind: { type: 'string', enum: ['turn'] },
    role: string,
  }),
  ObservationEvent: object({
    ...told,
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
      description: 'The turn that it comes from; written with write_active false, that is not stored itself.',
    },
    source,
    text: string,
    timestamp: { ...instant, description: "The turn's." },
  }),
  Observations: page('observations', 'ObservationItem'),
  EntityItem: object({
    ...named,
    turns: { ...count, description: 'Turns of the scope that name it.' },
  }),
  Entities: page('entities', 'EntityItem'),
  TurnEntity: object(named),
  TurnDetails: object({
    ...turn,
    observations: { ...list(reference('ObservationItem')), description: 'What was made of it.' },
    entities: {
      ...list(reference('TurnEntity')),
      description: 'What it names. How many turns name the same is told by GET /memory/entities.',
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
      description: 'Its place in the log; null in the moment until it is projected.',
    },
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
      description: 'Every day of the month in its order, those without usage too; none that is to come.',
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
