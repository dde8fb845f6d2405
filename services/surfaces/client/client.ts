import { setTimeout as delay } from 'node:timers/promises';
import { EXIT, type ExitStatus, failure } from './exit.ts';

/** The pause before each retry, in milliseconds (interface specification, section 7). */
const PAUSES_MS = [500, 1_000];
const RETRIED = new Set([408, 500, 502, 503, 504]);
/** A longer Retry-After is reported instead of waited for. */
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
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
  /** May be sent again if it is unknown whether it arrived. */
  repeatable: boolean;
  /** Aborts the call and the pauses between its attempts; `call` then rejects. */
  signal?: AbortSignal;
}

/** A token's claims: its owner and its roles; a service of another version may omit some. */
export interface Claims {
  org_id?: string;
  user_id?: string;
  /** The session that the key is bound to. */
  session_id?: string;
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

/** The server's answer behind a failure of `call`; undefined when there was none. */
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

const hints = ({ status, body }: Answer, organization: string | undefined): string[] => {
  const { details } = (body ?? {}) as ErrorBody;
  if (status === 429 && details?.error === 'quota_exceeded')
    return [
      `an operator raises the caps with: turnstone orgs set-limits ${organization ?? 'ORG'} --tokens-in N --tokens-out N`,
    ];
  return (details?.errors ?? []).map(({ loc, message }) => `${loc.join('.')}: ${message}`);
};

/** The failure that a person reads for an unsuccessful answer. */
const refused = (answer: Answer, organization?: string): Error => {
  const { message, request_id } = (answer.body ?? {}) as ErrorBody;
  const id = request_id && answer.status >= 500 ? ` (request ${request_id})` : '';
  const first = `the server answered ${answer.status}: ${message ?? 'no reason given'}${id}`;
  return failure(statusOf(answer.status), [first, ...hints(answer, organization)].join('\n  '), answer);
};

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as Claims;

/**
 * A small client of the HTTP contract: exchanges the key when a token is first needed, refreshes on a 401,
 * falls back to an exchange, and retries as section 7 specifies. Concurrent calls share their tokens.
 */
export const makeClient = ({
  url,
  apiKey,
  forwardedFor,
  pause = (ms: number, signal?: AbortSignal): Promise<unknown> => delay(ms, undefined, { signal }),
}: {
  url: string;
  apiKey: string;
  /** The original caller: a service that trusts this address as a proxy counts failed attempts by it. */
  forwardedFor?: string;
  pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}): Client => {
  let tokens: Promise<Tokens> | undefined;

  const send = async (request: Omit<Request, 'repeatable'>, token?: string): Promise<Answer> => {
    const response = await fetch(url + request.path, {
      method: request.method,
      headers: {
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}),
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal: AbortSignal.any([
        AbortSignal.timeout(ANSWER_WITHIN_MS),
        ...(request.signal ? [request.signal] : []),
      ]),
    });
    const text = await response.text();
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    let body: unknown = null;
    try {
      body = text === '' ? null : JSON.parse(text);
    } catch {
      // Something in between answered; the status is enough.
    }
    return { status: response.status, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0, body };
  };

  const unreachable = (error: unknown): Error => {
    const { cause = error } = error as { cause?: { code?: string; message?: string } };
    const { code, message } = cause as { code?: string; message?: string };
    return failure(EXIT.unavailable, `no answer from ${new URL(url).origin}: ${code ?? message}`, error);
  };

  const sendPatiently = async (request: Request, token?: string): Promise<Answer> => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt === PAUSES_MS.length || !request.repeatable;
      let retryAfterMs = 0;
      try {
        const answer = await send(request, token);
        if (last || !RETRIED.has(answer.status) || answer.retryAfterMs > LONGEST_PAUSE_MS) return answer;
        retryAfterMs = answer.retryAfterMs;
      } catch (error) {
        request.signal?.throwIfAborted();
        if (last) throw unreachable(error);
      }
      await pause(Math.max(PAUSES_MS[attempt]!, retryAfterMs), request.signal);
    }
  };

  const tokensFrom = async (path: string, body: unknown): Promise<Tokens> => {
    const answer = await sendPatiently({ method: 'POST', path, body, repeatable: true });
    if (answer.status !== 200) throw refused(answer);
    return answer.body as Tokens;
  };

  const exchanged = (): Promise<Tokens> => tokensFrom('/auth/token-exchange', { api_key: apiKey });

  const renewed = (old: Tokens): Promise<Tokens> =>
    tokensFrom('/auth/refresh', { refresh_token: old.refresh_token }).catch(exchanged);

  /** Concurrent calls that need a token share one exchange. */
  const current = (): Promise<Tokens> => {
    tokens ??= exchanged().catch(error => {
      tokens = undefined;
      throw error;
    });
    return tokens;
  };

  const afterRefusal = (old: Tokens, seen: Promise<Tokens>): Promise<Tokens> => {
    if (tokens === seen) {
      tokens = renewed(old).catch(error => {
        tokens = undefined;
        throw error;
      });
    }
    return current();
  };

  return {
    call: async request => {
      const seen = current();
      const held = await seen;
      let answer = await sendPatiently(request, held.access_token);
      if (answer.status === 401)
        answer = await sendPatiently(request, (await afterRefusal(held, seen)).access_token);
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      throw refused(answer, claimsOf(held.access_token).org_id);
    },
    organization: async () => claimsOf((await current()).access_token).org_id ?? '',
    claims: async () => claimsOf((await current()).access_token),
  };
};
