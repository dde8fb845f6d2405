/** Shared by the suite of the contract: callers, bodies that are right, and the form of every refusal. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { untilDefined } from '../../support/wait.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A word that stands in submitted values; no refusal may hold it. */
export const MARK = 'zqecho';

export interface Usage {
  tokens_in: number;
  tokens_out: number;
}

export interface Hit {
  id: string;
  text: string;
  score: number;
  kind: string;
  timestamp: string;
  role?: string;
  user_id?: string;
  session_id?: string;
  source?: string;
  source_turn_ids?: string[];
  explanation?: {
    base: number;
    parts: { feature: string; aspect: string; log_odds: number }[];
    factor: number;
  };
}

export interface Entity {
  id?: string;
  label: string;
  score: number;
}

export interface Recalled {
  hits: { turns: Hit[]; observations: Hit[]; entities: Entity[] };
  confidence: number;
  timeline: string | null;
  context: string | null;
  mode: string;
  freshness: { indexed_until: string; from_tail: number };
  usage: Usage;
}

export interface Ingested {
  job_id: string;
  active_fragment_ids: string[];
  passive_job_id: string | null;
  usage: Usage;
}

export interface Job {
  job_id: string;
  status: 'queued' | 'done' | 'failed';
  turns: number;
  observations: number;
  entities: number;
  reason: string | null;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
}

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  roles: string[];
  user_id: string;
  session_id?: string | null;
  api_key: string;
  created_at: string;
  last_used_at: string | null;
}

export interface Fault {
  loc: (string | number)[];
  type: string;
  message: string;
}

export interface Refusal {
  error: string;
  message: string;
  details: ({ errors?: Fault[] } & Record<string, unknown>) | null;
  timestamp: string;
  request_id: string;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The text as JSON, when it says that it is. The caller knows the shape. */
  as<T>(): T;
}

export interface Sending {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
}

export const replyOf = (status: number, headers: Headers, text: string): Reply => ({
  status,
  headers,
  text,
  as: <T>() => JSON.parse(text) as T,
});

export const call = async (
  url: string,
  method: string,
  path: string,
  sending: Sending = {},
): Promise<Reply> => {
  const content = sending.raw ?? (sending.body === undefined ? undefined : JSON.stringify(sending.body));
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...(sending.token === undefined ? {} : { authorization: `Bearer ${sending.token}` }),
      ...sending.headers,
    },
    body: content as RequestInit['body'],
  });
  return replyOf(response.status, response.headers, await response.text());
};

/** The answer, once its status is the one that is wanted. */
export const ok = <T>(reply: Reply, status = 200): T => {
  expect(reply.status, reply.text.slice(0, 2000)).toBe(status);
  expect(reply.headers.get('x-correlation-id')).toMatch(UUID);
  return (reply.text === '' ? undefined : reply.as<T>()) as T;
};

/** Every refusal has the one error body; a detail of a stack or a path of a file in it is a fault. */
export const refused = (reply: Reply, status: number): Refusal => {
  expect(reply.status, reply.text.slice(0, 2000)).toBe(status);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  const body = reply.as<Refusal>();
  expect(Object.keys(body).sort()).toEqual(['details', 'error', 'message', 'request_id', 'timestamp']);
  expect(body.error).toBe(`HTTP ${status}`);
  expect(body.message).toMatch(/\S/);
  expect(body.details === null || (typeof body.details === 'object' && !Array.isArray(body.details))).toBe(
    true,
  );
  expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/);
  expect(body.request_id).toMatch(UUID);
  expect(reply.headers.get('x-correlation-id')).toBe(body.request_id);
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d|\n\s+at /);
  expect(reply.text).not.toContain(MARK);
  return body;
};

/** The places of all faults, as `body.turns.0.text`, in order. */
export const places = (refusal: Refusal): string[] => {
  const faults = refusal.details?.errors ?? [];
  for (const fault of faults) {
    expect(Object.keys(fault).sort()).toEqual(['loc', 'message', 'type']);
    expect(fault.type).toMatch(/^\S+$/);
    expect(fault.message).toMatch(/\S/);
  }
  return faults.map(fault => fault.loc.join('.')).sort();
};

