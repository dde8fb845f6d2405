import { describe, expect, it } from 'vitest';
import {
  makeFragmentNumbers,
  mostRecords,
} from '../../../../../../infra/cluster/elasticsearch/write/fragment-numbers.ts';
import { eventOffsetOf } from '../../../../../../schemas/events/event-offset.ts';

it('gives a partition 2^33 records, and from 33 partitions on their share, never fewer than 2^28', () => {
  expect([1, 12, 32].map(mostRecords)).toEqual([2 ** 33, 2 ** 33, 2 ** 33]);
  expect(mostRecords(33)).toBe(Math.floor(2 ** 38 / 33));
  expect(mostRecords(64)).toBe(2 ** 32);
  // The most that may be configured.
  expect(mostRecords(1_000)).toBeGreaterThan(2 ** 28);
});

describe.each([1, 12, 32, 33, 1_000])('with %i partitions', partitions => {
  const { numberOf, eventOffsetOfNumber } = makeFragmentNumbers(partitions);
  const last = partitions - 1;
  const lastEvent = eventOffsetOf({ offset: mostRecords(partitions) - 1, index: 255 });

  it('numbers the last event of the last full partition exactly, and reads its offset again', () => {
    const number = numberOf({ partition: last, offset: lastEvent, part: 127 });
    expect(Number.isSafeInteger(number)).toBe(true);
    expect(eventOffsetOfNumber(number)).toBe(lastEvent);
    // Exact: its neighbours are others.
    expect(numberOf({ partition: last, offset: lastEvent, part: 126 })).toBe(number - 1);
    const first = eventOffsetOf({ offset: mostRecords(partitions) - 1, index: 0 });
    expect(eventOffsetOfNumber(numberOf({ partition: last, offset: first, part: 0 }))).toBe(first);
  });

  it('numbers the last event of a full partition before the first one of the next', () => {
    const number = numberOf({ partition: 0, offset: lastEvent, part: 127 });
    if (partitions > 1) expect(numberOf({ partition: 1, offset: 0, part: 0 })).toBe(number + 1);
  });

  it('ascends within a partition by record, event and part', () => {
    const addresses = [
      { offset: 0, part: 0 },
      { offset: 0, part: 1 },
      { offset: eventOffsetOf({ offset: 0, index: 1 }), part: 0 },
      { offset: 1, part: 0 },
      { offset: lastEvent, part: 0 },
    ];
    const numbers = addresses.map(address => numberOf({ partition: last, ...address }));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.map(eventOffsetOfNumber)).toEqual(addresses.map(({ offset }) => offset));
  });

  it('refuses a record beyond a full partition, whose number would be one of the next', () => {
    const most = mostRecords(partitions);
    expect(() => numberOf({ partition: 0, offset: most, part: 0 })).toThrow(
      new RangeError(`partition 0 of turns has more than ${most} records`),
    );
  });
});

it('refuses a partition that no number has room for: the topic has more than are configured', () => {
  const { numberOf } = makeFragmentNumbers(12);
  expect(numberOf({ partition: 31, offset: 0, part: 0 })).toBeGreaterThan(0);
  expect(() => numberOf({ partition: 32, offset: 0, part: 0 })).toThrow(RangeError);
});
