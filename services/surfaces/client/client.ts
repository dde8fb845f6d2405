import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, type ExitStatus, failure } from './exit.ts';

/** The pause before each retry, in milliseconds (interface specification, section 7). */
const PAUSES_MS = [500, 1_000];
const RETRIED = new Set([408, 500, 502, 503, 504]);
/** A longer Retry-After is reported to the caller instead of waited for. */
const LONGEST_PAUSE_MS = 60_000;
const ANSWER_WITHIN_MS = 60_000;

export interface Answer {
  status: number;
  retryAfterMs: number;
  body: unknown;
}

interface ErrorBody {
  message?: string;
  details?: { error?: string; errors?: { loc: (string | number)[]; message: string }[] } | null;
  request_id?: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Whether it may be sent again when its arrival is unknown. */
  repeatable: boolean;
  /** Whether a 404 to a repeated request is a success: the first one removed it, and its answer was lost. */
  isDoneWhenGone?: boolean;
  /** Aborts the call and the pauses between its attempts; `call` then rejects. */
  signal?: AbortSignal;
}

/** A token's claims: its owner and its roles; a service of another version may omit some. */
export interface Claims {
  org_id?: string;
  user_id?: string;
  /** The session of calls that name none. */
  session_id?: string;
  /** Whether user and session are bounds instead of defaults. */
  strict?: boolean;
  roles?: string[];
}

export interface Client {
  /** The answer's body. Throws a `Failure` with a message for people and an exit status. */
  call(request: Request): Promise<unknown>;
  /** The organization of the key, from its token. */
  organization(): Promise<string>;
  /** The claims of the key's token. */
  claims(): Promise<Claims>;
}

/** The server's answer behind a failure of `call`; undefined when there was no answer. */
export const answerOf = (error: unknown): Answer | undefined => {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return typeof cause === 'object' && cause !== null && 'retryAfterMs' in cause
    ? (cause as Answer)
    : undefined;
};

const statusOf = (status: number): ExitStatus => {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  return status >= 500 || status === 408 ? EXIT.unavailable : EXIT.failure;
};

const reasons = ({ status, body }: Answer, organization: string | undefined): string[] => {
  const { details } = (body ?? {}) as ErrorBody;
  if (status === 429 && details?.error === 'quota_exceeded')
    return [
      `an operator raises the caps with: turnstone orgs set-limits ${organization ?? 'ORG'} --tokens-in N --tokens-out N`,
    ];
  return (details?.errors ?? []).map(({ loc, message }) => `${loc.join('.')}: ${message}`);
};

/** Converts an unsuccessful answer into a failure for people. */
const refused = (answer: Answer, options: ClientOptions, organization?: string): Error => {
  const { message, request_id } = (answer.body ?? {}) as ErrorBody;
  const id = request_id && answer.status >= 500 ? ` (request ${request_id})` : '';
  const first = `the server answered ${answer.status}: ${message ?? 'no reason given'}${id}`;
  const more = answer.status === 401 ? (options.hints ?? []) : reasons(answer, organization);
  return failure(statusOf(answer.status), [first, ...more].join('\n  '), answer);
};

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as Claims;

type Send = (request: Omit<Request, 'repeatable' | 'isDoneWhenGone'>, token?: string) => Promise<Answer>;
type SendWithRetries = (request: Request, token?: string) => Promise<Answer>;
type Pause = (ms: number, signal?: AbortSignal) => Promise<unknown>;

interface ClientOptions {
  url: string;
  apiKey: string;
  /** Lines for people below a failure to reach the service or to be let in: whose key it is, how to start a server. */
  hints?: readonly string[];
  /** The original caller's address: a service that trusts our address as a proxy counts failed attempts by it. */
  forwardedFor?: string;
  pause?: Pause;
}