export interface Caller {
  url: string;
  org: string;
  user: string;
  apiKey: string;
  token: string;
  tokens: Tokens;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  ingest(body: unknown): Promise<Ingested>;
  recall(body: unknown): Promise<Recalled>;
  get<T>(path: string): Promise<T>;
}

export const exchange = async (url: string, apiKey: string): Promise<Tokens> =>
  ok(await call(url, 'POST', '/auth/token-exchange', { body: { api_key: apiKey } }));

export const callerWith = async (url: string, apiKey: string): Promise<Caller> => {
  const tokens = await exchange(url, apiKey);
  const token = tokens.access_token;
  const send: Caller['send'] = (method, path, body, headers) =>
    call(url, method, path, { token, body, headers });
  const me = ok<{ org_id: string; user_id: string }>(await send('GET', '/me'));
  return {
    url,
    org: me.org_id,
    user: me.user_id,
    apiKey,
    token,
    tokens,
    send,
    ingest: async body => ok(await send('POST', '/ingestion/memory', body), 202),
    recall: async body => ok(await send('POST', '/recall', body)),
    get: async path => ok(await send('GET', path)),
  };
};

let organizations = 0;

/** A new organization's owner. */
export const signUp = async (url: string, name = 'org'): Promise<Caller> => {
  const org_id = `${name}-${process.pid}-${organizations++}`;
  const made = ok<{ org_id: string; user_id: string; api_key: string }>(
    await call(url, 'POST', '/signup', { body: { org_id } }),
    201,
  );
  return callerWith(url, made.api_key);
};

export const newKey = async (owner: Caller, body: object = {}): Promise<ApiKey> =>
  ok(await owner.send('POST', '/me/api-keys', { name: 'of a test', ...body }), 201);

/** Another principal of the organization. */
export const colleague = async (owner: Caller, body: object): Promise<Caller> =>
  callerWith(owner.url, (await newKey(owner, body)).api_key);

export const AT = '2026-01-05T09:30:00Z';

export const turn = (text: string, rest: object = {}) => ({ role: 'user', text, timestamp: AT, ...rest });

export const write = (turns: unknown, rest: object = {}) => ({ scope: { org_id: 'any' }, turns, ...rest });

export const query = (q: unknown, rest: object = {}) => ({ scope: { org_id: 'any' }, q, ...rest });

/** Asks until the job is no longer queued. */
export const finished = (caller: Caller, id: string): Promise<Job> =>
  untilDefined(`job ${id} is no longer queued`, async () => {
    const job = await caller.get<Job>(`/ingestion/jobs/${id}`);
    return job.status === 'queued' ? undefined : job;
  });

const LONGEST_MS = 10_000;

/**
 * Returns what the server says to these bytes, until it closes or has been quiet for `quietMs` after its
 * first byte.
 */
export const speak = async (url: string, bytes: string | Uint8Array, quietMs = 400): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let heard = '';
  let timer: NodeJS.Timeout | undefined;
  const closed = new Promise<void>(resolve => {
    socket.on('close', resolve);
    socket.on('error', () => resolve());
    timer = setTimeout(resolve, LONGEST_MS);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      heard += chunk;
      clearTimeout(timer);
      // Behind an interim answer comes another.
      timer = setTimeout(resolve, /^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n$/.test(heard) ? LONGEST_MS : quietMs);
    });
  });
  socket.write(bytes);
  await closed;
  clearTimeout(timer);
  socket.destroy();
  return heard;
};

/** The first answer among those bytes. */
export const parsed = (heard: string): Reply => {
  const [head = '', ...rest] = heard.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = new Headers();
  for (const field of fields)
    headers.append(field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim());
  const length = Number(headers.get('content-length') ?? 0);
  const text = Buffer.from(rest.join('\r\n\r\n').slice(0, length), 'latin1').toString('utf8');
  return replyOf(Number(line.split(' ')[1]), headers, text);
};
