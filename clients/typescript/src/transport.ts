/** Requests with the contract's retry guidance; nothing here knows of tokens. */
import { noJson, parsed, redirected, refusal, unreachable } from './answer.ts';
import { givenUp, makeDeadline, timerMs } from './deadline.ts';
import type { ErrorCode, TurnstoneError } from './error.ts';
import { jsonOf } from './requests.ts';

/** Before the first and the second retry. */
export const PAUSES_MS: readonly number[] = [500, 1_000];
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'internal',
  'rate_limited',
  'network',
  'timeout',
]);

/** A call may succeed where it is made again. A quota's 429 stays until 00:00 UTC. */
export const isTransient = ({ code }: TurnstoneError): boolean => TRANSIENT.has(code);

/** At least the pause, and at least what the server asks for, in milliseconds; what no timer can wait for is cut. */
export const waitOf = (pauseMs: number, { retryAfter = 0 }: TurnstoneError): number =>
  timerMs(Math.max(pauseMs, retryAfter * 1_000));

export interface Request {
  method: 'GET' | 'POST' | 'DELETE';
  /** With its query. */
  path: string;
  /** To be sent as JSON. */
  body?: object | undefined;
  headers?: Record<string, string>;
  /** False: what may have been carried out is not asked for again. */
  isRepeatable?: boolean;
  /** A 404 to a retry: the attempt before did it, and its answer was lost. */
  isDoneWhenGone?: boolean;
  /** An attempt that was sent comes to its end also when the signal is aborted; none is begun then. */
  isCarriedOut?: boolean;
}

export interface Sending {
  token?: string | undefined;
  /** The same for all attempts of a call. */
  correlationId: string;
  signal: AbortSignal;
}

export interface TransportOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Not to be in any error. */
  apiKey: string;
}

export interface Transport {
  /** The response to one attempt, its body unread. Throws a `TurnstoneError` for any that is no success. */
  open(request: Request, sending: Sending): Promise<Response>;
  /**
   * The answer's JSON, undefined where there is none; after retries, each attempt at most `timeoutMs` long and all that
   * not longer than `leftMs()`.
   */
  send(request: Request, sending: Sending & { timeoutMs: number; leftMs: () => number }): Promise<unknown>;
}

export const makeTransport = ({ baseUrl, fetch, sleep, apiKey }: TransportOptions): Transport => {
  const { origin } = new URL(baseUrl);

  const open: Transport['open'] = async (request, { token, correlationId, signal }) => {
    const { method, path, body, headers } = request;
    const secrets = token ? [apiKey, token] : [apiKey];
    const json = body && jsonOf(body);
    let response: Response;
    let text = '';
    try {
      response = await fetch(baseUrl + path, {
        method,
        headers: {
          'x-correlation-id': correlationId,
          ...(body && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: json,
        redirect: 'manual',
        signal,
      });
      if (!response.ok) text = await response.text();
    } catch (error) {
      throw signal.aborted ? givenUp(signal) : unreachable(origin, error, correlationId);
    }
    const { ok, status, type } = response;
    if (ok) return response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) throw redirected(status, correlationId);
    throw refusal({ status, headers: response.headers, text, correlationId, secrets });
  };

  const attempt = async (request: Request, sending: Sending): Promise<unknown> => {
    const { signal, correlationId } = sending;
    const response = await open(request, sending);
    const text = await response.text().catch(error => {
      throw signal.aborted ? givenUp(signal) : unreachable(origin, error, correlationId);
    });
    if (response.status === 204) return undefined;
    const value = parsed(text);
    if (value === undefined) throw noJson(response.status, correlationId);
    return value;
  };

  const send: Transport['send'] = async (request, { timeoutMs, leftMs, ...sending }) => {
    const { isRepeatable = true, isDoneWhenGone = false, isCarriedOut = false } = request;
    for (let retries = 0; ; retries++) {
      if (sending.signal.aborted) throw givenUp(sending.signal);
      const deadline = isCarriedOut
        ? makeDeadline(Math.min(timeoutMs, leftMs()), undefined, sending.correlationId)
        : makeDeadline(timeoutMs, sending.signal, sending.correlationId);
      try {
        return await attempt(request, { ...sending, signal: deadline.signal });
      } catch (caught) {
        const error = caught as TurnstoneError;
        if (isDoneWhenGone && retries > 0 && error.code === 'not_found') return undefined;
        const pause = PAUSES_MS[retries];
        // A body that is no JSON may have been cut where nobody can see it.
        const mayPass = isTransient(error) || error.code === 'unexpected_answer';
        if (sending.signal.aborted || !isRepeatable || pause === undefined || !mayPass) throw error;
        const wait = waitOf(pause, error);
        // Whoever is told to come back later than the call may last is told so now.
        if (wait >= leftMs()) throw error;
        deadline.end();
        await sleep(wait, sending.signal).catch(stopped => {
          // What became of the attempt is known, and is what is to be told of it.
          throw isCarriedOut ? error : stopped;
        });
      } finally {
        deadline.end();
      }
    }
  };

  return { open, send };
};
