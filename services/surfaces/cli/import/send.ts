import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { fittedTitle } from '../../importers/turns/fit.ts';
import type { Found, FoundTurn } from '../../importers/turns/found.ts';
import type { Location } from '../../importers/turns/item.ts';
import { type Batch, makeBatches, type TurnItem } from '../ingest/batches.ts';
import type { makeFaults } from '../ingest/input-faults.ts';
import { makeSender } from '../ingest/sender.ts';
import type { ImportState, Reached } from './state.ts';

const IN_FLIGHT = 4;

export interface Sent {
  turns: number;
  batches: number;
  tokens: number;
  /** Turns that an earlier import had acknowledged, which were not sent. */
  passed: number;
}

interface SendOptions {
  client: Client;
  read: () => AsyncIterable<Found>;
  state: ImportState;
  faults: ReturnType<typeof makeFaults>;
  onProgress: (sent: Sent) => void;
  onResume: (turns: number) => void;
}

/** Turns of different sessions are mixed in the file only within one group. */
const groupOf = ({ within, session, title }: FoundTurn): string | undefined =>
  within?.session ?? (title === undefined ? undefined : session);

/**
 * Yields the requests of an export, which are always the same. What is finished is sent at once, to save
 * memory: a conversation, with all that is a part of it.
 */
async function* batchesOf(all: AsyncIterable<Found>): AsyncGenerator<Batch> {
  const batches = makeBatches();
  /** Sessions whose first request, which names them, was yielded. */
  const named = new Set<string>();
  /** Titles of the sessions that have requests to come. */
  const titles = new Map<string, string | undefined>();
  const keyOf = ({ user, session }: Pick<Batch, 'user' | 'session'>): string =>
    JSON.stringify([user, session]);
  const titled = (batch: Batch): Batch => {
    const key = keyOf(batch);
    const name = named.has(key) ? undefined : fittedTitle({ title: titles.get(key), session: batch.session });
    named.add(key);
    return name === undefined ? batch : { ...batch, title: name };
  };
  let group: string | undefined;
  for await (const found of all) {
    if (!('turn' in found)) continue;
    if (groupOf(found) !== group) {
      yield* batches.rest().map(titled);
      titles.clear();
    }
    group = groupOf(found);
    const key = keyOf(found);
    if (!titles.has(key)) titles.set(key, found.title);
    const item: TurnItem = {
      location: found.location,
      size: 1,
      turn: found.turn,
      user: found.user,
      session: found.session,
    };
    yield* batches.add(item).map(titled);
  }
  yield* batches.rest().map(titled);
}

/** The digest of all requests up to and including this one. */
const digestWith = (before: string, { user, session, turns }: Batch): string =>
  createHash('sha256')
    .update(before + JSON.stringify([user, session, turns]))
    .digest('base64url');

/**
 * Sends the last acknowledged request again. It is the same service, and has lost nothing, if it answers with
 * the same id and bills nothing.
 */
const askForLast = async (
  { client, faults }: Pick<SendOptions, 'client' | 'faults'>,
  batch: Batch,
  { job }: Reached,
): Promise<{ isKnown: boolean; tokens: number }> => {
  const found: [Location, string[]][] = [];
  let answered: string | undefined;
  const sender = makeSender({
    client,
    inFlight: 1,
    // A retry would find what the first attempt stored.
    repeatable: false,
    onSettled: (_, __, id) => {
      answered = id;
    },
    onFaults: (location, what) => found.push([location, what]),
  });
  await sender.push(batch);
  await sender.finish();
  const { tokens } = sender.sent;
  const isKnown = answered === job && tokens === 0;
  if (isKnown) for (const [location, what] of found) faults.add(location, what);
  return { isKnown, tokens };
};

/**
 * Sends everything that is not acknowledged yet. Requests are skipped only if the file yields exactly the
 * acknowledged ones, and the service answers the last of them again with the same id and bills nothing.
 * Otherwise it is another service, or one that lost data, and everything is sent. The recorded progress is
 * deleted before that last request is sent: the request may be stored there, and would then convince the next
 * import if this one is interrupted.
 */
export const sendAll = async (options: SendOptions): Promise<Sent> => {
  const { client, read, state, faults, onProgress } = options;
  const total: Sent = { turns: 0, batches: 0, tokens: 0, passed: 0 };

  /** Resolves with false when the recorded progress can't be relied on. */
  const send = async (from: Reached | undefined): Promise<boolean> => {
    const reached = new Map<Batch, Omit<Reached, 'job'>>();
    const { tokens } = total;
    const sender = makeSender({
      client,
      inFlight: IN_FLIGHT,
      repeatable: true,
      onSettled: (sent, batch, job) => {
        Object.assign(total, sent, { tokens: tokens + sent.tokens });
        state.acknowledge({ ...reached.get(batch)!, job });
        reached.delete(batch);
        onProgress(total);
      },
      onFaults: faults.add,
    });
    const before = from?.requests ?? 0;
    let requests = 0;
    let turns = 0;
    let digest = '';
    try {
      for await (const batch of batchesOf(read())) {
        requests++;
        turns += batch.turns.length;
        digest = digestWith(digest, batch);
        if (requests > before) {
          reached.set(batch, { requests, turns, digest });
          await sender.push(batch);
          continue;
        }
        total.passed = turns;
        if (requests < before) continue;
        if (digest !== from!.digest || !state.startFrom(undefined)) return false;
        const last = await askForLast(options, batch, from!);
        total.tokens += last.tokens;
        if (!last.isKnown) return false;
        state.startFrom(from);
        options.onResume(turns);
      }
    } finally {
      // Let requests in flight finish, so that they are counted.
      await sender.finish();
    }
    return requests >= before;
  };

  const found = state.kept();
  if (!found || !(await send(found))) {
    total.passed = 0;
    state.startFrom(undefined);
    await send(undefined);
  }
  state.startFrom(undefined);
  return total;
};
