/** Example answers for the OpenAPI document; a test validates each against its schema. */
import { encodeCursor } from './cursor.ts';

const USAGE = { tokens_in: 7, tokens_out: 0 };
const TURN_ID = 'trn_01c1867ad1376fca818c9058dcbb892e';
const day = { start: '2026-03-09T00:00:00+00:00', end: '2026-03-10T00:00:00+00:00' };
const month = { start: '2026-03-01T00:00:00+00:00', end: '2026-04-01T00:00:00+00:00' };
const limits = { tokens_in: 1_000_000, tokens_out: 5_000_000 };
const apiKey = {
  id: '3a34f8c3bba037b0',
  name: 'reader',
  prefix: 'ts_3a34f8c3bba037b0',
  roles: ['memory:read'],
  user_id: 'owner',
  session_id: null,
  created_at: '2026-03-09T09:30:00.000Z',
  last_used_at: null,
};
const said = { user_id: 'ada', session_id: 'monday', timestamp: '2026-01-05T09:30:00.000Z' };
const turn = { id: TURN_ID, ...said, role: 'user', text: 'I moved to Lyon last week.' };
const observation = {
  id: 'obs_01c1867a219d190b83849f09f87766fe',
  ...said,
  turn_id: TURN_ID,
  source: 'rules',
  text: 'The user moved to Lyon in the week of 29 December 2025.',
};
const entity = { id: 'ent_050456b33527481e45828878', user_id: 'ada', label: 'Lyon', kind: 'place' };
const AT = [said.user_id, said.session_id, Date.parse(said.timestamp), 1042, TURN_ID] as const;
const tokens = { access_token: 'eyJ…', refresh_token: 'eyJ…', token_type: 'bearer', expires_in: 86_400 };

/** Examples of successful answers, by operation id. */
export const answerExamples: Record<string, unknown> = {
  exchangeToken: tokens,
  refreshToken: tokens,
  signingKeys: { keys: [{ kty: 'RSA', kid: '4hrxz6ur…', use: 'sig', alg: 'RS256', n: 'w5dK…', e: 'AQAB' }] },
  ingest: {
    job_id: 'job_6db74e8b13c9ebc98e44dde372aa24c1',
    active_fragment_ids: [TURN_ID],
    passive_job_id: 'enr_6db74e8b13c9ebc98e44dde372aa24c1',
    usage: USAGE,
  },
  job: {
    job_id: 'enr_6db74e8b13c9ebc98e44dde372aa24c1',
    status: 'done',
    turns: 1,
    observations: 1,
    entities: 1,
    reason: null,
  },
  recall: {
    hits: {
      turns: [
        {
          id: TURN_ID,
          score: 0.61,
          kind: 'turn',
          timestamp: '1767605400',
          user_id: 'ada',
          session_id: 'monday',
          text: '[2026-01-05] [user] I moved to Lyon last week.',
          role: 'user',
        },
      ],
      observations: [],
      entities: [{ id: entity.id, label: 'Lyon', score: 0.12, kind: 'entity' }],
    },
    confidence: 0.94,
    timeline: null,
    mode: 'active',
    usage: { tokens_in: 6, tokens_out: 17 },
  },
  erase: {
    erased: { turns: 3, observations: 2, entities: 6, sessions: 1 },
    erased_at: '2026-03-09T09:30:00.000Z',
    receipt: 'eyJ…',
  },
  feed: `id: WzEsWzJdLFtdXQ
event: turn
data: {"id":"${TURN_ID}","text":"I moved to Lyon last week.","kind":"turn","timestamp":"1767605400","user_id":"ada","session_id":"monday","role":"user","recorded_at":"2026-01-05T09:30:01.744Z"}
`,
  export: `{"format":"turnstone-export","version":1,"org_id":"local","exported_at":"2026-03-09T09:30:00.000Z"}
…
{"end":true,"events":18}
`,
  listUsers: {
    users: [{ user_id: 'ada', sessions: 4, turns: 120, last_at: '2026-03-08T21:14:00.000Z' }],
    next_cursor: encodeCursor('users', [said.user_id]),
  },
  listSessions: {
    sessions: [
      {
        user_id: 'ada',
        session_id: 'monday',
        turns: 31,
        first_at: '2026-01-05T09:30:00.000Z',
        last_at: '2026-01-05T10:02:00.000Z',
      },
    ],
    next_cursor: null,
  },
  listTurns: { turns: [turn], next_cursor: encodeCursor('turns asc', [...AT]) },
  readTurn: {
    ...turn,
    observations: [observation],
    entities: [entity],
    provenance: { topic: 'turns', partition: 3, offset: 1042, recorded_at: '2026-01-05T09:30:01.744Z' },
  },
  listObservations: { observations: [observation], next_cursor: null },
  listEntities: { entities: [{ ...entity, turns: 1 }], next_cursor: null },
  usageDaily: {
    period: 'month',
    ...month,
    days: [
      { day: '2026-03-01', tokens_in: 1_204, tokens_out: 8_450 },
      { day: '2026-03-02', tokens_in: 0, tokens_out: 0 },
    ],
  },
  usageToday: { period: 'day_utc', ...day, tokens_in: 1_204, tokens_out: 8_450, limits },
  usageMonth: { period: 'month', ...month, tokens_in: 30_411, tokens_out: 190_002 },
  signUp: { org_id: 'acme', user_id: 'owner', api_key: 'ts_…' },
  me: {
    org_id: 'acme',
    user_id: 'owner',
    roles: ['*'],
    plan: 'free',
    limits,
    created_at: '2026-03-01T08:00:00.000Z',
  },
  listApiKeys: { api_keys: [apiKey] },
  createApiKey: { ...apiKey, api_key: 'ts_…' },
  health: { status: 'ok' },
  readiness: {
    ready: true,
    engines: { log: { ok: true, detail: 'answers' }, projections: { ok: true, detail: '0 events behind' } },
  },
};

