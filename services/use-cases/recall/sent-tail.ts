import { makeRecentlyNeeded, type RecentlyNeededOptions } from '../../../core/caches/recently-needed.ts';
import type { FindRequest, SearchRequest } from '../../../core/ports.ts';
import { type TailTurn, tailTurnBytes } from '../../../projections/recall/tail/tail-turn.ts';

/**
 * A tail on its way to a thread that searches. A turn is sent once and then named by its address: a
 * tail can have megabytes, and every recall of an organization needs it.
 */
export interface SentTail {
  /** The addresses of all turns of the tail, in its order. */
  addresses: string[];
  /** Those of them that the thread doesn't hold. */
  turns: TailTurn[];
  /** The addresses of turns that it no longer has to hold. */
  dropped: string[];
}

export interface TailSender {
  send(tail: readonly TailTurn[]): SentTail;
  /** The addresses of turns that no recall needed for long. */
  dropUnused(): string[];
}

const addressOf = ({ partition, offset }: TailTurn): string => `${partition}/${offset}`;

/** Knows what a thread holds. Its messages must be received in the order in which they were made. */
export const makeTailSender = (options: RecentlyNeededOptions): TailSender => {
  const held = makeRecentlyNeeded<true>(options);
  return {
    send: tail => {
      const turns = tail.filter(turn => !held.need(addressOf(turn)));
      for (const turn of turns) held.hold(addressOf(turn), true, tailTurnBytes(turn));
      const addresses = new Set(tail.map(addressOf));
      return {
        addresses: [...addresses],
        turns,
        dropped: held.dropOldest(address => addresses.has(address)),
      };
    },
    dropUnused: () => held.dropOldest(),
  };
};

/** What a thread is asked about a scope and its tail. */
export type TailRequest = SearchRequest | FindRequest;
/** The same with its tail as it is sent. */
export type SentRequest<Request = TailRequest> = Request extends TailRequest
  ? Omit<Request, 'tail'> & { tail: SentTail }
  : never;

/** The limits of a thread's copy of the tails: half of the most that waits for the embedded projector. */
const HELD = { mostBytes: 32 * 1024 * 1024, unusedMs: 30_000 };
const LOOK_FOR_UNUSED_MS = 10_000;

/** The tails that one thread is sent. `drop` sends it the addresses of turns that it need not hold. */
export const makeSentTails = (drop: (addresses: readonly string[]) => void) => {
  let sender = makeTailSender(HELD);
  const looking = setInterval(() => {
    const dropped = sender.dropUnused();
    if (dropped.length > 0) drop(dropped);
  }, LOOK_FOR_UNUSED_MS).unref();
  return {
    /** Call it when the thread starts: it holds nothing. */
    restart: (): void => {
      sender = makeTailSender(HELD);
    },
    /**
     * Returns the request with the tail as the thread needs it. Every result must be sent, in the order of
     * the calls.
     */
    sent: (request: TailRequest): SentRequest => ({ ...request, tail: sender.send(request.tail) }),
    close: (): void => clearInterval(looking),
  };
};

/** The thread's side. */
export const makeTailReceiver = () => {
  const held = new Map<string, TailTurn>();
  const drop = (addresses: readonly string[]): void => {
    for (const address of addresses) held.delete(address);
  };
  const receive = ({ addresses, turns, dropped }: SentTail): TailTurn[] => {
    for (const turn of turns) held.set(addressOf(turn), turn);
    const tail = addresses.map(address => held.get(address)!);
    drop(dropped);
    return tail;
  };
  return {
    receive,
    received: (request: SentRequest): TailRequest => ({ ...request, tail: receive(request.tail) }),
    drop,
  };
};
