import { unavailable } from '../../../core/errors.ts';
import { makeFairQueue } from '../../../core/fairness/fair-queue.ts';
import type { SearchRequest } from '../../../core/ports.ts';
import type { Deadline } from '../../../core/timing/deadline.ts';
import { tailTurnBytes } from '../../../projections/recall/tail/tail-turn.ts';

export interface RecallQueueOptions {
  /** Searches that run at once. */
  atOnce: number;
  /** The most searches that wait for one of those. */
  mostWaiting: number;
  /**
   * The most bytes of tails that searches hold, and half of it those of an organization, unless one alone
   * holds more; undefined where they share the tail.
   */
  mostTailBytes?: number;
}

/** What searches: all that waits here asks it something of a scope. */
type Ask<Request, Result> = (request: Request, deadline?: Deadline) => Promise<Result>;

interface Waiting {
  org: string;
  deadline: Deadline;
  giveUp: AbortController;
}

/** The share of the latest search in the mean time of a search. */
const LATEST = 0.2;
const LONGEST_RETRY_S = 30;

/**
 * Runs at most `atOnce` searches at once, half of them of one organization; the others wait, and
 * organizations take turns. A search that can't end before its deadline, by the measured time of a search, is
 * refused at once, and one that waits is refused as soon as that is known. A cancelled search leaves the
 * queue; one that runs has its slot until it has ended.
 */
export const makeRecallQueue = <Request extends Pick<SearchRequest, 'scope' | 'tail'>, Result>(
  search: Ask<Request, Result>,
  { atOnce, mostWaiting, mostTailBytes = Number.POSITIVE_INFINITY }: RecallQueueOptions,
): Ask<Request, Result> => {
  let tailBytes = 0;
  const ownTailBytes = new Map<string, number>();
  /** Those with a deadline, in the order of their arrival. */
  const waiting = new Set<Waiting>();
  /**
   * Milliseconds from the start of a search to its end, while others run beside it; 0: none has ended yet.
   */
  let meanMs = 0;

  /**
   * Milliseconds until a search ends that so many of its organization are ahead of, if all organizations go
   * on asking.
   */
  const expectedMs = (org: string, ahead: number): number => {
    const { running, organizations } = queue.of(org);
    const slots = Math.min(Math.ceil(atOnce / 2), atOnce / Math.max(organizations, 1));
    return ((ahead + running) / slots) * meanMs;
  };
  const isTooLate = (org: string, deadline: Deadline | undefined, ahead: number): boolean =>
    deadline !== undefined && performance.now() + expectedMs(org, ahead + 1) > deadline.at;
  const refusal = (org: string): Error => {
    const seconds = Math.ceil(expectedMs(org, queue.of(org).waiting) / 1_000);
    return unavailable(
      'More recalls are waiting than can be answered in time.',
      undefined,
      Math.min(Math.max(seconds, 1), LONGEST_RETRY_S),
    );
  };
  const queue = makeFairQueue({ slots: atOnce, mostWaiting });

  const measured = (ms: number): void => {
    meanMs = meanMs === 0 ? ms : meanMs + LATEST * (ms - meanMs);
  };

  const run = async (request: Request, deadline: Deadline | undefined): Promise<Result> => {
    const started = performance.now();
    try {
      const result = await search(request, deadline);
      measured(performance.now() - started);
      return result;
    } catch (error) {
      // A search that was cancelled takes at least as long; one that failed at once says nothing.
      measured(Math.max(meanMs, performance.now() - started));
      throw error;
    } finally {
      refuseLate();
    }
  };

  const refuseLate = (): void => {
    const ahead = new Map<string, number>();
    for (const { org, deadline, giveUp } of [...waiting]) {
      const own = ahead.get(org) ?? 0;
      // The one that has just ended is still counted as running.
      if (isTooLate(org, deadline, own - 1)) giveUp.abort(refusal(org));
      else ahead.set(org, own + 1);
    }
  };

  const ask: Ask<Request, Result> = async (request, deadline) => {
    const { org } = request.scope;
    const work = () => run(request, deadline);
    if (queue.hasSlot(org)) return queue.run(org, work);
    if (!queue.hasRoom(org) || isTooLate(org, deadline, queue.of(org).waiting)) throw refusal(org);
    if (deadline === undefined) return queue.run(org, work);
    const giveUp = new AbortController();
    const mine: Waiting = { org, deadline, giveUp };
    waiting.add(mine);
    const begin = () => {
      waiting.delete(mine);
      return work();
    };
    return queue
      .run(org, begin, AbortSignal.any([deadline.signal, giveUp.signal]))
      .finally(() => waiting.delete(mine));
  };

  const holdTail = (org: string, bytes: number): void => {
    tailBytes += bytes;
    const own = (ownTailBytes.get(org) ?? 0) + bytes;
    if (own === 0) ownTailBytes.delete(org);
    else ownTailBytes.set(org, own);
  };

  return async (request, deadline) => {
    deadline?.signal.throwIfAborted();
    const { org } = request.scope;
    const bytes = request.tail.reduce((sum, turn) => sum + tailTurnBytes(turn), 0);
    const own = ownTailBytes.get(org) ?? 0;
    if (bytes > 0 && tailBytes > 0 && tailBytes + bytes > mostTailBytes) throw refusal(org);
    if (bytes > 0 && own > 0 && own + bytes > mostTailBytes / 2) throw refusal(org);
    holdTail(org, bytes);
    try {
      return await ask(request, deadline);
    } finally {
      holdTail(org, -bytes);
    }
  };
};
