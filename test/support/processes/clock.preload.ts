/**
 * Loaded into a process before its own code, and into each of its threads: the time is what a test says
 * (clock.ts).
 */
import { openSync, readFileSync, readSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const file = openSync(process.env.TEST_CLOCK_FILE!, 'r');
const told = Buffer.alloc(16);
const machine = Date.now;

const now = (): number => {
  readSync(file, told, 0, 16, 0);
  return told.readDoubleLE(0) + told.readDoubleLE(8) * machine();
};

const MACHINE_DATE = 'machineDate';
Object.assign(globalThis, { [MACHINE_DATE]: Date });

globalThis.Date = new Proxy(Date, {
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  construct: (date, given, target) => Reflect.construct(date, given.length > 0 ? given : [now()], target),
});

/** Work that comes around every few minutes waits for the test, too. */
const LONG_WAIT_MS = 60_000;
const POLL_MS = 20;

/** The running time moves with the clock: what is done after hours of it is done when the test says so. */
const moveTheRunningTime = (): void => {
  const { now: ran } = performance;
  const movedBy = (): number => {
    readSync(file, told, 0, 16, 0);
    return told.readDoubleLE(0);
  };
  const movedBefore = movedBy();
  performance.now = () => ran.call(performance) + movedBy() - movedBefore;
  const { setTimeout: wait } = timers;
  const waitUntil = async <T>(ms: number, value?: T, options?: object): Promise<T> => {
    for (const due = performance.now() + ms; performance.now() < due; )
      await wait(POLL_MS, undefined, options);
    return value as T;
  };
  timers.setTimeout = ((ms: number, ...of: [unknown?, object?]) =>
    ms < LONG_WAIT_MS ? wait(ms, ...of) : waitUntil(ms, ...of)) as typeof wait;
  syncBuiltinESMExports();
};
if (process.env.TEST_CLOCK_IS_RUNNING_TIME === '1' && isMainThread) moveTheRunningTime();

/** A test moves all clocks at once, unless it says that Redis's is right: Redis tells the same time. */
const TIME_OF_REDIS = `
for (const { prototype } of [exports.Redis, exports.Cluster])
  prototype.time = async () => [Math.floor(Date.now() / 1000), 0];
`;

// kafkajs measures requests by the time of day and stamps records with it: to it, an hour that passes at once
// is an outage, and brokers refuse a record of more than an hour ahead.
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (url.endsWith('/node_modules/ioredis/built/index.js') && process.env.TEST_REDIS_IS_RIGHT !== '1') {
      const source = String(loaded.source ?? readFileSync(fileURLToPath(url), 'utf8'));
      return { ...loaded, source: source + TIME_OF_REDIS };
    }
    if (!/\/node_modules\/kafkajs\/.*\.js$/.test(url)) return loaded;
    const source = String(loaded.source ?? readFileSync(fileURLToPath(url), 'utf8'));
    return { ...loaded, source: `const Date = globalThis.${MACHINE_DATE};${source}` };
  },
});
