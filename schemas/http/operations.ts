import {
  createKeySchema,
  eraseQuery,
  eraseSchema,
  exchangeSchema,
  ingestSchema,
  monthSchema,
  type Role,
  recallSchema,
  refreshSchema,
  signUpSchema,
} from './requests.ts';

/** One endpoint, as the document tells of it. */
export interface Operation {
  method: 'get' | 'post' | 'delete';
  /** `/me/api-keys/{id}`. */
  path: string;
  id: string;
  summary: string;
  description?: string;
  tag: 'Tokens' | 'Memory' | 'Usage' | 'Accounts' | 'Operations';
  /** Roles of which one is needed; empty: any token; undefined: open. */
  access?: readonly Role[];
  request?: { schema: string; example: unknown; optional?: true };
  query?: Record<string, object>;
  answer: { status: number; description: string; schema?: object; contentType?: string };
  /** Refusals beside those of its access and its body. */
  statuses: readonly number[];
}

export const bodySchemas: Record<string, object> = {
  TokenExchange: exchangeSchema,
  TokenRefresh: refreshSchema,
  SignUp: signUpSchema,
  CreateApiKey: createKeySchema,
  Ingest: ingestSchema,
  Recall: recallSchema,
  Erase: eraseSchema,
};

const json = (status: number, description: string, name: string): Operation['answer'] => ({
  status,
  description,
  schema: { $ref: `#/components/schemas/${name}` },
});

const scope = { org_id: 'local', user_id: 'ada', session_id: 'monday' };

