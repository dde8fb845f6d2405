/** The HTTP layer over accounts in memory and use cases of the test's own: for what HTTP itself decides. */
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { makeCursorSeal } from '../../../core/sealed-cursors.ts';
import type { MemoryLists, UseCases } from '../../../core/use-cases.ts';
import { makeMetrics } from '../../../core/watch/metrics.ts';
import { auditOperations } from '../../../schemas/http/audit.ts';
import { turnOperations } from '../../../schemas/http/items.ts';
import { lists } from '../../../schemas/http/lists.ts';
import { nameOperations } from '../../../schemas/http/names.ts';
import { statsOperations } from '../../../schemas/http/stats.ts';
import { webhookOperations } from '../../../schemas/http/webhooks.ts';
import { type AppOptions, endpointsOf, makeApp } from '../../../services/surfaces/http/app.ts';
import { makeHttpServer } from '../../../services/surfaces/http/connection/server.ts';
import type { Endpoint } from '../../../services/surfaces/http/endpoint.ts';
import { context, type TestAccounts, testAccounts } from '../worlds/accounts.ts';

/** Sealed with a key that every app of a test has, as the processes of one installation have. */
const INSTALLATION_KEY = createSecretKey(Buffer.alloc(32, 7));
export const testCursors = makeCursorSeal({ read: () => [INSTALLATION_KEY] });

export interface TestApp extends TestAccounts {
  url: string;
  port: number;
  /** A key and an access token of the organization `acme`, with every role. */
  apiKey: string;
  token: string;
  /** Every line that was logged, parsed. */
  logged: Record<string, unknown>[];
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  close(): Promise<void>;
}

export interface CallOptions {
  /** Sent as JSON; a string or bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: the token of `acme`; null: none. */
  token?: string | null;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed; undefined when it isn't JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  json: any;
}

const usage = { tokens_in: 1, tokens_out: 0 };
const freshness = { indexed_until: '2026-01-01T00:00:00.000Z', from_tail: 0 };
const emptyMonth = { start: '2026-03-01T00:00:00+00:00', end: '2026-04-01T00:00:00+00:00', ...usage };

const turn = {
  id: 'trn_1',
  user_id: 'ada',
  session_id: 's',
  role: 'user',
  text: 'I moved to Lyon.',
  timestamp: '2026-01-01T00:00:00.000Z',
};
const observation = {
  id: 'obs_1',
  user_id: 'ada',
  session_id: 's',
  turn_id: turn.id,
  source: 'rules' as const,
  text: 'user moved to Lyon',
  timestamp: turn.timestamp,
};
const entity = { id: 'ent_1', user_id: 'ada', label: 'Lyon', kind: 'place' };

/** Every list answers with the example of its operation. */
const exampleLists = Object.fromEntries(
  Object.entries(lists).map(([name, { answer }]) => [name, async () => answer.example]),
) as unknown as MemoryLists;

const { readTurn } = turnOperations;

