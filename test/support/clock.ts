/** A clock in a test's hand: moments come when the test says so, however long its machine takes until then. */
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

/** Runs on from `start`, as the machine's clock runs; default: from the machine's time. */
export const holdClock = (start?: string): HeldClock => {
  const path = join(temporaryFolder(), 'clock');
  const file = openSync(path, 'w');
  let added = start === undefined ? 0 : Date.parse(start) - Date.now();
  const tell = (): void => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(added);
    // In one piece over what was there: a reader finds one or the other.
    writeSync(file, bytes, 0, 8, 0);
  };
  const now = (): number => Date.now() + added;
  const advance = (ms: number): void => {
    added += ms;
    tell();
  };
  tell();
  return {
    environment: { NODE_OPTIONS: `--import=${PRELOAD}`, TEST_CLOCK_FILE: path },
    commandEnvironment: () => ({ TURNSTONE_CLOCK: new Date(now()).toISOString() }),
    now,
    advance,
    pass: moment => advance(Math.max(0, moment + 1 - now())),
  };
};
