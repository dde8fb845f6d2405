/** Loaded into a process before its own code, and into each of its threads: the time is the machine's and what a test adds (clock.ts). */
import { openSync, readSync } from 'node:fs';

const file = openSync(process.env.TEST_CLOCK_FILE!, 'r');
const added = Buffer.alloc(8);
const machine = Date.now;

const now = (): number => {
  readSync(file, added, 0, 8, 0);
  return machine() + added.readDoubleLE();
};

globalThis.Date = new Proxy(Date, {
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  construct: (date, given, target) => Reflect.construct(date, given.length > 0 ? given : [now()], target),
});
