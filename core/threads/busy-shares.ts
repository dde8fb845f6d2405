/** Time over which shares are smoothed: older activity counts for little. */
const SMOOTHED_MS = 10_000;
/** A smaller share counts as none and is forgotten. */
const NEGLIGIBLE = 0.01;
/** Below this share an organization is never moved to the low-priority thread. */
const MUCH = 0.5;

interface Share {
  /** The share at the time `at`, 0 to 1. */
  value: number;
  /** On the clock of `performance.now()`. */
  at: number;
  /** Questions in progress. */
  asked: number;
}

export interface BusyShares {
  /** Counts a question of the organization from now on; call the returned function once, when it ends. */
  begin(org: string): () => void;
  /** Whether the organization is busy most of the time, and more than any other recent one. */
  isBusiest(org: string): boolean;
}

/** Measures the share of recent time in which an organization had a question in progress. */
export const makeBusyShares = (clock: () => number = () => performance.now()): BusyShares => {
  /** Ordered by the last begin or end of a question, the oldest first. */
  const shares = new Map<string, Share>();
  let busiest = '';

  const shareNow = ({ value, at, asked }: Share): number => {
    const kept = Math.exp((at - clock()) / SMOOTHED_MS);
    return value * kept + (asked > 0 ? 1 - kept : 0);
  };
  const change = (org: string, share: Share, by: 1 | -1): void => {
    Object.assign(share, { value: shareNow(share), at: clock(), asked: share.asked + by });
    shares.delete(org);
    shares.set(org, share);
    const most = shares.get(busiest);
    if (!most || share.value > shareNow(most)) busiest = org;
  };
  const forget = (): void => {
    for (const [org, share] of shares) {
      if (share.asked > 0 || shareNow(share) >= NEGLIGIBLE) return;
      shares.delete(org);
    }
  };

  return {
    begin: org => {
      forget();
      const share = shares.get(org) ?? { value: 0, at: clock(), asked: 0 };
      change(org, share, 1);
      return () => change(org, share, -1);
    },
    isBusiest: org => org === busiest && shares.size > 1 && shareNow(shares.get(org)!) >= MUCH,
  };
};
