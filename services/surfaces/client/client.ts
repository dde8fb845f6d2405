import { setTimeout as delay } from 'node:timers/promises';
import type { MeAnswer } from '../../../schemas/http/accounts.ts';
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

/** The key's owner and its roles. */
export type Me = Pick<MeAnswer, 'org_id' | 'user_id' | 'session_id' | 'strict' | 'roles'>;

export interface Client {
  /** The answer's body. Throws a `Failure` with a message for people and an exit status. */
  call(request: Request): Promise<unknown>;
  /** The owner of the key, fetched once. */
  me(): Promise<Me>;
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

const isQuota = ({ status, body }: Answer): boolean =>
  status === 429 && ((body ?? {}) as ErrorBody).details?.error === 'quota_exceeded';

const faultsOf = ({ body }: Answer): string[] =>
  (((body ?? {}) as ErrorBody).details?.errors ?? []).map(
    ({ loc, message }) => `${loc.join('.')}: ${message}`,
  );

const REDIRECTED =
  'it redirects, which is not followed; TURNSTONE_URL must be the address of the service itself';

/** Converts an unsuccessful answer into a failure for people. `more`: lines below it. */
const refused = (answer: Answer, more: readonly string[]): Error => {
  const { status } = answer;
  const { message, request_id } = (answer.body ?? {}) as ErrorBody;
  const id = request_id && status >= 500 ? ` (request ${request_id})` : '';
  const reason = status >= 300 && status < 400 ? REDIRECTED : (message ?? 'no reason given');
  const first = `the server answered ${status}: ${reason}${id}`;
  return failure(statusOf(status), [first, ...more].join('\n  '), answer);
};

type Send = (request: Omit<Request, 'repeatable' | 'isDoneWhenGone'>) => Promise<Answer>;
type SendWithRetries = (request: Request) => Promise<Answer>;
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
  ({ url, apiKey, forwardedFor }: ClientOptions): Send =>
  async ({ method, path, body, signal }) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      // fetch would send the key on to another origin: only `authorization` is left out there.
      redirect: 'manual',
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
  async request => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt === PAUSES_MS.length || !request.repeatable;
      let retryAfterMs = 0;
      try {
        const answer = await send(request);
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

/** A small client for the HTTP contract: sends the key with every call, and retries as section 7 specifies. */
export const makeClient = (options: ClientOptions): Client => {
  const { hints = [], pause = (ms, signal) => delay(ms, undefined, { signal }) } = options;
  const send = makeRetries(makeSend(options), options, pause);
  let owner: Promise<Me> | undefined;

  /** The command that raises a cap names the organization, where it can be had. */
  const raiseCaps = async (): Promise<string> => {
    const organization = await me().then(
      ({ org_id }) => org_id,
      () => 'ORG',
    );
    return `an operator raises the caps with: turnstone orgs set-limits ${organization} --tokens-in N --tokens-out N`;
  };
  const linesBelow = async (answer: Answer): Promise<readonly string[]> => {
    if (answer.status === 401) return hints;
    return isQuota(answer) ? [await raiseCaps()] : faultsOf(answer);
  };

  const call: Client['call'] = async request => {
    const answer = await send(request);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw refused(answer, await linesBelow(answer));
  };
  const me: Client['me'] = () => {
    owner ??= (call({ method: 'GET', path: '/me', repeatable: true }) as Promise<Me>).catch(error => {
      // The next call tries again.
      owner = undefined;
      throw error;
    });
    return owner;
  };
  return { call, me };
};
