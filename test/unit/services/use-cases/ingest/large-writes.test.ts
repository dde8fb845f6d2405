import { expect, it } from 'vitest';
import { makeLargeWrites } from '../../../../../services/use-cases/ingest/large-writes.ts';

/** Work that ends when it is told to, and says when it began. */
const makeWorld = (waitMs?: number) => {
  const run = makeLargeWrites(waitMs);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    write: (org: string, name: string, signal?: AbortSignal): Promise<string> =>
      run(org, signal, async () => {
        began.push(name);
        await new Promise<void>(resolve => ends.set(name, resolve));
        return name;
      }),
    end: async (name: string): Promise<void> => {
      ends.get(name)!();
      await new Promise(resolve => setImmediate(resolve));
    },
  };
};

it('works on one at a time, and organizations take turns', async () => {
  const { write, end, began } = makeWorld();
  const writes = [write('a', 'a1'), write('a', 'a2'), write('a', 'a3'), write('b', 'b1')];
  for (const name of ['a1', 'b1', 'a2', 'a3']) {
    expect(began.at(-1)).toBe(name);
    await end(name);
  }
  expect(await Promise.all(writes)).toEqual(['a1', 'a2', 'a3', 'b1']);
});

it('refuses a write that waits for too long, and goes on', async () => {
  const { write, end, began } = makeWorld(20);
  const first = write('a', 'a1');
  await expect(write('a', 'a2')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
  await end('a1');
  await first;
  void write('a', 'a3');
  expect(began).toEqual(['a1', 'a3']);
});

it('forgets a write that was cancelled, and survives one that fails', async () => {
  const { write, end, began } = makeWorld();
  const run = write('a', 'a1');
  const cancel = new AbortController();
  const waiting = write('a', 'a2', cancel.signal);
  const next = write('a', 'a3');
  cancel.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await end('a1');
  await run;
  await end('a3');
  await next;
  expect(began).toEqual(['a1', 'a3']);
  const failing = makeLargeWrites();
  await expect(failing('a', undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await failing('a', undefined, async () => 'next')).toBe('next');
});
