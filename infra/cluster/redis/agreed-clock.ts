/** Clocks of one installation differ by seconds. */
const MOST_APART_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;

export interface AgreedClock {
  /** Resolves with the instant up to which what has expired may be destroyed, in Unix milliseconds. */
  upTo(): Promise<number>;
  /** Rejects while the clocks are known to disagree: the later one counts for nothing. */
  probe(): Promise<string>;
}

export interface AgreedClockOptions {
  /** Redis's, Unix milliseconds. Rejects when it can't be reached: then nothing is destroyed. */
  now: () => Promise<number>;
  /** This machine's, Unix milliseconds. */
  clock: () => number;
  quarantineMs: number;
}

/**
 * Returns the clock by which the cluster destroys what has expired: one clock may be wrong, and a destroyed
 * key is gone for good, so an instant is past when this machine's clock and Redis's have both passed it by
 * the quarantine.
 */
export const makeAgreedClock = ({ now, clock, quarantineMs }: AgreedClockOptions): AgreedClock => ({
  upTo: async () => Math.min(clock(), await now()) - quarantineMs,
  probe: async () => {
    const theirs = await now().catch(() => undefined);
    // A Redis that doesn't answer has a probe of its own: nothing is known of the clocks.
    if (theirs === undefined) return "not compared: Redis doesn't answer";
    const ahead = clock() - theirs;
    if (Math.abs(ahead) <= MOST_APART_MS) return "agrees with Redis's";
    const hours = (Math.abs(ahead) / HOUR_MS).toFixed(1);
    throw new Error(
      `this machine's clock is ${hours} h ${ahead > 0 ? 'ahead of' : 'behind'} Redis's: what expires is destroyed by the earlier one`,
    );
  },
});
