/** Over how long shares are smoothed: what was longer ago counts for little. */
const SMOOTHED_MS = 10_000;
/** A smaller share is none, and is forgotten. */
const NEGLIGIBLE = 0.01;
/** Below this share an organization is never moved to the low-priority thread. */
const MUCH = 0.5;

interface Share {
  /** As it was at `at`, 0 to 1. */
  value: number;
  /** On the clock of `performance.now()`. */
  at: number;
  /** Questions that are under way. */
  asked: number;
}

export interface BusyShares {
  /** A question of the organization begins; call the returned function once, when it ends. */
  begin(org: string): () => void;
  /** Whether the organization asks most of the time, and more than the others that have asked of late. */
  isBusiest(org: string): boolean;
}

/** In which share of the recent time something was under way that an organization asked. */
export const makeBusyShares = (clock: () => number = () => performance.now()): BusyShares => {
  /** Those whose latest question began or ended longest ago come first. */
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
