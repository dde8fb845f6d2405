import { expect, it } from 'vitest';
import { ALL_WRITTEN, storeBehind } from '../../../../../core/ports/projection/projection-store.ts';
import type { LogRange, LogRecord, SharedLog } from '../../../../../core/ports.ts';
import { makeProjections } from '../../../../../projections/all.ts';
import { joinProjectors } from '../../../../../services/workers/projector/group.ts';

const recordOf = (offset: number): LogRecord => ({
  topic: 'turns',
  partition: 0,
  offset,
  value: Buffer.from('not an event'),
  headers: {},
});

/** A projector whose store holds its partition up to an offset, and a log that has records at these. */
const join = async (held: number, offsets: readonly number[]) => {
  const ranges: LogRange[] = [];
  const waits: string[] = [];
  let rewinds = 0;
  let isWrong = false;
  let fails = false;
  let handle: Parameters<SharedLog['consume']>[0]['handle'] | undefined;
  await joinProjectors({
    log: {
      append: async () => [],
      read: async (_, __, from) => offsets.filter(offset => offset >= from).map(recordOf),
      consume: async options => {
        handle = options.handle;
        return { rewind: () => {}, close: async () => {} };
      },
    },
    store: {
      apply: async ({ range }) => {
        if (isWrong) return { kind: 'wrong version', reason: 'run replay' };
        if (range!.from > held) return storeBehind('recall', range!, held);
        ranges.push(range!);
        return ALL_WRITTEN;
      },
    },
    decode: async () => ({ kind: 'poison', step: 'decode', reason: 'json' }) as never,
    projections: makeProjections({} as never),
    topics: ['turns'],
    limits: { inARow: 0, share: 0 },
    onApplied: () => {},
    onStopped: () => {},
    onTrouble: () => {},
    onWaits: reason => void waits.push(reason),
    onRewind: async () => {
      if (fails) {
        fails = false;
        throw new Error('not now');
      }
      rewinds++;
    },
  });
  const signal = new AbortController().signal;
  return {
    ranges,
    waits,
    release: (isOfOtherVersion: boolean) => {
      isWrong = isOfOtherVersion;
    },
    rewinds: () => rewinds,
    failNext: () => {
      fails = true;
    },
    handle: (at: number) => handle!([recordOf(at)], signal),
  };
};

it('goes back to where a store is that lacks what it held', async () => {
  const { handle, ranges, rewinds } = await join(4, [3, 4, 5, 6, 7]);
  expect(await handle(7)).toMatchObject({ kind: 'rewind', offset: 4 });
  expect(ranges).toEqual([]);
  // Events that were set aside meanwhile are read before the records come again.
  await handle(4);
  expect([rewinds(), ranges]).toEqual([1, [{ topic: 'turns', partition: 0, from: 4, next: 5 }]]);
});

it('reads again what was set aside, whoever went back in the partition', async () => {
  const { handle, rewinds, failNext } = await join(9, [3, 4, 5]);
  for (const offset of [3, 4, 4, 5]) await handle(offset);
  expect(rewinds()).toBe(1);
  failNext();
  await expect(handle(3)).rejects.toThrow('not now');
  expect(rewinds()).toBe(1);
  for (const offset of [3, 4, 5]) await handle(offset);
  expect(rewinds()).toBe(2);
});

it('goes on where the log has no record between the two', async () => {
  const { handle, ranges, rewinds } = await join(4, [3, 7]);
  await handle(7);
  expect(rewinds()).toBe(0);
  expect(ranges).toEqual([{ topic: 'turns', partition: 0, from: 4, next: 8 }]);
});

it('waits where this release may not write, and acknowledges nothing meanwhile', async () => {
  const { handle, ranges, waits, release } = await join(9, [3, 4]);
  release(true);
  expect(await handle(3)).toEqual({ kind: 'again' });
  expect([waits, ranges]).toEqual([['run replay'], []]);
  release(false);
  expect(await handle(3)).toBeUndefined();
  expect(ranges).toHaveLength(1);
});
