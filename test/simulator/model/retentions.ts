/** How long an organization keeps what has no expiry of its own: what was set, and what that has ended. */

const DAY_MS = 86_400_000;
/** A retention begins to count so long after it was set. */
const WARNING_MS = DAY_MS;
/** A retention that was set by a clock so far ahead is set again when it is asked for again. */
const AHEAD_MS = 5 * 60_000;

interface Change {
  /** null: for ever. */
  days: number | null;
  /** The clock when it was set: Unix milliseconds. */
  at: number;
}

interface InForce {
  from: number;
  /** When another one took its place. */
  to: number;
  days: number | null;
}

/** Unix milliseconds up to which what was recorded has expired, at the least and at the most. */
export interface Gone {
  least: number;
  most: number;
}

export interface Retentions {
  /** Somebody sets it, at the earliest and at the latest at these instants, and may be told nothing of it. */
  set(days: number | null, at: { from: number; to: number }, isSure: boolean): void;
  /** It isn't known whether the last change was made. */
  isUnsure(): boolean;
  /** Takes in what the service says was set last: was the last change made? */
  told(days: number | null): void;
  gone(now: number): Gone;
}

/** The log has the order: a change that is dated later than one behind it counts from when that was set. */
const dated = (changes: readonly Change[]): Change[] =>
  changes.map(({ days }, i) => ({ days, at: Math.min(...changes.slice(i).map(({ at }) => at)) }));

/** One that was replaced before it was in force never counts. */
const inForce = (changes: readonly Change[]): InForce[] => {
  const counted = dated(changes).filter(
    ({ at }, i, all) => !((all[i + 1]?.at ?? Number.POSITIVE_INFINITY) < at + WARNING_MS),
  );
  return counted.map(({ days, at }, i) => ({
    from: at + WARNING_MS,
    to: i + 1 < counted.length ? counted[i + 1]!.at + WARNING_MS : Number.POSITIVE_INFINITY,
    days,
  }));
};

const goneOf = (changes: readonly Change[], now: number): Gone => {
  const gone: Gone = { least: Number.NEGATIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
  for (const { from, to, days } of inForce(changes)) {
    if (days === null) continue;
    const until = Math.min(to, now) - days * DAY_MS;
    // A clock that is behind may say otherwise of one that was in force.
    if (now >= from) gone.least = Math.max(gone.least, until);
    if (now >= from || to !== Number.POSITIVE_INFINITY) gone.most = Math.max(gone.most, until);
  }
  return gone;
};

export const makeRetentions = (): Retentions => {
  /** As they were set at the earliest, and at the latest. */
  let early: Change[] = [];
  let late: Change[] = [];
  let isUnsure = false;

  const mayBe = (): Change[][] =>
    isUnsure ? [early, late, early.slice(0, -1), late.slice(0, -1)] : [early, late];
  const isSet = (changes: readonly Change[], days: number | null, now: number): boolean => {
    const last = dated(changes).at(-1);
    return last !== undefined && last.at > now + AHEAD_MS ? false : (last?.days ?? null) === days;
  };
  return {
    set: (days, { from, to }, isSure) => {
      // The same once more is no change.
      if (isSet(early, days, from)) return;
      early = [...early, { days, at: from }];
      late = [...late, { days, at: to }];
      isUnsure = !isSure;
    },
    isUnsure: () => isUnsure,
    told: days => {
      if (!isUnsure) return;
      isUnsure = false;
      if (early.at(-1)!.days === days) return;
      early = early.slice(0, -1);
      late = late.slice(0, -1);
    },
    gone: now => {
      const all = mayBe().map(changes => goneOf(changes, now));
      return {
        least: Math.min(...all.map(({ least }) => least)),
        most: Math.max(...all.map(({ most }) => most)),
      };
    },
  };
};
