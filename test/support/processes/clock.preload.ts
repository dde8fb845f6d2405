/** Loaded into a process before its own code, and into each of its threads: the time is what a test says (clock.ts). */
import { openSync, readSync } from 'node:fs';

const file = openSync(process.env.TEST_CLOCK_FILE!, 'r');
const told = Buffer.alloc(16);
const machine = Date.now;

const now = (): number => {
  readSync(file, told, 0, 16, 0);
  return told.readDoubleLE(0) + told.readDoubleLE(8) * machine();
};

globalThis.Date = new Proxy(Date, {
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  construct: (date, given, target) => Reflect.construct(date, given.length > 0 ? given : [now()], target),
});
