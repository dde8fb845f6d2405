/**
 * One machine whose time and chance are ours: timers fire only when nothing else is left to do, the wall
 * clock can jump, and random bytes come from a seed. So a history runs in the same way whenever it is run.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { type Random, randomOf } from './random.ts';

interface Timer {
  at: number;
  number: number;
  fire: () => void;
  everyMs: number | undefined;
}

export interface Machine {
  /** Unix milliseconds, as the wall clock tells them. */
  now(): number;
  /** Sets the wall clock; no timer notices. */
  jump(byMs: number): void;
  /** Lets the process run for so long. */
  pass(ms: number): Promise<void>;
  /**
   * Runs everything until the condition holds: what is ready first, then the next timer. Returns false when
   * that takes longer than `mostMs` of the machine's time.
   */
  until(condition: () => boolean, mostMs: number): Promise<boolean>;
  /** Forgets all timers, as the end of a process does. */
  forgetTimers(): void;
  /** Gives the machine's time and chance back to the real ones. */
  release(): void;
}

/** Rounds of the event loop without a timer until nothing can be ready any more. */
const IDLE_ROUNDS = 5;

const realImmediate = setImmediate;
const nextRound = (): Promise<void> => new Promise(resolve => realImmediate(resolve));

/** Calls of ports that are in the middle of their work: no time passes until they have done it. */
let atWork = 0;
export const round = async (): Promise<void> => {
  atWork++;
  await nextRound();
  atWork--;
};

const makeTimers = () => {
  const timers = new Map<number, Timer>();
  let now = 1_000;
  let number = 0;
  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers.values())
      if (!first || timer.at < first.at || (timer.at === first.at && timer.number < first.number))
        first = timer;
    return first;
  };
  const handle = (own: number) => {
    const one = { ref: () => one, unref: () => one, hasRef: () => false, [Symbol.toPrimitive]: () => own };
    return one;
  };
  const add = (fire: () => void, ms: number | undefined, repeats: boolean) => {
    const afterMs = Math.max(1, Number(ms) || 0);
    timers.set(++number, { at: now + afterMs, number, fire, everyMs: repeats ? afterMs : undefined });
    return handle(number);
  };
  return {
    now: () => now,
    next,
    add,
    remove: (one: unknown) => void (one != null && timers.delete(Number(one))),
    clear: () => timers.clear(),
    moveTo: (at: number): void => {
      now = Math.max(now, at);
    },
    fire: (timer: Timer): void => {
      now = Math.max(now, timer.at);
      if (timer.everyMs === undefined) timers.delete(timer.number);
      else timer.at = now + timer.everyMs;
      timer.fire();
    },
  };
};

type Timers = ReturnType<typeof makeTimers>;

/** The promise of `node:timers/promises`, on our time. */
const pauseOn =
  (timers: Timers) =>
  (ms?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const aborted = (): void => {
        timers.remove(timer);
        reject(signal!.reason);
      };
      const timer = timers.add(
        () => {
          signal?.removeEventListener('abort', aborted);
          resolve(value);
        },
        ms,
        false,
      );
      if (signal?.aborted) aborted();
      else signal?.addEventListener('abort', aborted, { once: true });
    });

const uuidOf = (random: Random): string => {
  const hex = random.bytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** Replaces members, and returns what puts them back. */
const replace = (target: object, members: object): (() => void) => {
  const before = Object.keys(members).map(
    name => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
  };
};

/**
 * Takes over the process's time and chance until it is released; one machine at a time.
 *
 * @param start Unix milliseconds
 */
export const takeMachine = (seed: number, start: number): Machine => {
  const timers = makeTimers();
  const random = randomOf(seed ^ 0x5eed);
  let offset = start - timers.now();
  const now = (): number => timers.now() + offset;
  const setTimer =
    (repeats: boolean) =>
    (fire: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      timers.add(() => fire(...args), ms, repeats);
  const restore = [
    replace(globalThis, {
      setTimeout: setTimer(false),
      setInterval: setTimer(true),
      clearTimeout: timers.remove,
      clearInterval: timers.remove,
    }),
    replace(Date, { now }),
    replace(performance, { now: timers.now }),
    replace(timersPromises, { setTimeout: pauseOn(timers) }),
    replace(crypto, {
      randomBytes: (count: number) => random.bytes(count),
      randomUUID: () => uuidOf(random),
    }),
    replace(globalThis.crypto, { randomUUID: () => uuidOf(random) }),
  ];
  syncBuiltinESMExports();

  const until: Machine['until'] = async (condition, mostMs) => {
    const end = timers.now() + mostMs;
    for (;;) {
      for (let idle = 0; idle < IDLE_ROUNDS; idle = atWork > 0 ? 0 : idle + 1) {
        if (condition()) return true;
        await nextRound();
      }
      if (condition()) return true;
      // An interval has done its work when it returns, so nothing can be ready after it.
      for (let isInterval = true; isInterval; ) {
        const timer = timers.next();
        if (!timer || timer.at > end) {
          timers.moveTo(end);
          return false;
        }
        timers.fire(timer);
        isInterval = timer.everyMs !== undefined;
      }
    }
  };
  return {
    now,
    jump: byMs => {
      offset += byMs;
    },
    pass: async ms => void (await until(() => false, ms)),
    until,
    forgetTimers: timers.clear,
    release: () => {
      for (const one of restore.reverse()) one();
      syncBuiltinESMExports();
    },
  };
};
