/**
 * The lock by which the threads of a build write to their file one at a time, in memory that they share. With
 * SQLite's own a thread sleeps for up to a tenth of a second beside a file that is free.
 */

/** The number of the thread that writes, from 1; `FREE`: none. */
const HOLDER = 0;
/** How many batches were written, and how many of them removed rows. */
const BATCHES = 1;
const REMOVALS = 2;
const WORDS = 3;

const FREE = 0;
/** A waiting thread looks this often whether it is to end. */
const LOOK_EVERY_MS = 50;

export const makeSharedLock = (): SharedArrayBuffer =>
  new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);

const release = (words: Int32Array, thread: number): void => {
  if (Atomics.compareExchange(words, HOLDER, thread, FREE) === thread) Atomics.notify(words, HOLDER, 1);
};

/** Releases the lock for a thread that has ended, if it held it. */
export const releaseFor = (shared: SharedArrayBuffer, thread: number): void =>
  release(new Int32Array(shared), thread);

/** Changes of the file by the other threads since this thread's last turn. */
export interface Meanwhile {
  wrote: boolean;
  removed: boolean;
}

export interface SharedLock {
  /**
   * Waits for its turn and does the work in it. `removes`: the work removes rows. Throws when the thread is
   * to end before that.
   */
  inTurn<T>(work: (meanwhile: Meanwhile) => Promise<T>, removes: boolean): Promise<T>;
}

/**
 * Opens the lock in a thread.
 *
 * @param thread its number, from 1
 * @param isEnding whether the thread is to end, and need not wait
 */
export const openSharedLock = (
  shared: SharedArrayBuffer,
  thread: number,
  isEnding: () => boolean,
): SharedLock => {
  const words = new Int32Array(shared);
  const seen = { batches: 0, removals: 0 };

  const acquire = async (): Promise<void> => {
    for (;;) {
      if (isEnding()) throw new Error('the thread ends');
      const holder = Atomics.compareExchange(words, HOLDER, FREE, thread);
      if (holder === FREE) return;
      // Nothing else is to be done in this thread, but an order to end may arrive.
      if (Atomics.wait(words, HOLDER, holder, LOOK_EVERY_MS) === 'timed-out')
        await new Promise<void>(resolve => setImmediate(resolve));
    }
  };

  return {
    inTurn: async (work, removes) => {
      await acquire();
      const [batches, removals] = [Atomics.load(words, BATCHES), Atomics.load(words, REMOVALS)];
      try {
        return await work({ wrote: batches !== seen.batches, removed: removals !== seen.removals });
      } finally {
        seen.batches = Atomics.add(words, BATCHES, 1) + 1;
        seen.removals = removes ? Atomics.add(words, REMOVALS, 1) + 1 : removals;
        release(words, thread);
      }
    },
  };
};
