/** A call of the contract, with a deadline for all its attempts. */

import type { CallOptions } from '../options.ts';
import { recordOf } from './answer.ts';
import { checkTime, givenUp, makeDeadline } from './deadline.ts';
import { optionsOf } from './requests.ts';
import type { Request, Transport } from './transport.ts';

export interface Caller {
  /** The answer's JSON. */
  call<Answer>(request: Request<Answer>, options?: CallOptions): Promise<Answer>;
  /** Makes one attempt. The caller reads the response's body. */
  open(request: Request, signal: AbortSignal): Promise<Response>;
}

export const makeCaller = (
  transport: Transport,
  limits: { timeoutMs: number; totalTimeoutMs: number },
): Caller => ({
  call: async <Answer>(request: Request<Answer>, options: CallOptions = {}) => {
    const { signal, timeoutMs = limits.timeoutMs } = optionsOf(options);
    checkTime('timeoutMs', timeoutMs);
    // A caller that has already aborted sends nothing.
    if (signal?.aborted) throw givenUp(signal);
    const correlationId = crypto.randomUUID();
    const deadline = makeDeadline(limits.totalTimeoutMs, signal, correlationId);
    const sending = { correlationId, signal: deadline.signal, leftMs: deadline.left, timeoutMs };
    try {
      const answer = await transport.send(request, sending);
      return (answer === undefined ? undefined : recordOf(answer)) as Answer;
    } finally {
      deadline.end();
    }
  },
  open: (request, signal) => transport.open(request, { correlationId: crypto.randomUUID(), signal }),
});
