/**
 * How many poison events the projector skips before it stops: a bad deploy must not turn the log into dead
 * letters. A record that can't be decoded into events counts as one.
 */
export interface PoisonLimits {
  /** Events in a row of a partition; 0: any number. */
  inARow: number;
  /** Percent of the last 1,000 events of a partition, applied from 100 poison events; 0: any share. */
  share: number;
}

/** The name of a limit. */
export type LimitName = 'in_a_row' | 'share';

const WINDOW = 1_000;
/**
 * The share applies from this many poison events: in a quiet partition a few of them may be most of its
 * events.
 */
const LEAST = 100;

/**
 * One organization counts for at most a tenth of a limit or, with fewer than ten organizations, for an equal
 * share. So one organization's events can't stop the projection of the others: beyond its share they go on as
 * dead letters.
 */
const SHARERS = 10;

/**
 * An event as it is counted. `org`, of poison: undefined where its envelope can't be read, which no
 * organization causes.
 */
export interface Counted {
  isPoison: boolean;
  org: string | undefined;
}

type Organization = string | undefined;

/** The count of a partition's events since the start. */
interface Seen {
  events: number;
  /** The poison in a row, by organization. */
  inARow: Map<Organization, number>;
  /** The poison among the last `WINDOW` events, by its sequence number, and how much is whose. */
  poison: { number: number; org: Organization }[];
  share: Map<Organization, number>;
}

const NOTHING: Seen = { events: 0, inARow: new Map(), poison: [], share: new Map() };

const copyOf = ({ events, inARow, poison, share }: Seen): Seen => ({
  events,
  inARow: new Map(inARow),
  poison: [...poison],
  share: new Map(share),
});

const add = (counts: Map<Organization, number>, org: Organization, n: number): void => {
  const left = (counts.get(org) ?? 0) + n;
  if (left === 0) counts.delete(org);
  else counts.set(org, left);
};

const sumOf = (counts: ReadonlyMap<Organization, number>): number =>
  counts.values().reduce((sum, count) => sum + count, 0);

/** Whether the poison that counts reaches the limit, with so many organizations in the installation. */
const reaches = (
  counts: ReadonlyMap<Organization, number>,
  limit: number,
  organizations: number,
): boolean => {
  const most = Math.ceil(limit / Math.min(Math.max(organizations, 1), SHARERS));
  let counting = 0;
  for (const [org, count] of counts) counting += org === undefined ? count : Math.min(count, most);
  return counting >= limit;
};

/** A limit is reached: retrying won't help, so the projector stops. */
export interface LimitReached {
  kind: 'stopped';
  limit: LimitName;
  /** The message for an operator. */
  reason: string;
}

/** `what`: the poison, for example "100 events in a row of turns/3". */
const reached = (limit: LimitName, what: string, variable: string): LimitReached => ({
  kind: 'stopped',
  limit,
  reason:
    `${what} can't be projected: stopped before passing over more. Start the release that can read them, or, ` +
    `if none can, raise ${variable} (docs/operate/dead-letters.md)`,
});

/** Returns the new count, or the limit that an event reaches. */
const counted = (
  seen: Seen,
  partition: string,
  events: readonly Counted[],
  limits: PoisonLimits,
  organizations: number,
): Seen | LimitReached => {
  const next = copyOf(seen);
  const { inARow, poison, share } = next;
  for (const { isPoison, org } of events) {
    next.events++;
    if (!isPoison) {
      inARow.clear();
      continue;
    }
    add(inARow, org, 1);
    poison.push({ number: next.events, org });
    add(share, org, 1);
    while (poison[0]!.number <= next.events - WINDOW) add(share, poison.shift()!.org, -1);
    if (limits.inARow > 0 && reaches(inARow, limits.inARow, organizations))
      return reached(
        'in_a_row',
        `${sumOf(inARow)} events in a row of ${partition}`,
        'TURNSTONE_DEAD_LETTERS_IN_A_ROW',
      );
    const window = Math.min(next.events, WINDOW);
    const most = Math.max(LEAST, Math.ceil((limits.share * window) / 100));
    if (limits.share > 0 && reaches(share, most, organizations))
      return reached(
        'share',
        `${poison.length} of the last ${window} events of ${partition}`,
        'TURNSTONE_DEAD_LETTERS_SHARE',
      );
  }
  return next;
};

export interface PoisonCount {
  /**
   * Counts a step's events in their order. Returns the limit that they reach, or `keep`, to be called once
   * the step is applied, since a repeated step must not count twice.
   */
  count(
    partition: string,
    events: readonly Counted[],
  ): Promise<LimitReached | { kind: 'within'; keep: () => void }>;
}

/**
 * Counts in memory, per partition; a restart resets the counts. `organizations`: how many the installation
 * has, asked when those seen so far would stop the projector; default: only those seen.
 */
export const makePoisonCount = (
  limits: PoisonLimits,
  organizations: () => Promise<number> = async () => 1,
): PoisonCount => {
  const seen = new Map<string, Seen>();
  /** Those of poison; ten at most. */
  const known = new Set<string>();
  return {
    count: async (partition, events) => {
      for (const { org } of events) if (org !== undefined && known.size < SHARERS) known.add(org);
      const countWith = (among: number) =>
        counted(seen.get(partition) ?? NOTHING, partition, events, limits, among);
      let next = countWith(known.size);
      if ('kind' in next && known.size < SHARERS)
        next = countWith(Math.max(known.size, await organizations()));
      if ('kind' in next) return next;
      const kept = next;
      return { kind: 'within', keep: () => void seen.set(partition, kept) };
    },
  };
};
