/**
 * Loaded into a process before its own code, and into each of its threads: the time is what a test says
 * (clock.ts).
 */
import { openSync, readFileSync, readSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

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
