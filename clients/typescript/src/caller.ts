/** A call of the contract: with a token, with a new one after a 401, and with a deadline. */
import { recordOf } from './answer.ts';
import { checkTime, givenUp, makeDeadline, orAborted } from './deadline.ts';
import { TurnstoneError } from './error.ts';
import type { CallOptions } from './options.ts';
import { optionsOf } from './requests.ts';
import { makeTokens, type Tokens } from './tokens.ts';
import type { Request, Transport } from './transport.ts';

export interface Caller {
  /** The answer's JSON. */
  call(request: Request, options?: CallOptions): Promise<unknown>;
  /** Makes one attempt, and at most one more after a 401. The caller reads the response's body. */
  open(request: Request, signal: AbortSignal): Promise<Response>;
}

const isRefused = (error: unknown): boolean =>
  error instanceof TurnstoneError && error.code === 'unauthenticated';

export const makeCaller = (
  transport: Transport,
  apiKey: string,
  { timeoutMs, totalTimeoutMs }: { timeoutMs: number; totalTimeoutMs: number },
): Caller => {
  /** Limits the work to the time of a call and to `signal`. */
  const within = async <T>(
    signal: AbortSignal | undefined,
    work: (sending: { correlationId: string; signal: AbortSignal; leftMs: () => number }) => Promise<T>,
  ): Promise<T> => {
    // A caller that has already aborted sends nothing, not even a key.
    if (signal?.aborted) throw givenUp(signal);
    const correlationId = crypto.randomUUID();
    const deadline = makeDeadline(totalTimeoutMs, signal, correlationId);
    try {
      return await work({ correlationId, signal: deadline.signal, leftMs: deadline.left });
    } finally {
      deadline.end();
    }
  };

  const tokens = makeTokens(apiKey, request =>
    within(undefined, sending => transport.send(request, { ...sending, timeoutMs })),
  );

  /** Repeats the work once, with a new token, if the first one is refused. */
  const withToken = async <T>(signal: AbortSignal, work: (token: string) => Promise<T>): Promise<T> => {
    const settled = (found: Tokens | Promise<Tokens>): Tokens | Promise<Tokens> =>
      found instanceof Promise ? orAborted(found, signal) : found;
    const held = await settled(tokens.current());
    try {
      return await work(held.access);
    } catch (error) {
      if (!isRefused(error) || signal.aborted) throw error;
      const renewed = await settled(tokens.insteadOf(held));
      return work(renewed.access);
    }
  };

  return {
    call: async (request, options = {}) => {
      checkTime('timeoutMs', optionsOf(options).timeoutMs);
      const answer = await within(options.signal, sending =>
        withToken(sending.signal, token =>
          transport.send(request, { ...sending, token, timeoutMs: options.timeoutMs ?? timeoutMs }),
        ),
      );
      return answer === undefined ? undefined : recordOf(answer);
    },
    open: (request, signal) => {
      const correlationId = crypto.randomUUID();
      return withToken(signal, token => transport.open(request, { token, correlationId, signal }));
    },
  };
};
