/** A client that begins before the service is there and goes on whatever becomes of it. */
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import { pause } from '../wait.ts';
import { turn } from '../worlds/builders.ts';
import type { Write } from './world.ts';

/** Its turns are nobody else's: what the others are answered stays what it was. */
export const NEWCOMER = 'newcomer';

const WORKERS = 3;
const FIRST = 10_000;
const RETRY_MS = 5;

const writeOf = (n: number): Write => ({
  scope: { org_id: 'any', user_id: NEWCOMER, session_id: `session-${n % 2}` },
  turns: [turn(n), turn(n, { role: 'Grace', observations: n % 5 === 0 ? [`ref${n} was noted`] : [] })],
});

export interface Newcomer {
  acknowledged(): readonly { write: Write; answer: IngestAnswer }[];
  /** Answers that are neither a 202 nor a refusal for the moment. */
  faults(): readonly string[];
  /** Resolves when every write that was begun is acknowledged. */
  stop(): Promise<void>;
  /** Ends at once, for a test that has failed. */
  abandon(): void;
}

/** `url`: asked anew for each attempt. Each write is sent until it is acknowledged. */
export const startNewcomer = (url: () => string, apiKey: string): Newcomer => {
  const acknowledged: { write: Write; answer: IngestAnswer }[] = [];
  const faults: string[] = [];
  let next = FIRST;
  let isStopping = false;
  let isAbandoned = false;

  const attempt = async (write: Write): Promise<IngestAnswer | undefined> => {
    const response = await fetch(`${url()}/ingestion/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(write),
    }).catch(() => undefined);
    // An answer that breaks off is none.
    const body = await response?.json().catch(() => undefined);
    if (response?.status === 202) return body as IngestAnswer | undefined;
    if (response && response.status !== 503) faults.push(`${response.status} ${JSON.stringify(body)}`);
    return undefined;
  };
  const worker = async (): Promise<void> => {
    while (!isStopping) {
      const write = writeOf(next++);
      let answer = await attempt(write);
      for (; !answer && !isAbandoned; answer = await attempt(write)) await pause(RETRY_MS);
      if (!answer) return;
      acknowledged.push({ write, answer });
      await pause(RETRY_MS);
    }
  };
  const workers = Promise.all(Array.from({ length: WORKERS }, worker));
  return {
    acknowledged: () => acknowledged,
    faults: () => faults,
    stop: async () => {
      isStopping = true;
      await workers;
    },
    abandon: () => {
      isStopping = true;
      isAbandoned = true;
    },
  };
};
