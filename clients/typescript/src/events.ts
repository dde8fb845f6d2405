/** The feed, followed over every connection that it takes. */
import { HEADER_TEXT, isRecord, parsed } from './answer.ts';
import type { Caller } from './caller.ts';
import { checkTime, type Deadline, givenUp, makeDeadline } from './deadline.ts';
import { TurnstoneError } from './error.ts';
import type { EventsOptions } from './options.ts';
import { query } from './query.ts';
import { type Message, makeMessageParser } from './server-sent-events.ts';
import { isTransient, PAUSES_MS, waitOf } from './transport.ts';
import type { FeedEvent } from './types.ts';

const SILENCE_MS = 45_000;
/** Until the service says otherwise. */
const RETRY_MS = 1_000;
/** Also where the service asks for none: a stream that ends again and again is not to be asked for all the time. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

const broken = (cause?: unknown): TurnstoneError =>
  new TurnstoneError('The stream of events broke off.', { code: 'network', cause });

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;

const noStream = ({ status }: Response): TurnstoneError =>
  new TurnstoneError('The answer is no stream of events.', { code: 'unexpected_answer', status });

/** Nothing could go on behind it. */
const noPosition = (): TurnstoneError =>
  new TurnstoneError('The id of an event can not be sent back.', { code: 'unexpected_answer' });

/** The messages of one connection. Throws when it breaks off. */
async function* messagesOf(response: Response, connection: Deadline): AsyncGenerator<Message> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const parse = makeMessageParser();
  for (;;) {
    // Whoever reads slowly is not to be taken for a server that is silent.
    connection.restart();
    const { done, value } = await reader.read().catch(error => {
      throw connection.signal.aborted ? givenUp(connection.signal) : broken(error);
    });
    connection.pause();
    if (done) return;
    yield* parse(decoder.decode(value, { stream: true }));
  }
}

/** A service that is newer than this client may tell of more. */
const KINDS: ReadonlySet<string> = new Set(['message', 'turn', 'observation']);

const eventOf = (position: string, data: string): FeedEvent => {
  const value = parsed(data);
  if (!isRecord(value)) throw new TurnstoneError('An event is not JSON.', { code: 'unexpected_answer' });
  return { position, data: value as unknown as FeedEvent['data'] };
};

/**
 * All events behind `after`, then those that come. Breaks are mended from where the last connection had come to. Throws
 * what the service refuses, and what keeps it from being begun after the contract's retries; once it is begun it comes
 * back for as long as it takes.
 */
export async function* follow(
  caller: Caller,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  { after, signal, silenceMs = SILENCE_MS }: EventsOptions,
): AsyncGenerator<FeedEvent, void, undefined> {
  let heard: string | undefined;
  let retryMs = RETRY_MS;
  let isBegun = false;
  checkTime('silenceMs', silenceMs);
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) throw givenUp(signal);
    const connection = makeDeadline(silenceMs, signal);
    let error: TurnstoneError;
    let openedAt: number | undefined;
    try {
      const response = await caller.open(
        {
          method: 'GET',
          path: `/events${heard === undefined ? query<'feed'>({ after }) : ''}`,
          headers: { accept: 'text/event-stream', ...(heard !== undefined && { 'last-event-id': heard }) },
        },
        connection.signal,
      );
      if (!isStream(response)) throw noStream(response);
      openedAt = Date.now();
      isBegun = true;
      for await (const { id, event, data, retryMs: told } of messagesOf(response, connection)) {
        retryMs = told ?? retryMs;
        // Without an id of its own it is no event of this feed; with the last one it was told before.
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
      // In the place of the stream, or of the tokens for it: a proxy's page, which passes.
      const mayPass = isTransient(error) || (error.code === 'unexpected_answer' && openedAt === undefined);
      if (!mayPass) throw error;
    } finally {
      connection.close();
    }
    // Nothing was written, and yet it was no stream that only begins.
    if (openedAt !== undefined && Date.now() - openedAt > LONGEST_PAUSE_MS) failures = 0;
    const again = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, retryMs) * 2 ** failures);
    const pause = isBegun ? again : PAUSES_MS[failures];
    if (pause === undefined) throw error;
    await sleep(waitOf(pause, error), signal ?? new AbortController().signal);
  }
}
