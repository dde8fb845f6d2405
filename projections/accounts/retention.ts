const DAY_MS = 86_400_000;

/** How long after it was set a retention begins to count, so that a mistake can be undone. */
const IN_FORCE_AFTER_MS = DAY_MS;

/** Changes that are remembered one by one: a clock that ran ahead is noticed before as many follow. */
const MOST_CHANGES = 20;

/** A retention as its event set it. */
export interface RetentionChange {
  /** The event's. */
  id: string;
  /** null: for ever. */
  days: number | null;
  /** RFC 3339, UTC, milliseconds, like all times here. */
  at: string;
}

/** The result of some changes. */
interface Standing {
  /** null: for ever. */
  days: number | null;
  set_at: string;
  in_force_at: string;
  /** The retention that applies until then, in days. */
  before: number | null;
  /** Retentions that have ended had removed what was recorded up to here; null: nothing. */
  gone_until: string | null;
}

/**
 * How long an organization keeps what has no expiry of its own. What has expired once stays so whatever is
 * set later: a replay must not bring it back.
 */
export interface Retention extends Standing {
  /** The last changes, in the log's order. */
  changes: readonly RetentionChange[];
  /** The result of the changes before these. */
  earlier?: Standing;
}

/**
 * A retention in force for some time. At `now` nothing is kept that was recorded by min(now, to) - ms. Unix
 * milliseconds.
 */
export interface RetentionInForce {
  from: number;
  to: number;
  ms: number;
}

/** The latest instant of a `Date`. */
const NEVER = 8_640_000_000_000_000;

export const retentionsInForce = ({
  days,
  in_force_at,
  before,
  gone_until,
}: Retention): RetentionInForce[] => {
  const at = Date.parse(in_force_at);
  const found: RetentionInForce[] = [];
  if (gone_until !== null) found.push({ from: -NEVER, to: Date.parse(gone_until), ms: 0 });
  if (before !== null) found.push({ from: -NEVER, to: at, ms: before * DAY_MS });
  if (days !== null) found.push({ from: at, to: NEVER, ms: days * DAY_MS });
  return found;
};

/**
 * The instant up to which what was recorded has expired at `now`; undefined: nothing has. It never goes back.
 */
export const keptAfterAt = (retention: Retention | undefined, now: number): number | undefined => {
  const ends = (retention ? retentionsInForce(retention) : [])
    .filter(({ from }) => from <= now)
    .map(({ to, ms }) => Math.min(to, now) - ms);
  return ends.length === 0 ? undefined : Math.max(...ends);
};

/**
 * Returns the retention after a change, which replaces one that isn't in force yet. Applying it twice changes
 * nothing. The log has the order: a change that is dated later than one behind it was recorded by a clock
 * that ran ahead, and counts from when that one was recorded.
 */
export const withRetention = (former: Retention | undefined, change: RetentionChange): Retention => {
  const known = former?.changes ?? [];
  if (known.some(({ id }) => id === change.id)) return former!;
  const all = [...known, change];
  const changes = all.slice(-MOST_CHANGES);
  const states: Standing[] = [];
  let state: Standing | undefined = former?.earlier;
  for (const [i, { days }] of all.entries()) {
    // RFC 3339 in UTC with milliseconds sorts as text.
    const [at] = all
      .slice(i)
      .map(change => change.at)
      .sort();
    state = standingAfter(state, days, at!);
    states.push(state);
  }
  const earlier = all.length > changes.length ? states[0] : former?.earlier;
  return { ...state!, changes, ...(earlier && { earlier }) };
};

const standingAfter = (former: Standing | undefined, days: number | null, at: string): Standing => {
  const in_force_at = new Date(Date.parse(at) + IN_FORCE_AFTER_MS).toISOString();
  if (!former) return { days, set_at: at, in_force_at, before: null, gone_until: null };
  const { before, gone_until } = former;
  if (former.in_force_at > at) return { days, set_at: at, in_force_at, before, gone_until };
  const ended = before === null ? undefined : Date.parse(former.in_force_at) - before * DAY_MS;
  const until = Math.max(ended ?? -NEVER, gone_until === null ? -NEVER : Date.parse(gone_until));
  return {
    days,
    set_at: at,
    in_force_at,
    before: former.days,
    gone_until: until === -NEVER ? null : new Date(until).toISOString(),
  };
};
