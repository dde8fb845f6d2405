import { expect, it } from 'vitest';
import {
  type Meanwhile,
  makeSharedLock,
  openSharedLock,
  releaseFor,
} from '../../../../../../services/embedded/threads/replay/shared-lock.ts';

const never = (): boolean => false;

it('lets one thread in at a time, and tells it what the others did meanwhile', async () => {
  const shared = makeSharedLock();
  const [one, two] = [1, 2].map(thread => openSharedLock(shared, thread, never));
  const seen: (Meanwhile & { by: number })[] = [];
  let inside = 0;
  const turn = (by: number, removes = false) =>
    (by === 1 ? one! : two!).inTurn(async meanwhile => {
      expect(++inside).toBe(1);
      seen.push({ by, ...meanwhile });
      await new Promise(resolve => setImmediate(resolve));
      inside--;
    }, removes);
  await Promise.all([turn(1), turn(2)]);
  await turn(2, true);
  await turn(1);
  await turn(1);
  await turn(2);
  const nothing = { wrote: false, removed: false };
  expect(seen).toEqual([
    { by: 1, ...nothing },
    { by: 2, wrote: true, removed: false },
    { by: 2, ...nothing },
    { by: 1, wrote: true, removed: true },
    { by: 1, ...nothing },
    { by: 2, wrote: true, removed: false },
  ]);
});

it('is free again after a turn that failed, and after the end of a thread in its turn', async () => {
  const shared = makeSharedLock();
  const [one, two] = [1, 2].map(thread => openSharedLock(shared, thread, never));
  await expect(
    one!.inTurn(() => {
      throw new Error('the disk is full');
    }, false),
  ).rejects.toThrow('the disk is full');
  void one!.inTurn(() => new Promise(() => {}), false);
  // Not the holder's.
  releaseFor(shared, 2);
  let entered = false;
  const entering = two!.inTurn(async () => {
    entered = true;
  }, false);
  await new Promise(resolve => setImmediate(resolve));
  expect(entered).toBe(false);
  releaseFor(shared, 1);
  await entering;
  expect(entered).toBe(true);
});

it('keeps no thread that is to end', async () => {
  const shared = makeSharedLock();
  let isEnding = false;
  void openSharedLock(shared, 1, never).inTurn(() => new Promise(() => {}), false);
  const waiting = openSharedLock(shared, 2, () => isEnding).inTurn(async () => {}, false);
  isEnding = true;
  await expect(waiting).rejects.toThrow('the thread ends');
});
