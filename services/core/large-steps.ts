import { setTimeout as pause } from 'node:timers/promises';
import { nextRound } from './yield-when-due.ts';

/** About as long as a step of the largest write takes: while short calls are at work, at least half of the time is theirs. */
const REST_MS = 8;

let shortCalls = 0;
let turn: Promise<unknown> = Promise.resolve();

/** Counts a call as short for as long as its work takes. */
export const asShortCall = async <T>(work: Promise<T>): Promise<T> => {
  shortCalls++;
  try {
    return await work;
  } finally {
    shortCalls--;
  }
};

/**
 * Await it before a step of a large call that takes milliseconds: such steps come one after the other, whoever's they are,
 * and rest between two of them while short calls are at work. Where there are none, large calls lose nothing.
 */
export const nextLargeStep = (): Promise<void> => {
  const mine = turn.then(async () => {
    // The step before runs as soon as its turn is over; the rest begins after it.
    await nextRound();
    if (shortCalls > 0) await pause(REST_MS);
  });
  turn = mine;
  return mine;
};