const refusalOf = (
  status: number,
  message: string,
  details: Record<string, unknown> | null = null,
): object => ({
  error: `HTTP ${status}`,
  message,
  details,
  timestamp: '2026-03-09T09:30:00.000Z',
  request_id: '4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90',
});

/** Examples of error answers, by status. */
export const refusalExamples: Record<number, unknown> = {
  400: refusalOf(400, 'The request is malformed.', {
    errors: [{ loc: ['body', 'turns', 0, 'text'], type: 'missing', message: 'is required' }],
  }),
  401: refusalOf(401, 'The token is missing, invalid or expired.'),
  403: refusalOf(403, 'The token lacks the role memory:write.'),
  404: refusalOf(404, 'There is nothing at this path.'),
  405: refusalOf(405, 'The methods of this path are GET, HEAD, OPTIONS.'),
  409: refusalOf(409, 'The organization id is taken.'),
  413: refusalOf(413, 'The body must have at most 4194304 bytes.'),
  415: refusalOf(415, 'The body must be sent with Content-Type: application/json in UTF-8.'),
  422: refusalOf(422, 'The request breaks a rule.', {
    errors: [{ loc: ['body', 'top_k'], type: 'out_of_range', message: 'must be at most 50' }],
  }),
  429: refusalOf(429, 'The daily cap of ingress tokens would be exceeded by this call.', {
    error: 'quota_exceeded',
    kind: 'tokens_in_daily',
    used: 999_996,
    limit: 1_000_000,
    period: 'day_utc',
    period_start: '2026-03-09T00:00:00.000Z',
    message: 'The daily cap of ingress tokens would be exceeded by this call. It opens again at 00:00 UTC.',
  }),
  500: refusalOf(500, 'Something went wrong on our side.'),
  503: refusalOf(503, 'The service took too long; try again.'),
};
