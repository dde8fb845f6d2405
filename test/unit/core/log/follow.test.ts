import { describe, expect, it, vi } from 'vitest';
import { type FollowOptions, follow } from '../../../../core/log/follow.ts';
import type { LogRecord, Positions, Topic } from '../../../../core/ports.ts';
import { serialiseHead } from '../../../../schemas/events/envelope.ts';

/** A busy machine may take its time. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000 });

/** A log in memory of two topics; `append` adds a record and wakes who listens. */
const makeLog = () => {
  const partitions: Record<string, LogRecord[]> = { 'turns/0': [], 'accounts/0': [] };
  const listeners = new Set<() => void>();
  return {
    append: (topic: Topic, count = 1, value: Uint8Array = new Uint8Array()): void => {
      const records = partitions[`${topic}/0`]!;
      for (let i = 0; i < count; i++)
        records.push({ topic, partition: 0, offset: records.length, value, headers: {} });
      for (const listener of listeners) listener();
    },
    read: async (topic: Topic, partition: number, offset: number, limit: number) =>
      partitions[`${topic}/${partition}`]!.slice(offset, offset + limit),
    ends: async (): Promise<Positions> =>
      Object.fromEntries(Object.entries(partitions).map(([name, records]) => [name, records.length])),
    onAppend: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

const following = (log: ReturnType<typeof makeLog>, options: Partial<FollowOptions> = {}) => {
  const seen: string[] = [];
  const stored: Positions = {};
  const onTrouble = vi.fn();
  const follower = follow({
    log,
    topics: ['accounts', 'turns'],
    pageSize: 3,
    positions: async () => stored,
    step: async records => {
      seen.push(...records.map(({ topic, offset }) => `${topic}/${offset}`));
      stored[`${records[0].topic}/0`] = records.at(-1)!.offset + 1;
      return 'next';
    },
    onTrouble,
    ...options,
  });
  return { follower, seen, stored, onTrouble };
};

/** The clear part of a frame of as many events. */
const frameOf = (events: number): Uint8Array =>
  serialiseHead({
    id: 'e0',
    type: 'turns.recorded',
    version: 1,
    org_id: 'acme',
    recorded_at: '2026-03-01T00:00:00.000Z',
    correlation_id: '',
    key_id: 'k',
    events: Array.from({ length: events }, (_, n) => ({ id: `e${n}` })),
  });

describe('a follower', () => {
  it('reads what is there, the first topic to its end before the next, and then what comes', async () => {
    const log = makeLog();
    log.append('turns', 2);
    log.append('accounts', 5);
    const { follower, seen } = following(log);
    await eventually(() => expect(seen).toHaveLength(7));
    expect(seen.slice(0, 5)).toEqual(Array.from({ length: 5 }, (_, n) => `accounts/${n}`));
    log.append('turns');
    await eventually(() => expect(seen.at(-1)).toBe('turns/2'));
    await follower.close();
    log.append('turns');
    expect(seen).toHaveLength(8);
  });

  it('reads at once what comes after a silence, and together what comes soon after', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    try {
      const log = makeLog();
      const steps: string[] = [];
      const { follower } = following(log, {
        pageSize: 4,
        step: async records => {
          steps.push(records.map(({ offset }) => offset).join());
          return 'next';
        },
      });
      const rounds = async (): Promise<void> => {
        for (let round = 0; round < 9; round++) await new Promise(resolve => setImmediate(resolve));
      };
      await rounds();
      await vi.advanceTimersByTimeAsync(1_000);
      for (let i = 0; i < 3; i++) {
        log.append('turns');
        await rounds();
      }
      expect(steps).toEqual(['0']);
      await vi.advanceTimersByTimeAsync(10);
      await rounds();
      expect(steps).toEqual(['0', '1,2']);
      // A full step has more behind it, which waits for nothing.
      log.append('turns', 10);
      await vi.advanceTimersByTimeAsync(10);
      await rounds();
      expect(steps).toEqual(['0', '1,2', '3,4,5,6', '7,8,9,10', '11,12']);
      const closed = follower.close();
      await vi.advanceTimersByTimeAsync(10);
      await closed;
    } finally {
      vi.useRealTimers();
    }
  });

  it('begins again where its store is after a fault, so that nothing is skipped or done twice', async () => {
    const log = makeLog();
    log.append('turns', 5);
    const stored: Positions = {};
    const done: number[] = [];
    let faults = 2;
    const { follower, onTrouble } = following(log, {
      positions: async () => stored,
      step: async records => {
        if (records[0].offset === 3 && faults-- > 0) throw new Error('the disk is full');
        done.push(...records.map(({ offset }) => offset));
        stored['turns/0'] = records.at(-1)!.offset + 1;
        return 'next';
      },
    });
    await eventually(() => expect(done).toEqual([0, 1, 2, 3, 4]));
    expect(onTrouble).toHaveBeenCalledTimes(2);
    await follower.close();
  });

  it('repeats a step that failed with half of its records, down to one, and grows again', async () => {
    const log = makeLog();
    log.append('turns', 24);
    const sizes: number[] = [];
    const stored: Positions = {};
    const { follower } = following(log, {
      pageSize: 8,
      positions: async () => stored,
      step: async records => {
        sizes.push(records.length);
        if (records[0].offset === 0 && records.length > 1) throw new Error('database or disk is full');
        stored['turns/0'] = records.at(-1)!.offset + 1;
        return 'next';
      },
    });
    await eventually(() => expect(stored['turns/0']).toBe(24));
    expect(sizes).toEqual([8, 4, 2, 1, 2, 4, 8, 8, 1]);
    await follower.close();
  });

  it('goes no further than it is held at, and on when it is resumed', async () => {
    const log = makeLog();
    const { follower, seen } = following(log);
    const reached = follower.hold({ 'turns/0': 4 });
    log.append('turns', 7);
    expect(await reached).toMatchObject({ 'turns/0': 4 });
    expect(seen).toHaveLength(4);
    follower.resume();
    await eventually(() => expect(seen).toHaveLength(7));
    await follower.close();
  });

  it('takes records for a step until they have as many events as it may take, and one record at least', async () => {
    const log = makeLog();
    for (const events of [2, 3, 1, 200, 6, 1]) log.append('turns', 1, frameOf(events));
    const steps: number[][] = [];
    const { follower } = following(log, {
      pageSize: 32,
      mostEvents: 6,
      step: async records => {
        steps.push(records.map(({ offset }) => offset));
        return 'next';
      },
    });
    await eventually(() => expect(steps).toEqual([[0, 1, 2], [3], [4], [5]]));
    await follower.close();
  });

  it('stops for good when a step says so', async () => {
    const log = makeLog();
    log.append('turns', 4);
    const step = vi.fn(async () => 'stop' as const);
    const { follower } = following(log, { step });
    await eventually(() => expect(step).toHaveBeenCalledOnce());
    log.append('turns');
    await follower.close();
    expect(step).toHaveBeenCalledOnce();
  });

  it('drains what a step left under way before it sleeps, and closes with the step under way done', async () => {
    const log = makeLog();
    const order: string[] = [];
    let finish = (): void => {};
    const { follower } = following(log, {
      step: async () => {
        order.push('step');
        if (order.length > 2) await new Promise<void>(resolve => (finish = resolve));
        return 'next';
      },
      drain: async () => void order.push('drain'),
    });
    log.append('turns');
    await eventually(() => expect(order.slice(0, 2)).toEqual(['step', 'drain']));
    log.append('turns');
    await eventually(() => expect(order.filter(each => each === 'step')).toHaveLength(2));
    const closed = follower.close().then(() => order.push('closed'));
    finish();
    await closed;
    expect(order.at(-1)).toBe('closed');
    expect(order.at(-2)).toBe('drain');
  });
});
