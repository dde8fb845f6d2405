import { eventOffsetOf } from '../../../../../schemas/events/event-offset.ts';

/** The sort key of turns within a session: timestamp, then event offset (event-offset.ts). */
export interface OrderedTurn {
  /** Unix milliseconds. */
  timestamp: number;
  offset: number;
}

/** The turns of one session in a window, ascending. */
export type SessionOrder = readonly OrderedTurn[];

/** A session's number, then the turn's timestamp, offset and index: the sort values of a hit. */
export type SortedTurn = readonly [session: number, timestamp: number, offset: number, index: number];

/** @param turns in ascending order */
export const sessionOrders = (turns: readonly SortedTurn[]): Map<number, SessionOrder> => {
  const orders = new Map<number, OrderedTurn[]>();
  for (const [session, timestamp, ofRecord, index] of turns) {
    const offset = eventOffsetOf({ offset: ofRecord, index });
    const order = orders.get(session);
    if (order) order.push({ timestamp, offset });
    else orders.set(session, [{ timestamp, offset }]);
  }
  return orders;
};

const compare = (a: OrderedTurn, b: OrderedTurn): number => a.timestamp - b.timestamp || a.offset - b.offset;

/**
 * Returns the turns up to `reach` before and after this one, which need not be in the order and is not in the
 * result.
 */
export const turnsBeside = (order: SessionOrder, turn: OrderedTurn, reach: number): OrderedTurn[] => {
  let at = 0;
  for (let end = order.length; at < end; ) {
    const middle = (at + end) >>> 1;
    if (compare(order[middle]!, turn) < 0) at = middle + 1;
    else end = middle;
  }
  const isThere = at < order.length && compare(order[at]!, turn) === 0;
  const next = isThere ? at + 1 : at;
  return [...order.slice(Math.max(0, at - reach), at), ...order.slice(next, next + reach)];
};
