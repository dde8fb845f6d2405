/**
 * A clock in a test's hand: moments come when the test says so, however long its machine takes until then.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './server.ts';

const PRELOAD = new URL('./clock.preload.ts', import.meta.url).href;

export interface HeldClock {
  /** Servers that are started with these variables go by this clock, in all their threads. */
  environment: Record<string, string>;
  /** Commands that are run in the test's process with these go by it as it is now. */
  commandEnvironment(): Record<string, string>;
  now(): number;
  advance(ms: number): void;
  /** Advances it beyond this moment. */
  pass(moment: number): void;
}

const makeClock = (base: number, rate: 0 | 1): HeldClock => {
  const path = join(temporaryFolder(), 'clock');
  const file = openSync(path, 'w');
  let added = base;
  const tell = (): void => {
    const bytes = Buffer.alloc(16);
    bytes.writeDoubleLE(added, 0);
    bytes.writeDoubleLE(rate, 8);
    // In one piece over what was there: a reader finds one or the other.
    writeSync(file, bytes, 0, 16, 0);
  };
  const now = (): number => added + rate * Date.now();
  const advance = (ms: number): void => {
    added += ms;
    tell();
  };
  tell();
  return {
    environment: {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      TEST_CLOCK_FILE: path,
      TURNSTONE_QUARANTINE_HOURS: '0',
    },
    commandEnvironment: () => ({ TURNSTONE_CLOCK: new Date(now()).toISOString() }),
    now,
    advance,
    pass: moment => advance(Math.max(0, moment - now())),
  };
};

/**
 * Runs on as the machine's clock does, from the same time, and is ahead of it by what the test advances it.
 */
export const holdClock = (): HeldClock => makeClock(0, 1);

/** Stands at `start` until the test advances it. */
export const stopClock = (start: string): HeldClock => makeClock(Date.parse(start), 0);