export const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/auth/token-exchange',
    id: 'exchangeToken',
    summary: 'Exchange an API key for tokens',
    description: 'Failed exchanges are rate limited by client address and by key.',
    tag: 'Tokens',
    request: { schema: 'TokenExchange', example: { api_key: 'ts_…' } },
    answer: json(200, 'An access token for 24 hours and a refresh token for 7 days.', 'Tokens'),
    statuses: [401, 403, 429, 503],
  },
  {
    method: 'post',
    path: '/auth/refresh',
    id: 'refreshToken',
    summary: 'Renew the tokens',
    description:
      'The refresh token is rotated: store the one returned. A used one presented again within 60 seconds gets the same successor; later, or once the successor was used, it revokes its family.',
    tag: 'Tokens',
    request: { schema: 'TokenRefresh', example: { refresh_token: 'eyJ…' } },
    answer: json(200, 'A new access token and the next refresh token.', 'Tokens'),
    statuses: [401, 503],
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    id: 'signingKeys',
    summary: 'The keys that sign the tokens',
    tag: 'Tokens',
    answer: json(200, 'A JWK set; tokens name their key by kid.', 'Jwks'),
    statuses: [],
  },
  {
    method: 'post',
    path: '/ingestion/memory',
    id: 'ingest',
    summary: 'Write turns',
    description:
      'When the answer is there the turns can be recalled. Sending a turn again is a no-op: nothing is stored or billed twice.',
    tag: 'Memory',
    access: ['memory:write'],
    request: {
      schema: 'Ingest',
      example: {
        scope,
        turns: [{ role: 'user', text: 'I moved to Lyon last week.', timestamp: '2026-01-05T09:30:00Z' }],
      },
    },
    answer: json(202, 'Stored; the enrichment goes on in the background.', 'Ingested'),
    statuses: [429, 503],
  },
  {
    method: 'get',
    path: '/ingestion/jobs/{id}',
    id: 'job',
    summary: 'What became of a write',
    description: 'For both job ids of an ingestion.',
    tag: 'Memory',
    access: ['memory:write', 'memory:read'],
    answer: json(200, 'The state of the job.', 'Job'),
    statuses: [400, 404, 503],
  },
  {
    method: 'post',
    path: '/recall',
    id: 'recall',
    summary: 'Find what was said',
    description:
      'One ranking of turns, observations and entities, split by kind. The mode deep spends more to reach what one pass can not.',
    tag: 'Memory',
    access: ['memory:read'],
    request: { schema: 'Recall', example: { scope: { org_id: 'local' }, q: 'Where does Ada live?' } },
    answer: json(200, 'Hits, best first.', 'Recalled'),
    statuses: [429, 503],
  },
  {
    method: 'delete',
    path: '/memory',
    id: 'erase',
    summary: 'Erase a user or a session',
    description:
      'Destroys the keys of the scope, so that its words are gone from the log and its backups, and takes it out of all that can be asked. Name it in the body or in the query. What was billed stays. There is no way back; to repeat it does no harm.',
    tag: 'Memory',
    access: ['memory:write'],
    request: { schema: 'Erase', example: { scope }, optional: true },
    query: eraseQuery,
    answer: json(200, 'Gone; with a receipt, signed by a key of /.well-known/jwks.json.', 'Erased'),
    statuses: [503],
  },
  {
    method: 'get',
    path: '/events',
    id: 'feed',
    summary: 'Follow what is written',
    description:
      'Server-sent events: the turns and observations that the principal may see, then those that come. A session comes in its order, a turn before its observations. The id of an event is a position: sent back as Last-Event-ID, or else as after, it goes on behind that event, with no gap and no repeat. The data is a TurnEvent or an ObservationEvent. The stream ends when the token does.',
    tag: 'Memory',
    access: ['memory:read'],
    query: {
      after: {
        type: 'string',
        description: 'The id of an event, or now: only what comes. Default: from the beginning.',
      },
    },
    answer: {
      status: 200,
      description: 'A stream that stays open.',
      schema: { type: 'string' },
      contentType: 'text/event-stream',
    },
    statuses: [422, 503],
  },
  {
    method: 'get',
    path: '/export',
    id: 'export',
    summary: 'Export the organization',
    description:
      'Its events as JSON Lines: a header, the events as they were recorded, and a last line that counts them. Without that line it was cut short.',
    tag: 'Memory',
    access: ['*'],
    answer: {
      status: 200,
      description: 'JSON Lines.',
      schema: { type: 'string' },
      contentType: 'application/x-ndjson',
    },
    statuses: [503],
  },
  {
    method: 'get',
    path: '/usage/today',
    id: 'usageToday',
    summary: 'Usage of the running UTC day',
    tag: 'Usage',
    access: ['usage:read'],
    answer: json(200, 'With every call that was answered before.', 'UsageToday'),
    statuses: [503],
  },
  {
    method: 'get',
    path: '/usage/summary',
    id: 'usageMonth',
    summary: 'Usage of a calendar month in UTC',
    tag: 'Usage',
    access: ['usage:read'],
    query: { month: { ...monthSchema, description: 'YYYY-MM; default: the current month.' } },
    answer: json(200, 'With every call that was answered before.', 'UsageMonth'),
    statuses: [422, 503],
  },
  {
    method: 'post',
    path: '/signup',
    id: 'signUp',
    summary: 'Make an organization',
    description: 'The configuration may close sign-up (403).',
    tag: 'Accounts',
    request: { schema: 'SignUp', example: { org_id: 'acme', name: 'Acme' } },
    answer: json(201, 'The organization and its first API key.', 'SignedUp'),
    statuses: [403, 409, 503],
  },
  {
    method: 'get',
    path: '/me',
    id: 'me',
    summary: 'Who the token speaks for',
    tag: 'Accounts',
    access: [],
    answer: json(200, 'The organization, the user and the roles.', 'Me'),
    statuses: [404, 503],
  },
  {
    method: 'get',
    path: '/me/api-keys',
    id: 'listApiKeys',
    summary: 'The API keys of the organization',
    tag: 'Accounts',
    access: ['keys:manage'],
    answer: json(200, 'Oldest first, without the revoked ones.', 'ApiKeys'),
    statuses: [503],
  },
  {
    method: 'post',
    path: '/me/api-keys',
    id: 'createApiKey',
    summary: 'Make an API key',
    tag: 'Accounts',
    access: ['keys:manage'],
    request: { schema: 'CreateApiKey', example: { name: 'reader', roles: ['memory:read'] } },
    answer: json(201, 'The key; its secret is shown this once.', 'NewApiKey'),
    statuses: [503],
  },
  {
    method: 'delete',
    path: '/me/api-keys/{id}',
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Its tokens are refused from then on.',
    tag: 'Accounts',
    access: ['keys:manage'],
    answer: { status: 204, description: 'Revoked.' },
    statuses: [400, 404, 503],
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'health',
    summary: 'The process lives',
    tag: 'Operations',
    answer: json(200, 'It does.', 'Health'),
    statuses: [],
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'readiness',
    summary: 'The engines answer',
    tag: 'Operations',
    answer: json(200, 'All of them; a 503 lists them too.', 'Readiness'),
    statuses: [503],
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'metrics',
    summary: 'Metrics for Prometheus',
    tag: 'Operations',
    answer: { status: 200, description: 'Text.', schema: { type: 'string' }, contentType: 'text/plain' },
    statuses: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openApi',
    summary: 'This document',
    tag: 'Operations',
    answer: { status: 200, description: 'OpenAPI 3.1.', schema: { type: 'object' } },
    statuses: [],
  },
  {
    method: 'get',
    path: '/docs',
    id: 'docs',
    summary: 'This document as a page',
    tag: 'Operations',
    answer: { status: 200, description: 'HTML.', schema: { type: 'string' }, contentType: 'text/html' },
    statuses: [],
  },
];
