import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { WrittenTurn } from '../../../../clients/typescript/src/transport/requests.ts';
import { answerOf, type Client } from '../../client/client.ts';
import { scopeOf } from '../../client/named-scope.ts';
import type { Location } from '../../importers/turns/item.ts';
import type { Batch } from './batches.ts';

interface Sent {
  turns: number;
  batches: number;
  tokens: number;
}

const REFUSED_FOR_CONTENT = new Set([400, 422]);

/**
 * The faults in an answer by the turn's index in the request; undefined if the answer reports anything else.
 */
const faultsByTurn = (error: unknown): Map<number, string[]> | undefined => {
  const answer = answerOf(error);
  if (!answer || !REFUSED_FOR_CONTENT.has(answer.status)) return undefined;
  const errors = (answer.details?.errors ?? []) as { loc: (string | number)[]; message: string }[];
  const found = new Map<number, string[]>();
  for (const { loc, message } of errors) {
    const [, list, index, ...rest] = loc;
    if (list !== 'turns' || typeof index !== 'number') return undefined;
    found.set(index, [...(found.get(index) ?? []), `${rest.join('.')} ${message}`]);
  }
  return found.size > 0 ? found : undefined;
};

const without = (batch: Batch, faulty: Map<number, string[]>): Batch => ({
  ...batch,
  turns: batch.turns.filter((_, index) => !faulty.has(index)),
  locations: batch.locations.filter((_, index) => !faulty.has(index)),
});

/**
 * Sends batches, `inFlight` at a time, but those of one scope sequentially, because turns of the same instant
 * keep their order of arrival. `push` waits for a free slot and rejects once a batch has failed: then no new
 * batch is started, and `finish` waits for the requests in flight.
 */
export const makeSender = (options: {
  client: Client;
  inFlight: number;
  /** Whether a request that may have arrived is sent again. */
  repeatable: boolean;
  /**
   * Called with a batch as it was pushed, once all of it is acknowledged or reported as faulty. `job`: the id
   * that the service gave it; empty if no turn was left.
   */
  onSettled: (sent: Sent, batch: Batch, job: string) => void;
  onFaults: (location: Location, faults: string[]) => void;
}) => {
  const { client, inFlight, repeatable } = options;
  const sent: Sent = { turns: 0, batches: 0, tokens: 0 };
  const running = new Set<Promise<void>>();
  const lastOfScope = new Map<string, Promise<void>>();
  let failed: { error: unknown } | undefined;

  const send = async (batch: Batch): Promise<string> => {
    if (batch.turns.length === 0) return '';
    try {
      const request = operations.ingest({
        scope: scopeOf(batch),
        turns: batch.turns as WrittenTurn[],
        ...(batch.title !== undefined && { options: { session_title: batch.title } }),
      });
      const answer = await client.call({ ...request, isRepeatable: repeatable });
      sent.turns += batch.turns.length;
      sent.batches += 1;
      sent.tokens += answer.usage.tokens_in;
      return answer.job_id;
    } catch (error) {
      // A request with a faulty turn stores nothing: send the others again without it.
      const faulty = faultsByTurn(error);
      if (!faulty) throw error;
      for (const [index, faults] of faulty) options.onFaults(batch.locations[index]!, faults);
      return await send(without(batch, faulty));
    }
  };

  const begin = (batch: Batch): void => {
    const key = JSON.stringify([batch.user, batch.session]);
    const before = lastOfScope.get(key) ?? Promise.resolve();
    const task = before
      .then(() => (failed ? undefined : send(batch).then(job => options.onSettled(sent, batch, job))))
      .catch(error => {
        failed ??= { error };
      })
      .finally(() => {
        running.delete(task);
        if (lastOfScope.get(key) === task) lastOfScope.delete(key);
      });
    lastOfScope.set(key, task);
    running.add(task);
  };

  return {
    sent,
    push: async (batch: Batch): Promise<void> => {
      while (running.size >= inFlight) await Promise.race(running);
      if (failed) throw failed.error;
      begin(batch);
    },
    /** Throws the error that caused a batch to fail. */
    finish: async (): Promise<void> => {
      await Promise.all(running);
      if (failed) throw failed.error;
    },
  };
};