/** Sends one request and returns one answer; rejects without an answer within 60 seconds. */
const makeSend =
  ({ url, forwardedFor }: ClientOptions): Send =>
  async ({ method, path, body, signal }, token) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN_MS), ...(signal ? [signal] : [])]),
    });
    const text = await response.text();
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    let parsed: unknown = null;
    try {
      parsed = text === '' ? null : JSON.parse(text);
    } catch {
      // The body is not from the service, for example a proxy's; the status is enough.
    }
    return {
      status: response.status,
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0,
      body: parsed,
    };
  };

const unreachable = ({ url, hints = [] }: ClientOptions, error: unknown): Error => {
  const { cause = error } = error as { cause?: { code?: string; message?: string } };
  const { code, message } = cause as { code?: string; message?: string };
  const first = `no answer from ${new URL(url).origin}: ${code ?? message}`;
  return failure(EXIT.unavailable, [first, ...hints].join('\n  '), error);
};

const makeRetries =
  (send: Send, options: ClientOptions, pause: Pause): SendWithRetries =>
  async (request, token) => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt === PAUSES_MS.length || !request.repeatable;
      let retryAfterMs = 0;
      try {
        const answer = await send(request, token);
        if (attempt > 0 && request.isDoneWhenGone && answer.status === 404)
          return { ...answer, status: 204, body: null };
        if (last || !RETRIED.has(answer.status) || answer.retryAfterMs > LONGEST_PAUSE_MS) return answer;
        retryAfterMs = answer.retryAfterMs;
      } catch (error) {
        request.signal?.throwIfAborted();
        if (last) throw unreachable(options, error);
      }
      await pause(Math.max(PAUSES_MS[attempt]!, retryAfterMs), request.signal);
    }
  };

interface TokenHolder {
  /** Concurrent calls that need a token share one exchange. */
  current(): Promise<Tokens>;
  /** After a 401: the successor of `old`, which `seen` resolved to. Concurrent calls share it too. */
  renewed(old: Tokens, seen: Promise<Tokens>): Promise<Tokens>;
}

const holdTokens = (send: SendWithRetries, options: ClientOptions): TokenHolder => {
  let tokens: Promise<Tokens> | undefined;

  const request = async (path: string, body: unknown): Promise<Tokens> => {
    const answer = await send({ method: 'POST', path, body, repeatable: true });
    if (answer.status !== 200) throw refused(answer, options);
    return answer.body as Tokens;
  };
  const exchange = (): Promise<Tokens> => request('/auth/token-exchange', { api_key: options.apiKey });

  /** Keeps the pending request and drops it if it fails, so that the next call tries again. */
  const hold = (requested: Promise<Tokens>): Promise<Tokens> => {
    tokens = requested.catch(error => {
      tokens = undefined;
      throw error;
    });
    return tokens;
  };
  const current = (): Promise<Tokens> => tokens ?? hold(exchange());

  return {
    current,
    renewed: ({ refresh_token }, seen) =>
      tokens === seen ? hold(request('/auth/refresh', { refresh_token }).catch(exchange)) : current(),
  };
};

/**
 * A small client for the HTTP contract: exchanges the key when a token is first needed, refreshes on a 401, falls back to
 * an exchange, and retries as section 7 specifies.
 */
export const makeClient = (options: ClientOptions): Client => {
  const { pause = (ms, signal) => delay(ms, undefined, { signal }) } = options;
  const send = makeRetries(makeSend(options), options, pause);
  const tokens = holdTokens(send, options);

  const claims = async (): Promise<Claims> => claimsOf((await tokens.current()).access_token);
  return {
    call: async request => {
      const seen = tokens.current();
      const held = await seen;
      let answer = await send(request, held.access_token);
      if (answer.status === 401)
        answer = await send(request, (await tokens.renewed(held, seen)).access_token);
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      throw refused(answer, options, claimsOf(held.access_token).org_id);
    },
    organization: async () => (await claims()).org_id ?? '',
    claims,
  };
};
