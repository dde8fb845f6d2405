/** Calls of the HTTP contract that are repeated until they are answered, kept attempt by attempt. */
import { randomUUID } from 'node:crypto';
import { pause } from '../wait.ts';
import type { Draw } from '../worlds/history.ts';

export interface Request {
  method: string;
  path: string;
  body?: unknown;
}

export interface Reply {
  status: number;
  // The contract's answers, of many shapes.
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows its call's shape
  body: any;
}

/** One request. `broken`: no answer came; whether it did anything is for the log to say. */
interface Attempt {
  correlationId: string;
  outcome: 'answered' | 'refused' | 'broken';
  usage?: { tokens_in: number; tokens_out: number } | undefined;
}

/** Sends a request; rejects where no answer comes. A plant is one that changes another. */
export type Send = (url: string, request: Request, correlationId: string) => Promise<Reply>;
export type Plant = (send: Send) => Send;

export interface CallsOptions {
  /** Asked anew for each attempt: processes come and go. */
  urls: () => readonly string[];
  apiKey: string;
  plant?: Plant | undefined;
}

const RETRY_MS = 100;
/**
 * Longer than the service takes for any answer: an attempt that is given up goes on, and its late end, such
 * as that of an erasure, would meet what was written since.
 */
const PATIENCE_MS = 35_000;

const sending =
  (apiKey: string): Send =>
  async (url, { method, path, body }, correlationId) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': apiKey,
        'x-correlation-id': correlationId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };

export const makeCalls = ({ urls, apiKey, plant = send => send }: CallsOptions) => {
  const send = plant(sending(apiKey));
  const attempts: Attempt[] = [];
  let tries = 0;
  return {
    /** All attempts of all calls, in the order of their beginning. */
    attempts,
    /** Tries until there is an answer other than 429 and 503. `isAgain`: an earlier attempt had none. */
    call: async (draw: Draw, request: Request): Promise<Reply & { isAgain: boolean; told: number }> => {
      for (let isAgain = false; ; isAgain = true) {
        const attempt: Attempt = { correlationId: randomUUID(), outcome: 'broken' };
        attempts.push(attempt);
        tries++;
        try {
          const targets = urls();
          const reply = await send(targets[draw(targets.length)]!, request, attempt.correlationId);
          if (reply.status !== 503 && reply.status !== 429) {
            attempt.outcome = 'answered';
            attempt.usage = reply.body?.usage;
            return { ...reply, isAgain, told: attempt.usage?.tokens_in ?? 0 };
          }
          attempt.outcome = 'refused';
        } catch {
          // A connection was cut, or nobody answers: as any client, it is sent again.
        }
        await pause(RETRY_MS);
      }
    },
    tries: () => tries,
  };
};

export type Calls = ReturnType<typeof makeCalls>;
