/** Where a turn stands in its session: by timestamp, then by offset. */
export interface TurnPlace {
  /** Unix milliseconds. */
  timestamp: number;
  offset: number;
}

/** The turns of one session in a window, ascending. */
export type SessionOrder = readonly TurnPlace[];

/** A session's number, then the turn's timestamp and offset: what an engine sorts by says all of an order. */
export type SortedTurn = readonly [session: number, timestamp: number, offset: number];

/** @param turns in ascending order */
export const sessionOrders = (turns: readonly SortedTurn[]): Map<number, SessionOrder> => {
  const orders = new Map<number, TurnPlace[]>();
  for (const [session, timestamp, offset] of turns) {
    const order = orders.get(session);
    if (order) order.push({ timestamp, offset });
    else orders.set(session, [{ timestamp, offset }]);
  }
  return orders;
};

const compare = (a: TurnPlace, b: TurnPlace): number => a.timestamp - b.timestamp || a.offset - b.offset;

/** The places up to `reach` before and after this one, which itself need not be in the order and is not named. */
export const placesAround = (order: SessionOrder, place: TurnPlace, reach: number): TurnPlace[] => {
  let at = 0;
  for (let end = order.length; at < end; ) {
    const middle = (at + end) >>> 1;
    if (compare(order[middle]!, place) < 0) at = middle + 1;
    else end = middle;
  }
  const isThere = at < order.length && compare(order[at]!, place) === 0;
  const next = isThere ? at + 1 : at;
  return [...order.slice(Math.max(0, at - reach), at), ...order.slice(next, next + reach)];
};
