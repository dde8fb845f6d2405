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
    (former, [days, at]) => withRetention(former, { id: `${days} ${at}`, days, at: day(at) }),
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

it('a change that a clock ahead has recorded counts from the next one on, and can be undone', () => {
  // Set on day 100, and in force on day 101. On day 100.1 a clock says 131: what is set there is taken back.
  for (const wrong of [null, 5]) {
    expect(goneAt(set([30, 100], [wrong, 131], [null, 100.2]), 100.3, 101.5, 133, 200)).toEqual(
      Array(4).fill(undefined),
    );
    const shorter = set([30, 100], [wrong, 131], [20, 100.2]);
    expect(goneAt(shorter, 101, 101.5, 133)).toEqual([undefined, 81.5, 113]);
  }
  // In force for a year, it goes on whatever is set meanwhile.
  expect(goneAt(set([30, 1], [1, 431], [30, 400.2]), 400.3, 402)).toEqual([
    expect.closeTo(370.3),
    expect.closeTo(372),
  ]);
});

it('remembers no more changes than it has to, and gives the same', () => {
  const changes = Array.from({ length: 60 }, (_, n): [number | null, number] => [n % 7 || null, n * 3]);
  const { changes: kept, ...retention } = set(...changes)!;
  expect(kept.length).toBeLessThan(changes.length);
  expect(goneAt({ ...retention, changes: [] }, 179, 300)).toEqual(goneAt(set(...changes), 179, 300));
  expect(set(...changes, changes.at(-1)!)).toEqual(set(...changes));
  expect(goneAt(set(...changes), 176)).toEqual([174]);
});