/** Answers that are right in shape and say nothing. */
export const stubUseCases: UseCases = {
  audit: async () => auditOperations.readAudit.answer.example!,
  stats: async () => statsOperations.readStats.answer.example!,
  listWebhooks: async () => webhookOperations.listWebhooks.answer.example!.webhooks,
  createWebhook: async () => webhookOperations.createWebhook.answer.example!,
  deleteWebhook: async () => {},
  webhookDeliveries: async () => webhookOperations.listWebhookDeliveries.answer.example!.deliveries,
  resumeWebhook: async () => webhookOperations.resumeWebhook.answer.example!,
  ingest: async (_principal, body) => ({
    job_id: 'job_1',
    active_fragment_ids: body.turns.map((_, i) => `trn_${i}`),
    passive_job_id: null,
    usage,
  }),
  job: async (_principal, id) => ({
    job_id: id,
    status: 'done',
    turns: 1,
    observations: 0,
    entities: 0,
    reason: null,
  }),
  say: async () => ({ ...observation, turn_id: null, source: 'client', usage }),
  correct: async () => ({ ...observation, turn_id: null, source: 'client', usage }),
  recallReceipt: async (_principal, id) => ({
    receipt_id: id,
    recalled_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-04-01T00:00:00.000Z',
    q: 'Where?',
    mode: 'active',
    as_of: null,
    ranker: 'r',
    confidence: 0.5,
    hits: [{ kind: 'turn', used_in: 'hits', status: 'erased', id: 'trn_1', score: 0.5 }],
    feedback: { helpful: 0, wrong: 0 },
  }),
  giveFeedback: async (_principal, id, asked) => ({ receipt_id: id, ...asked }),
  retractTurn: async () => {},
  retractObservation: async () => {},
  correctEntity: async () => ({ ...entity, turns: 1, aliases: [] }),
  nameUser: async (_principal, id, { names }) => ({
    user_id: id,
    sessions: 1,
    turns: 1,
    last_at: turn.timestamp,
    names,
    suggested_names: [],
  }),
  titleSession: async () => ({
    user_id: 'ada',
    session_id: 's',
    title: 'Soup',
    turns: 1,
    first_at: turn.timestamp,
    last_at: turn.timestamp,
  }),
  erase: async () => ({
    erased: { turns: 1, observations: 0, entities: 0, sessions: 1 },
    erased_at: '2026-01-01T00:00:00.000Z',
    receipt: 'e30.e30.e30',
  }),
  recall: async (_principal, body) => ({
    hits: {
      turns: [
        {
          id: 'trn_1',
          text: '[2026-01-01] [user] hello',
          content: 'hello',
          said_at: '2026-01-01T00:00:00.000Z',
          score: 0.5,
          kind: 'turn',
          timestamp: '1767225600',
          user_id: 'owner',
          session_id: 's',
          role: 'user',
        },
      ],
      observations: [],
      entities: [{ id: 'ent_1', label: 'Lyon', score: 0.4, kind: 'entity' }],
    },
    confidence: 0.5,
    timeline: null,
    context: null,
    mode: body.mode ?? 'active',
    freshness,
    usage,
  }),
  feed: async () =>
    (async function* () {
      yield { kind: 'beat' as const, position: 'WzEsW10sW11d' };
    })(),
  exported: async () =>
    (async function* () {
      yield ['{"end":true,"events":0}'];
    })(),
  usageToday: async () => ({ period: 'day_utc', limits: { tokens_in: 1, tokens_out: 1 }, ...emptyMonth }),
  lists: {
    ...exampleLists,
    user: async () => nameOperations.readUser.answer.example!,
    turn: async (_principal, id) => ({ ...readTurn.answer.example!, id }),
  },
  usageDaily: async () => ({
    period: 'month',
    start: emptyMonth.start,
    end: emptyMonth.end,
    days: [{ day: '2026-03-01', ...usage }],
  }),
  usageStatement: async () => ({ statement: 'eyJ.eyJ.sig' }),
  usageMonth: async () => ({ period: 'month', ...emptyMonth }),
  ready: async () => ({ ready: true, degraded: [], engines: { log: { ok: true, detail: 'answers' } } }),
};

export interface TestAppOptions {
  useCases?: Partial<UseCases>;
  trustedProxies?: string[];
  deadlineMs?: number;
  signup?: 'open' | 'closed';
  authFailuresPerMinute?: number;
  /** Beside the contract's. */
  pages?: Endpoint[];
  /** Whether requests of the exact shape go past express; default: yes. */
  direct?: boolean;
}

export const startApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const { signup = 'open', authFailuresPerMinute = 30 } = options;
  const accounts = testAccounts({ signup, authFailuresPerMinute });
  const logged: Record<string, unknown>[] = [];
  const appOptions: AppOptions = {
    useCases: { ...stubUseCases, ...options.useCases },
    accounts: accounts.accounts,
    cursors: testCursors,
    log: pino({ level: 'debug', base: undefined }, { write: line => void logged.push(JSON.parse(line)) }),
    metrics: makeMetrics(),
    clock: accounts.now,
    config: {
      trustedProxies: options.trustedProxies ?? [],
      deadlineMs: options.deadlineMs,
      direct: options.direct,
    },
  };
  const app = makeApp(appOptions, [...endpointsOf(appOptions), ...(options.pages ?? [])]);
  const server: Server = makeHttpServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  // Made beside HTTP, so that it works with sign-up closed.
  const open = signup === 'open' ? accounts.accounts : accounts.another({ config: openConfig });
  const { api_key: apiKey } = await open.signUp({ org_id: 'acme' }, context);
  const { access_token: token } = await open.exchange(apiKey, '192.0.2.250', context);

  const call: TestApp['call'] = async (method, path, { body, headers, token: as = token } = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...headers,
      },
      body: body === undefined ? undefined : isRaw ? (body as string) : JSON.stringify(body),
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, json };
  };

  return {
    ...accounts,
    url,
    port,
    apiKey,
    token,
    logged,
    call,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
};

const openConfig = {
  signup: 'open',
  authFailuresPerMinute: 30,
  limits: { tokens_in: 1_000_000, tokens_out: 5_000_000 },
} as const;
