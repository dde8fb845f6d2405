/** Requests with the API key, and with retries as the contract recommends. */

import type { ErrorCode, TurnstoneError } from '../error.ts';
import { noJson, parsed, redirected, refusal, unreachable } from './answer.ts';
import { givenUp, makeDeadline, timerMs } from './deadline.ts';
import { jsonOf } from './requests.ts';

/** Pauses before the first and the second retry. */
export const PAUSES_MS: readonly number[] = [500, 1_000];
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'internal',
  'rate_limited',
  'network',
  'timeout',
]);

/** Whether a retry may succeed. A quota's 429 lasts until 00:00 UTC. */
export const isTransient = ({ code }: TurnstoneError): boolean => TRANSIENT.has(code);

/** Milliseconds: at least the pause and what the server requests, at most what a timer supports. */
export const waitOf = (pauseMs: number, { retryAfter = 0 }: TurnstoneError): number =>
  timerMs(Math.max(pauseMs, retryAfter * 1_000));

export interface Request<Answer = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  path: string;
  /** Sent as JSON. */
  body?: object | undefined;
  headers?: Record<string, string>;
  /** False: the request is not retried, since it may have been carried out. */
  isRepeatable?: boolean;
  /** A 404 to a retry counts as success: an earlier attempt succeeded, and its answer was lost. */
  isDoneWhenGone?: boolean;
  /** Aborting the signal lets an attempt in flight complete, and only prevents further attempts. */
  isCarriedOut?: boolean;
  /** The type of its answer; never set. */
  answer?: Answer;
}

export interface Sending {
  /** The same id for all attempts of a call. */
  correlationId: string;
  signal: AbortSignal;
}

export interface TransportOptions {
  /** The URL without a trailing slash. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Sent with every request, to this address alone. Must not appear in any error. */
  apiKey: string;
  /** Whether to try again after this error. */
  isRetried?: (error: TurnstoneError) => boolean;
}

export interface Transport {
  /** The response to one attempt, with its body unread. Throws a `TurnstoneError` unless it is successful. */
  open(request: Request, sending: Sending): Promise<Response>;
  /**
   * The answer's JSON; undefined if it has none. Retries; each attempt takes at most `timeoutMs`, and all
   * together at most `leftMs()`.
   */
  send(request: Request, sending: Sending & { timeoutMs: number; leftMs: () => number }): Promise<unknown>;
}

/** An answer that is not JSON may have been truncated on the way. */
const mayPass = (error: TurnstoneError): boolean => isTransient(error) || error.code === 'unexpected_answer';

export const makeTransport = ({
  baseUrl,
  fetch,
  sleep,
  apiKey,
  isRetried = mayPass,
}: TransportOptions): Transport => {
  const { origin } = new URL(baseUrl);

  const open: Transport['open'] = async (request, { correlationId, signal }) => {
    const { method, path, body, headers } = request;
    const json = body && jsonOf(body);
    let response: Response;
    let text = '';
    try {
      response = await fetch(baseUrl + path, {
        method,
        headers: {
          'x-api-key': apiKey,
          'x-correlation-id': correlationId,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json,
        // fetch would send the key on to another origin: only `authorization` is left out there.
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
    throw refusal({ status, headers: response.headers, text, correlationId, secret: apiKey });
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
        if (sending.signal.aborted || !isRepeatable || pause === undefined || !isRetried(error)) throw error;
        const wait = waitOf(pause, error);
        // The wait would exceed the time limit of the call: fail now.
        if (wait >= leftMs()) throw error;
        deadline.end();
        await sleep(wait, sending.signal).catch(stopped => {
          // The outcome of the attempt is known, so report that instead of the abort.
          throw isCarriedOut ? error : stopped;
        });
      } finally {
        deadline.end();
      }
    }
  };

  return { open, send };
};
