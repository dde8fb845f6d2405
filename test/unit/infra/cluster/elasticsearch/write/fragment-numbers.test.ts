import { describe, expect, it } from 'vitest';
import {
  makeFragmentNumbers,
  mostRecords,
} from '../../../../../../infra/cluster/elasticsearch/write/fragment-numbers.ts';
import { placeOf } from '../../../../../../schemas/events/place.ts';

it('gives a partition 2^33 records, and from 33 partitions on their share, never fewer than 2^28', () => {
  expect([1, 12, 32].map(mostRecords)).toEqual([2 ** 33, 2 ** 33, 2 ** 33]);
  expect(mostRecords(33)).toBe(Math.floor(2 ** 38 / 33));
  expect(mostRecords(64)).toBe(2 ** 32);
  // The most that may be configured.
  expect(mostRecords(1_000)).toBeGreaterThan(2 ** 28);
});

describe.each([1, 12, 32, 33, 1_000])('with %i partitions', partitions => {
  const { numberOf, placeIn } = makeFragmentNumbers(partitions);
  const last = partitions - 1;
  const lastPlace = placeOf({ offset: mostRecords(partitions) - 1, index: 255 });

  it('numbers the last event of the last full partition exactly, and reads its place again', () => {
    const number = numberOf({ partition: last, offset: lastPlace, part: 127 });
    expect(Number.isSafeInteger(number)).toBe(true);
    expect(placeIn(number)).toBe(lastPlace);
    // Exact: its neighbours are others.
    expect(numberOf({ partition: last, offset: lastPlace, part: 126 })).toBe(number - 1);
    const first = placeOf({ offset: mostRecords(partitions) - 1, index: 0 });
    expect(placeIn(numberOf({ partition: last, offset: first, part: 0 }))).toBe(first);
  });

  it('numbers the last event of a full partition before the first one of the next', () => {
    const number = numberOf({ partition: 0, offset: lastPlace, part: 127 });
    if (partitions > 1) expect(numberOf({ partition: 1, offset: 0, part: 0 })).toBe(number + 1);
  });

  it('ascends within a partition by record, event and part', () => {
    const places = [
      { offset: 0, part: 0 },
      { offset: 0, part: 1 },
      { offset: placeOf({ offset: 0, index: 1 }), part: 0 },
      { offset: 1, part: 0 },
      { offset: lastPlace, part: 0 },
    ];
    const numbers = places.map(place => numberOf({ partition: last, ...place }));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.map(placeIn)).toEqual(places.map(({ offset }) => offset));
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
