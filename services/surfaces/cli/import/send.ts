import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import type { Found } from '../../importers/found.ts';
import type { Place } from '../../importers/item.ts';
import { type Batch, makeBatches, type TurnItem } from '../ingest/batches.ts';
import type { makeFaults } from '../ingest/faults.ts';
import { makeSender } from '../ingest/sender.ts';
import type { ImportState, Reached } from './state.ts';

const IN_FLIGHT = 4;

export interface Sent {
  turns: number;
  batches: number;
  tokens: number;
  /** Turns that an earlier import had acknowledged: they were not sent. */
  passed: number;
}

/** The requests of an export, always the same. A conversation that has ended goes at once, so that little is held. */
async function* batchesOf(all: AsyncIterable<Found>): AsyncGenerator<Batch> {
  const batches = makeBatches();
  let title: string | undefined;
  for await (const found of all) {
    if (!('turn' in found)) continue;
    if (found.title !== title) yield* batches.rest();
    title = found.title;
    const item: TurnItem = {
      place: found.place,
      size: 1,
      turn: found.turn,
      user: found.user,
      session: found.session,
    };
    yield* batches.add(item);
  }
  yield* batches.rest();
}

/** Of the requests up to and with this one. */
const digestWith = (before: string, { user, session, turns }: Batch): string =>
  createHash('sha256')
    .update(before + JSON.stringify([user, session, turns]))
    .digest('base64url');

/**
 * Sends what is not acknowledged yet. Nothing is passed over unless the file gives the very requests that were
 * acknowledged, and the service knows the last of them by the same id, without a bill. Else it is another service, or
 * one that lost something, and gets everything. Before that request goes, what was known is forgotten: it goes to
 * storage, and would prove too much to an import that comes after one that was broken off here.
 */
export const sendAll = async (options: {
  client: Client;
  read: () => AsyncIterable<Found>;
  state: ImportState;
  faults: ReturnType<typeof makeFaults>;
  onProgress: (sent: Sent) => void;
  onResume: (turns: number) => void;
}): Promise<Sent> => {
  const { client, read, state, faults, onProgress } = options;
  const total: Sent = { turns: 0, batches: 0, tokens: 0, passed: 0 };

  const isKnown = async (batch: Batch, { job }: Reached): Promise<boolean> => {
    const found: [Place, string[]][] = [];
    let answered: string | undefined;
    const sender = makeSender({
      client,
      inFlight: 1,
      // A second attempt would find known what the first one stored.
      repeatable: false,
      onSettled: (_, __, id) => {
        answered = id;
      },
      onFaults: (place, what) => found.push([place, what]),
    });
    await sender.push(batch);
    await sender.finish();
    total.tokens += sender.sent.tokens;
    if (answered !== job || sender.sent.tokens > 0) return false;
    for (const [place, what] of found) faults.add(place, what);
    return true;
  };

  /** False: what was reached is not to be relied upon. */
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
        if (!(await isKnown(batch, from!))) return false;
        state.startFrom(from);
        options.onResume(turns);
      }
    } finally {
      // What was begun still ends, so that it is counted.
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
