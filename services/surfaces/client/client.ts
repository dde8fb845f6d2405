/** The published client, as commands and the MCP server use it: what fails is a `Failure` for people. */
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, TurnstoneError } from '../../../clients/typescript/src/error.ts';
import { follow } from '../../../clients/typescript/src/events.ts';
import * as operations from '../../../clients/typescript/src/operations.ts';
import type { EventsOptions } from '../../../clients/typescript/src/options.ts';
import { makeCaller } from '../../../clients/typescript/src/transport/caller.ts';
import { makeTransport, type Request } from '../../../clients/typescript/src/transport/transport.ts';
import type { FeedEvent, Me } from '../../../clients/typescript/src/types.ts';
import { EXIT, type ExitStatus, failure } from './exit.ts';

const ANSWER_WITHIN_MS = 60_000;
/** A longer Retry-After is reported to the caller instead of waited for. */
const LONGEST_PAUSE_SECONDS = 60;
/** A limit of calls, and an answer of something else than Turnstone, are told at once. */
const RETRIED = new Set<ErrorCode>(['unavailable', 'internal', 'network', 'timeout']);

export interface Client {
  /**
   * The answer's body. Throws a `Failure` with a message for people and an exit status, or the signal's
   * reason.
   */
  call<Answer>(request: Request<Answer>, signal?: AbortSignal): Promise<Answer>;
  /**
   * Yields what is written, across broken connections, until the caller leaves the loop. Throws as `call`
   * does, where the stream can't be opened.
   */
  follow(options: Pick<EventsOptions, 'after' | 'filter' | 'signal'>): AsyncGenerator<FeedEvent>;
  /** The owner of the key, fetched once. */
  me(): Promise<Me>;
}

interface ClientOptions {
  url: string;
  apiKey: string;
  /**
   * Lines for people below a failure to reach the service or to be let in: whose key it is, how to start a
   * server.
   */
  hints?: readonly string[];
  /**
   * The original caller's address: a service that trusts our address as a proxy counts failed attempts by it.
   */
  forwardedFor?: string;
  pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** The server's answer behind a failure of `call`; undefined when there was no answer. */
export const answerOf = (error: unknown): (TurnstoneError & { status: number }) | undefined => {
  const { cause } = (error ?? {}) as { cause?: unknown };
  return cause instanceof TurnstoneError && cause.status !== undefined
    ? (cause as TurnstoneError & { status: number })
    : undefined;
};

const statusOf = (status: number): ExitStatus => {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  return status >= 500 || status === 408 ? EXIT.unavailable : EXIT.failure;
};

interface Fault {
  loc: (string | number)[];
  message: string;
}

const faultsOf = ({ details }: TurnstoneError): string[] =>
  ((details?.errors ?? []) as Fault[]).map(({ loc, message }) => `${loc.join('.')}: ${message}`);

const REDIRECTED =
  'it redirects, which is not followed; TURNSTONE_URL must be the address of the service itself';

const reasonOf = ({ status = 0, message }: TurnstoneError): string => {
  if (status >= 300 && status < 400) return REDIRECTED;
  // The faults are listed below it, all of them.
  const [reason = ''] = message.split('\n');
  return reason === `The server answered ${status}.` ? 'no reason given' : reason;
};

/** Converts an unsuccessful answer into a failure for people. `more`: lines below it. */
const refused = (error: TurnstoneError, status: number, more: readonly string[]): Error => {
  const id = error.requestId && status >= 500 ? ` (request ${error.requestId})` : '';
  const first = `the server answered ${status}: ${reasonOf(error)}${id}`;
  return failure(statusOf(status), [first, ...more].join('\n  '), error);
};

const silenceOf = ({ code, cause }: TurnstoneError): string => {
  if (code === 'timeout') return `none within ${ANSWER_WITHIN_MS / 1_000} s`;
  const { cause: reason = cause } = (cause ?? {}) as { cause?: unknown };
  const { code: named, message } = (reason ?? {}) as { code?: string; message?: string };
  return named ?? message ?? code;
};

const unreachable = ({ url, hints = [] }: ClientOptions, error: TurnstoneError): Error => {
  const first = `no answer from ${new URL(url).origin}: ${silenceOf(error)}`;
  return failure(EXIT.unavailable, [first, ...hints].join('\n  '), error);
};

export const makeClient = (options: ClientOptions): Client => {
  const { url, apiKey, forwardedFor, hints = [] } = options;
  const { pause = (ms, signal) => delay(ms, undefined, { signal }) } = options;
  const sleep = async (ms: number, signal: AbortSignal) => void (await pause(ms, signal));
  const transport = makeTransport({
    baseUrl: url,
    fetch: (input, init) => globalThis.fetch(input, init),
    sleep,
    apiKey,
    isRetried: ({ code, retryAfter = 0 }) => RETRIED.has(code) && retryAfter <= LONGEST_PAUSE_SECONDS,
  });
  const caller = makeCaller(transport, { timeoutMs: ANSWER_WITHIN_MS, totalTimeoutMs: Infinity });
  const headers: Record<string, string> = forwardedFor ? { 'x-forwarded-for': forwardedFor } : {};
  let owner: Promise<Me> | undefined;

  /** The command that raises a cap names the organization, where it can be had. */
  const raiseCaps = async (): Promise<string> => {
    const organization = await me().then(
      ({ org_id }) => org_id,
      () => 'ORG',
    );
    return `an operator raises the caps with: turnstone orgs set-limits ${organization} --tokens-in N --tokens-out N`;
  };
  const linesBelow = async (error: TurnstoneError): Promise<readonly string[]> => {
    if (error.status === 401) return hints;
    return error.code === 'quota_exceeded' ? [await raiseCaps()] : faultsOf(error);
  };

  /** The failure for an error of a call, or the signal's reason. */
  const forPeople = async (error: unknown, signal: AbortSignal | undefined): Promise<unknown> => {
    if (signal?.aborted) return signal.reason;
    if (!(error instanceof TurnstoneError)) return error;
    if (error.status === undefined) return unreachable(options, error);
    return refused(error, error.status, await linesBelow(error));
  };

  const call: Client['call'] = async (request, signal) => {
    try {
      return await caller.call({ ...request, headers }, { signal });
    } catch (error) {
      throw await forPeople(error, signal);
    }
  };
  const followed: Client['follow'] = async function* (asked) {
    try {
      yield* follow(caller, sleep, asked);
    } catch (error) {
      throw await forPeople(error, asked.signal);
    }
  };
  const me: Client['me'] = () => {
    owner ??= call(operations.me()).catch(error => {
      // The next call tries again.
      owner = undefined;
      throw error;
    });
    return owner;
  };
  return { call, follow: followed, me };
};
