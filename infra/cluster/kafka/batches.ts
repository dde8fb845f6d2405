import { type PageLimit, pagesOf } from '../../../core/log/read.ts';
import type { LogRecord, NotHandled, SharedLog } from '../../../core/ports.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import type { FetchedBatch } from './client/member.ts';
import { type Incoming, logRecord, topicOf } from './records.ts';

export type ConsumeOptions = Parameters<SharedLog['consume']>[0];

export const FIRST_PAUSE = 100;
export const LONGEST_PAUSE = 5_000;

interface Membership {
  /** Returns whether this member still has the partition. */
  isMine: () => boolean;
  /** Sets the offset to fetch next from the partition. */
  seek: (offset: number) => void;
}

interface BatchOptions {
  /** The limits of one call of `handle`. */
  limits: readonly PageLimit<Incoming>[];
  /** Milliseconds. */
  heartbeatEvery: number;
  closing: AbortSignal;
}

/** Passes a fetched batch to `handle`, slice by slice, and commits each slice. */
export const makeBatches = (
  config: Pick<ClusterConfig, 'namespace'>,
  { handle, onTrouble }: Pick<ConsumeOptions, 'handle' | 'onTrouble'>,
  { limits, heartbeatEvery, closing }: BatchOptions,
) => {
  const backoff = makeBackoff();
  const busy = new Set<string>();

  const handleBatch = async (batch: FetchedBatch, membership: Membership): Promise<void> => {
    const { isMine } = membership;
    const name = `${batch.topic}/${batch.partition}`;
    // An unresolved batch is fetched again.
    if (busy.has(name)) return batch.pause(FIRST_PAUSE);
    busy.add(name);
    try {
      const wait = backoff.left(name);
      if (wait > 0) return batch.pause(wait);
      const topic = topicOf(config, batch.topic)!;
      for (const messages of pagesOf(batch.messages, ...limits)) {
        if (!isMine() || !batch.isCurrent()) return;
        const records = messages.map(message => logRecord(topic, batch.partition, message));
        if (!(await handled(batch, name, records, membership))) return;
        // The partition was reassigned meanwhile: the new member starts at the group's position.
        if (!isMine()) return;
        const last = records.at(-1)!.offset;
        await batch.commit(last);
        if (!isMine()) return;
        await batch.resolve(last);
      }
    } finally {
      busy.delete(name);
    }
  };

  /**
   * Returns false if the records are not acknowledged: the partition is paused, and the records are fetched
   * again, or those from the offset to which `handle` goes back.
   */
  const handled = async (
    batch: FetchedBatch,
    name: string,
    records: LogRecord[],
    { isMine, seek }: Membership,
  ): Promise<boolean> => {
    // Heartbeats keep the session alive during a long call. The commit reports heartbeat errors again, but a
    // rebalance aborts the call at once, since the group waits for it.
    const givenUp = new AbortController();
    const beat = setInterval(
      () =>
        void batch.heartbeat().then(isMember => {
          if (!isMember) givenUp.abort();
        }),
      heartbeatEvery,
    );
    const signal = AbortSignal.any([closing, givenUp.signal]);
    let outcome: NotHandled | undefined;
    try {
      outcome = (await handle(records, signal)) ?? undefined;
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
      outcome = { kind: 'again' };
    } finally {
      clearInterval(beat);
    }
    if (!outcome) {
      backoff.clear(name);
      return true;
    }
    if (outcome.kind === 'rewind' && !signal.aborted) onTrouble(new Error(outcome.reason));
    if (outcome.kind === 'rewind' && isMine()) {
      // Shows every process at once that the group has gone back.
      await batch.commit(outcome.offset - 1);
      seek(outcome.offset);
    } else batch.pause(backoff.refused(name));
    return false;
  };

  return { handle: handleBatch, areUnderWay: (): boolean => busy.size > 0 };
};

/** Returns back-offs by partition name; each refusal doubles the pause. */
const makeBackoff = () => {
  const refusals = new Map<string, { pause: number; until: number }>();
  return {
    /** Returns the milliseconds until the next attempt. */
    left: (name: string): number => Math.max(0, (refusals.get(name)?.until ?? 0) - performance.now()),
    /** Notes one more refusal; returns the milliseconds to wait. */
    refused: (name: string): number => {
      const last = refusals.get(name)?.pause;
      const pause = last === undefined ? FIRST_PAUSE : Math.min(last * 2, LONGEST_PAUSE);
      refusals.set(name, { pause, until: performance.now() + pause });
      return pause;
    },
    clear: (name: string): void => void refusals.delete(name),
  };
};
