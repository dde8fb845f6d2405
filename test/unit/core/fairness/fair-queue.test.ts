import { describe, expect, it } from 'vitest';
import { makeFairQueue } from '../../../../core/fairness/fair-queue.ts';

/** Work that ends when it is told to, and the order in which it began. */
const makeWork = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    of: (name: string) => async (): Promise<string> => {
      begun.push(name);
      await new Promise<void>(resolve => ends.set(name, resolve));
      return name;
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)!();
      await new Promise(resolve => setImmediate(resolve));
    },
  };
};

const settle = () => new Promise(resolve => setImmediate(resolve));

describe('a queue that organizations share', () => {
  it('runs half of the slots for one organization, whoever else waits or not', async () => {
    const queue = makeFairQueue({ slots: 4 });
    const work = makeWork();
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(name => queue.run(name[0]!, work.of(name)));
    await settle();
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(queue.of('a')).toEqual({ running: 2, waiting: 1, organizations: 3 });
    await work.end('b1');
    expect(work.begun.slice(4)).toEqual(['c1']);
    await work.end('a1');
    expect(work.begun.slice(5)).toEqual(['a3']);
    for (const name of ['a2', 'a3', 'b2', 'c1']) await work.end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
    expect(queue.of('a')).toEqual({ running: 0, waiting: 0, organizations: 0 });
  });

  it('goes round: a hundred that one has waiting come after the one of another', async () => {
    const queue = makeFairQueue({ slots: 1 });
    const work = makeWork();
    const all = Array.from({ length: 100 }, (_, i) => queue.run('a', work.of(`a${i}`)));
    all.push(queue.run('b', work.of('b0')), queue.run('c', work.of('c0')), queue.run('b', work.of('b1')));
    await settle();
    for (let i = 0; i < all.length; i++) await work.end(work.begun[i]!);
    expect(work.begun.slice(0, 7)).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3']);
    await Promise.all(all);
  });

  it('refuses one organization at half of the places, and all at the end of them', async () => {
    const queue = makeFairQueue({ slots: 2, mostWaiting: 4 });
    const work = makeWork();
    const refused = (org: string, name: string) =>
      queue.run(org, work.of(name)).then(
        () => 'ran',
        (error: { code: string }) => error.code,
      );
    const all = ['a1', 'a2', 'a3', 'b1'].map(name => queue.run(name[0]!, work.of(name)));
    await settle();
    expect(await refused('a', 'a4')).toBe('unavailable');
    all.push(queue.run('b', work.of('b2')), queue.run('c', work.of('c1')));
    await settle();
    expect(await refused('d', 'd1')).toBe('unavailable');
    expect(work.begun).toEqual(['a1', 'b1']);
    for (let i = 0; i < all.length; i++) await work.end(work.begun[i]!);
    await Promise.all(all);
    expect(await Promise.race([queue.run('d', async () => 'ran'), settle()])).toBe('ran');
  });

  it('forgets what is aborted while it waits, and gives a failed one its slot back', async () => {
    const queue = makeFairQueue({ slots: 1 });
    const work = makeWork();
    const first = queue.run('a', work.of('a1'));
    const gone = new AbortController();
    const waiting = queue.run('a', work.of('a2'), gone.signal);
    const failing = expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    const last = queue.run('a', work.of('a3'));
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(queue.of('a').waiting).toBe(2);
    await expect(queue.run('a', work.of('a4'), gone.signal)).rejects.toThrow('gone');
    await work.end('a1');
    await first;
    await failing;
    await settle();
    expect(work.begun).toEqual(['a1', 'a3']);
    await work.end('a3');
    await last;
    expect(queue.of('a')).toEqual({ running: 0, waiting: 0, organizations: 0 });
  });
});
