/** Follows the feed across reconnects. */

import { TurnstoneError } from './error.ts';
import type { EventsOptions } from './options.ts';
import { HEADER_TEXT, isRecord, parsed } from './transport/answer.ts';
import type { Caller } from './transport/caller.ts';
import { checkTime, type Deadline, givenUp, makeDeadline } from './transport/deadline.ts';
import { query } from './transport/query.ts';
import { filterText } from './transport/requests.ts';
import { type Message, makeMessageParser } from './transport/server-sent-events.ts';
import { isTransient, PAUSES_MS, waitOf } from './transport/transport.ts';
import type { FeedEvent } from './types.ts';

const SILENCE_MS = 45_000;
/** The pause before a reconnect, until the service sends another value. */
const RETRY_MS = 1_000;
/**
 * Applies even if the service asks for no pause: a stream that keeps ending must not be requested in a tight
 * loop.
 */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

const broken = (cause?: unknown): TurnstoneError =>
  new TurnstoneError('The event stream was interrupted.', { code: 'network', cause });

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;

const noStream = ({ status }: Response): TurnstoneError =>
  new TurnstoneError('The answer is not an event stream.', { code: 'unexpected_answer', status });

/** The error for an event id after which the stream could not be resumed. */
const noPosition = (): TurnstoneError =>
  new TurnstoneError('The id of an event is not valid in a header.', { code: 'unexpected_answer' });

/** Yields the messages of one connection. Throws when it breaks. */
async function* messagesOf(response: Response, connection: Deadline): AsyncGenerator<Message> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const parse = makeMessageParser();
  for (;;) {
    // Count only the wait for the server, not the time that a slow consumer takes.
    connection.restart();
    const { done, value } = await reader.read().catch(error => {
      throw connection.signal.aborted ? givenUp(connection.signal) : broken(error);
    });
    connection.pause();
    if (done) return;
    yield* parse(decoder.decode(value, { stream: true }));
  }
}

/** Other kinds, from a newer service, are skipped. */
const KINDS: ReadonlySet<string> = new Set(['message', 'turn', 'observation']);

const eventOf = (position: string, data: string): FeedEvent => {
  const value = parsed(data);
  if (!isRecord(value)) throw new TurnstoneError('An event is not JSON.', { code: 'unexpected_answer' });
  return { position, data: value as unknown as FeedEvent['data'] };
};

/**
 * Yields all events after `after`, then new ones as they are written. After an interruption it resumes from
 * the last event. Throws if the service refuses, or if the stream can't be opened with the contract's
 * retries; once the stream was open, it reconnects indefinitely.
 */
export async function* follow(
  caller: Caller,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  { after, filter: asked, signal, silenceMs = SILENCE_MS }: EventsOptions,
): AsyncGenerator<FeedEvent, void, undefined> {
  let heard: string | undefined;
  let retryMs = RETRY_MS;
  let isBegun = false;
  checkTime('silenceMs', silenceMs);
  const filter = filterText(asked);
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) throw givenUp(signal);
    const connection = makeDeadline(silenceMs, signal);
    let error: TurnstoneError;
    let openedAt: number | undefined;
    try {
      const response = await caller.open(
        {
          method: 'GET',
          path: `/events${query<'feed'>({ after: heard === undefined ? after : undefined, filter })}`,
          headers: { accept: 'text/event-stream', ...(heard !== undefined && { 'last-event-id': heard }) },
        },
        connection.signal,
      );
      if (!isStream(response)) throw noStream(response);
      openedAt = Date.now();
      isBegun = true;
      for await (const { id, event, data, retryMs: told } of messagesOf(response, connection)) {
        retryMs = told ?? retryMs;
        // A message without an id is not an event of this feed; one with the last id is a repeat.
        if (!id || id === heard) continue;
        if (!HEADER_TEXT.test(id)) throw noPosition();
        failures = 0;
        heard = id;
        if (data !== undefined && KINDS.has(event)) yield eventOf(id, data);
      }
      error = broken();
    } catch (caught) {
      if (signal?.aborted) throw givenUp(signal);
      error = caught as TurnstoneError;
      // A proxy's page instead of the stream is treated as transient.
      const mayPass = isTransient(error) || (error.code === 'unexpected_answer' && openedAt === undefined);
      if (!mayPass) throw error;
    } finally {
      connection.close();
    }
    // A stream that stayed open for long was not a failure, even if nothing was written.
    if (openedAt !== undefined && Date.now() - openedAt > LONGEST_PAUSE_MS) failures = 0;
    const again = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, retryMs) * 2 ** failures);
    const pause = isBegun ? again : PAUSES_MS[failures];
    if (pause === undefined) throw error;
    await sleep(waitOf(pause, error), signal ?? new AbortController().signal);
  }
}
