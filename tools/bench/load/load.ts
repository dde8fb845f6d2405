/** Loads a server over kept-alive connections and records the latency of each answer. */
import { type Connection, type HttpAnswer, openConnection } from './load-connection.ts';

export interface LoadResult {
  /** Milliseconds of each answered request, in the order of the answers. */
  latencies: number[];
  seconds: number;
  /** Number of answers that asked to retry later; each request was sent again. */
  refused: number;
}

interface LoadOptions {
  url: string;
  connections: number;
  /** Returns the bytes of the next request. */
  next: (connection: number) => string;
  onAnswer?: (answer: HttpAnswer) => void;
}

export const pause = (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, Math.max(ms, 0)));

const sendUntilTaken = async (
  connection: Connection,
  text: string,
  result: LoadResult,
): Promise<HttpAnswer> => {
  for (;;) {
    const answer = await connection.send(text);
    if (answer.status < 300) return answer;
    if (answer.status !== 503)
      throw new Error(`status ${answer.status}: ${answer.body.toString().slice(0, 400)}`);
    result.refused++;
    await pause(answer.retryAfter * 1_000);
  }
};

const onConnections = async (
  { url, connections }: LoadOptions,
  work: (connection: Connection, number: number) => Promise<void>,
): Promise<void> => {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  try {
    await Promise.all(opened.map(work));
  } finally {
    for (const connection of opened) connection.close();
  }
};

/**
 * Sends a request on each connection as soon as the previous one is answered, for `seconds` or until `until`
 * returns true.
 */
export const saturate = async (
  options: LoadOptions & { seconds?: number; until?: () => boolean },
): Promise<LoadResult> => {
  const result: LoadResult = { latencies: [], seconds: 0, refused: 0 };
  const started = performance.now();
  const end = started + (options.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  await onConnections(options, async (connection, number) => {
    while (performance.now() < end && !options.until?.()) {
      const text = options.next(number);
      const sent = performance.now();
      const answer = await sendUntilTaken(connection, text, result);
      result.latencies.push(performance.now() - sent);
      options.onAnswer?.(answer);
    }
  });
  result.seconds = (performance.now() - started) / 1_000;
  return result;
};

/**
 * Sends `perSecond` requests at even times, however slow the answers, until `stopped` returns true. A latency
 * counts from when the request was due, so a server that stalls can't hide it.
 */
export const pace = async (
  options: LoadOptions & { perSecond: number; stopped: () => boolean },
): Promise<LoadResult> => {
  const result: LoadResult = { latencies: [], seconds: 0, refused: 0 };
  const started = performance.now();
  let slot = 0;
  await onConnections(options, async (connection, number) => {
    while (!options.stopped()) {
      const due = started + (slot++ * 1_000) / options.perSecond;
      if (due > performance.now()) await pause(due - performance.now());
      const answer = await sendUntilTaken(connection, options.next(number), result);
      result.latencies.push(performance.now() - due);
      options.onAnswer?.(answer);
    }
  });
  result.seconds = (performance.now() - started) / 1_000;
  return result;
};
