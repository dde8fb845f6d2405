/**
 * How much of the log may wait in memory for the projections: a number of events, and the bytes of their
 * words.
 */
export interface TailBound {
  events: number;
  bytes: number;
}

/** After another organization has written, the tail counts as shared for this long. */
const SHARED_MS = 60_000;

/**
 * Tracks each organization's share of the tail. An organization that writes alone may fill it; one that
 * shares it with others may have at most half of it, so that the others' writes are accepted.
 */
export const makeTailShares = (now: () => number = () => performance.now()) => {
  const held = new Map<string, TailBound>();
  let lastOrg: string | undefined;
  let sharedUntil = 0;
  return {
    count: (org: string, change: TailBound): void => {
      const before = held.get(org) ?? { events: 0, bytes: 0 };
      const own = { events: before.events + change.events, bytes: before.bytes + change.bytes };
      if (own.events === 0) held.delete(org);
      else held.set(org, own);
    },
    /** Notes that an organization is about to write. */
    asks: (org: string): void => {
      if (lastOrg !== undefined && lastOrg !== org) sharedUntil = now() + SHARED_MS;
      lastOrg = org;
    },
    /** Returns how much of its own part of the tail an organization has taken: 1 is all of it. */
    fill: (org: string | undefined, most: TailBound): number => {
      const own = org === undefined ? undefined : held.get(org);
      if (!own || now() >= sharedUntil) return 0;
      return 2 * Math.max(own.events / most.events, own.bytes / most.bytes);
    },
  };
};
