import { boundedMap } from '../../core/caches/bounded-map.ts';
import type { ExpiryCounts } from '../../core/ports/projection/expiry-counts.ts';
import type { SweptSessions } from '../../core/ports/projection/projection-store.ts';
import { DAY_MS, HOUR_MS } from '../../core/time.ts';
import type { OrganizationDocument } from '../../projections/accounts/accounts-projection.ts';

/**
 * So many sessions a day may always go: a share of few sessions is less than one, and so few can be looked
 * through by whoever misses one.
 */
const FLOOR = 10;
/** Organizations that the next look leaves out; the sessions of more are looked at again and again. */
const MOST_LEFT_OUT = 500;
/** Sessions of an organization are counted once an hour: there may be a million. */
const REMEMBERED = 10_000;

export interface ExpirySharePorts {
  counts: ExpiryCounts;
  sessions: SweptSessions['sessions'];
  organization: (org: string) => Promise<OrganizationDocument | undefined>;
  /** The percentage of organizations that have none of their own; 0: no limit. */
  percent: number;
}

/** One round of whoever destroys keys. */
export interface ShareOfRound {
  /** Organizations of which nothing may go: their sessions need not be looked at. */
  full: readonly string[];
  /**
   * Keeps a place for one of the organization's sessions in this round; false: it has to wait. Nothing is
   * counted, so a round that ends before it destroys costs nothing.
   */
  keep(org: string): Promise<boolean>;
  /** Counts a session that is destroyed next; false: another process has taken the last place meanwhile. */
  take(org: string): Promise<boolean>;
}

export interface ExpiryShare {
  /** `past`: the agreed instant up to which what has expired may be destroyed, in Unix milliseconds. */
  begin(past: number): Promise<ShareOfRound>;
  /** The sessions that were found to wait, by organization. */
  held(): ReadonlyMap<string, number>;
}

/**
 * How many sessions of an organization may lose their keys a day: a destroyed key is gone for good, so when
 * most of an organization expires at once, an operator has to say so. A retention that has just come into
 * force has been announced for a day, and is let through.
 */
export const makeExpiryShare = ({
  counts,
  sessions,
  organization,
  percent,
}: ExpirySharePorts): ExpiryShare => {
  const held = new Map<string, number>();
  const totals = boundedMap<{ at: number; total: Promise<number> }>(REMEMBERED);

  const totalOf = async (org: string, past: number): Promise<number> => {
    const known = totals.get(org);
    if (known && Math.abs(past - known.at) < HOUR_MS) return known.total;
    const total = sessions(org);
    total.catch(() => totals.delete(org));
    return totals.set(org, { at: past, total }).total;
  };

  const mostOf = async (org: string, past: number, kept = 0): Promise<number> => {
    const found = await organization(org);
    const share = found?.limits?.expiries ?? percent;
    if (share === 0 || share >= 100 || hasJustBegun(found?.retention, past)) return Number.MAX_SAFE_INTEGER;
    // Most organizations never get so far that their sessions have to be counted.
    if ((await counts.taken(org, past)) + kept < FLOOR) return FLOOR;
    return Math.max(FLOOR, Math.floor(((await totalOf(org, past)) * share) / 100));
  };

  return {
    begin: async past => {
      const full = new Set<string>();
      for (const org of [...held.keys()])
        if ((await counts.taken(org, past)) >= (await mostOf(org, past))) full.add(org);
        else held.delete(org);
      const kept = new Map<string, number>();
      const wait = (org: string): false => {
        held.set(org, (held.get(org) ?? 0) + 1);
        return false;
      };
      return {
        full: [...full].slice(0, MOST_LEFT_OUT),
        keep: async org => {
          if (full.has(org)) return wait(org);
          const places = kept.get(org) ?? 0;
          kept.set(org, places + 1);
          if ((await counts.taken(org, past)) + places < (await mostOf(org, past, places))) return true;
          kept.set(org, kept.get(org)! - 1);
          full.add(org);
          return wait(org);
        },
        take: async org => {
          if (await counts.take(org, await mostOf(org, past), past)) return true;
          // It was full at the floor: more than that have to be counted.
          return (await counts.take(org, await mostOf(org, past), past)) || wait(org);
        },
      };
    },
    held: () => held,
  };
};

/** Whether the retention came into force within the last day, and ends anything. */
const hasJustBegun = (retention: OrganizationDocument['retention'], past: number): boolean => {
  if (!retention || retention.days === null) return false;
  const since = past - Date.parse(retention.in_force_at);
  return since >= 0 && since < DAY_MS;
};
