import { expect, it } from 'vitest';
import { makeGroupWrites } from '../../../../../infra/cluster/clickhouse/group-writes.ts';
import { until } from '../../../../support/wait.ts';

const opened = (most = 100, paceMs = 0) => {
  const written: number[][] = [];
  let begun = 0;
  let gate: Promise<void> = Promise.resolve();
  const writes = makeGroupWrites<number, number>(
    async items => {
      begun++;
      await gate;
      if (items.includes(-1)) throw new Error('refused');
      return written.push(items);
    },
    { paceMs, most },
  );
  return { writes, written, begun: () => begun, hold: (until: Promise<void>) => (gate = until) };
};

it('writes together what comes together, or while another write is under way', async () => {
  const { writes, written, begun, hold } = opened();
  await Promise.all([writes.append([1]), writes.append([2, 3])]);
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  const first = writes.append([4]);
  await until('the second write is under way', () => begun() === 2);
  const others = [writes.append([5]), writes.append([]), writes.append([6])];
  resolve();
  expect(await Promise.all([first, ...others])).toEqual([2, 3, undefined, 3]);
  expect(written).toEqual([[1, 2, 3], [4], [5, 6]]);
});

it('splits no append, and writes at most so many items unless one append has more', async () => {
  const { writes, written } = opened(4);
  const appends = [[1, 2, 3], [4], [5, 6, 7, 8, 9], [10]].map(items => writes.append(items));
  await Promise.all(appends);
  expect(written).toEqual([[1, 2, 3, 4], [5, 6, 7, 8, 9], [10]]);
});

it('rejects those of a write that failed, and goes on', async () => {
  const { writes, written } = opened(2);
  const outcomes = await Promise.allSettled([writes.append([1, -1]), writes.append([2, 3])]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  await writes.append([4]);
  expect(written).toEqual([[2, 3], [4]]);
});

it('writes what waits before it closes, without the pause between', async () => {
  const { writes, written } = opened(1, 3_600_000);
  const appends = [writes.append([1]), writes.append([2])];
  await appends[0];
  await writes.close();
  await Promise.all(appends);
  expect(written).toEqual([[1], [2]]);
  await expect(writes.append([3])).rejects.toThrow('after the close');
});
