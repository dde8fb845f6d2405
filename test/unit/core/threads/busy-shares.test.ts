import { expect, it } from 'vitest';
import { makeBusyShares } from '../../../../core/threads/busy-shares.ts';

const makeWorld = () => {
  let now = 0;
  const { begin, isBusiest } = makeBusyShares(() => now);
  const pass = (ms: number): void => {
    now += ms;
  };
  return {
    begin,
    isBusiest,
    pass,
    /** An organization asks at a time, without a pause. */
    ask: (org: string, ms: number): void => {
      const ended = begin(org);
      pass(ms);
      ended();
    },
  };
};

it('is whoever asks most of the time, however many questions at once', () => {
  const { begin, ask, isBusiest } = makeWorld();
  const ended = [begin('a'), begin('a')];
  for (let i = 0; i < 100; i++) ask('b', 100);
  expect([isBusiest('a'), isBusiest('b')]).toEqual([true, false]);
  for (const each of ended) each();
});

it('is nobody who is alone, or asks less than half of the time', () => {
  const { ask, pass, isBusiest } = makeWorld();
  ask('a', 60_000);
  expect(isBusiest('a')).toBe(false);
  for (let i = 0; i < 300; i++) {
    ask('a', 40);
    ask('b', 20);
    pass(140);
  }
  expect([isBusiest('a'), isBusiest('b')]).toEqual([false, false]);
});

it('is another one soon after the first has stopped', () => {
  const { begin, ask, isBusiest } = makeWorld();
  begin('idle')();
  ask('a', 30_000);
  ask('b', 5_000);
  expect([isBusiest('a'), isBusiest('b')]).toEqual([true, false]);
  ask('b', 5_000);
  expect([isBusiest('a'), isBusiest('b')]).toEqual([false, true]);
});

it('forgets who has stopped, so that the last one is alone', () => {
  const { ask, begin, isBusiest } = makeWorld();
  ask('b', 1);
  ask('a', 60_000);
  begin('a');
  expect(isBusiest('a')).toBe(false);
});
