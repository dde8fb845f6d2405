import { describe, expect, it } from 'vitest';
import {
  sessionOrders,
  turnsBeside,
} from '../../../../../../../infra/cluster/elasticsearch/search/around/session-order.ts';

describe('the order of a session', () => {
  const orders = sessionOrders([
    [1, 10, 4, 0],
    [1, 20, 2, 0],
    [1, 20, 3, 0],
    [1, 20, 7, 0],
    [1, 30, 1, 0],
    [2, 10, 5, 0],
  ]);
  const offsetsAround = (session: number, timestamp: number, offset: number, reach = 2) =>
    turnsBeside(orders.get(session)!, { timestamp, offset }, reach).map(beside => beside.offset);

  it('is one for each session', () => {
    expect([...orders.keys()]).toEqual([1, 2]);
    expect(orders.get(2)).toEqual([{ timestamp: 10, offset: 5 }]);
  });

  it('says what stands before and after a turn, by offset where the time is the same', () => {
    expect(offsetsAround(1, 20, 3)).toEqual([4, 2, 7, 1]);
    expect(offsetsAround(1, 20, 3, 1)).toEqual([2, 7]);
    expect(offsetsAround(1, 10, 4)).toEqual([2, 3]);
    expect(offsetsAround(1, 30, 1)).toEqual([3, 7]);
    expect(offsetsAround(2, 10, 5)).toEqual([]);
  });

  it('says it of a turn that is not there too', () => {
    expect(offsetsAround(1, 20, 5)).toEqual([2, 3, 7, 1]);
    expect(offsetsAround(1, 5, 9)).toEqual([4, 2]);
    expect(offsetsAround(1, 31, 0)).toEqual([7, 1]);
    expect(turnsBeside([], { timestamp: 1, offset: 1 }, 2)).toEqual([]);
  });
});
