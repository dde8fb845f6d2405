import { expect, it } from 'vitest';
import { keptAfterAt, type Retention, withRetention } from '../../../../projections/accounts/retention.ts';

const DAY = 86_400_000;
const day = (n: number): string => new Date(n * DAY).toISOString();
/** The day up to which what was recorded is gone, at each of these days. */
const goneAt = (retention: Retention | undefined, ...days: number[]) =>
  days.map(n => {
    const gone = keptAfterAt(retention, n * DAY);
    return gone === undefined ? undefined : gone / DAY;
  });

const set = (...changes: [days: number | null, at: number][]): Retention | undefined =>
  changes.reduce<Retention | undefined>(
    (former, [days, at]) => withRetention(former, days, day(at)),
    undefined,
  );

it('is in force a day after it was set', () => {
  expect(goneAt(undefined, 100)).toEqual([undefined]);
  expect(goneAt(set([10, 100]), 100, 100.9, 101, 150)).toEqual([undefined, undefined, 91, 140]);
});

it('a retention that is replaced before it is in force never was', () => {
  expect(goneAt(set([1, 100], [null, 100.5]), 101, 101.5, 200)).toEqual([undefined, undefined, undefined]);
  expect(goneAt(set([30, 50], [1, 100], [30, 100.5]), 101, 101.5, 200)).toEqual([71, 71.5, 170]);
});

it('a retention holds until the next one is in force', () => {
  const shorter = set([30, 50], [10, 100]);
  expect(goneAt(shorter, 100, 100.9, 101, 150)).toEqual([70, expect.closeTo(70.9), 91, 140]);
});

it('brings nothing back, however long the next one is', () => {
  const longer = set([10, 50], [30, 100]);
  // By day 101 everything up to day 91 was gone, and is.
  expect(goneAt(longer, 100, 101, 110, 121, 130)).toEqual([90, 91, 91, 91, 100]);
  expect(goneAt(set([10, 50], [30, 100], [null, 200]), 201, 300)).toEqual([171, 171]);
  expect(goneAt(set([10, 50], [null, 100], [5, 150], [null, 200]), 300)).toEqual([196]);
});

it('is the same when an event is applied once more', () => {
  const changes: [number | null, number][] = [
    [30, 50],
    [10, 100],
    [null, 100.2],
  ];
  for (const n of [1, 2, 3]) {
    const once = set(...changes.slice(0, n));
    expect(set(...changes.slice(0, n), changes[n - 1]!)).toEqual(once);
  }
});
