import { unavailable } from '../errors.ts';
import type { RateLimiter } from '../ports/admission/rate-limiter.ts';
import { rateLimited } from '../rate-limited.ts';
import { DAY_MS } from '../time.ts';
import type { Budget } from './budgets.ts';

/** The payer of an append that a caller causes. Nothing is appended for a caller without one. */
export type Payer =
  /** The organization, in tokens: admission took the attempt, and asked for room, quota and claims. */
  | { kind: 'billed'; attempt: string }
  /** Budgets of a day: refused past one of them and, with `needsRoom`, on a disk that is nearly full. */
  | { kind: 'budgeted'; budgets: readonly Budget[]; needsRoom: boolean }
  /** Nobody: it takes rights or data away, once for each that was given, and is never refused. */
  | { kind: 'takes-away' }
  /**
   * Nobody: an entry of the audit log for an act, which has paid for itself, or for a read, of which there is
   * one a key, action, target and hour.
   */
  | { kind: 'notes' };

export const TAKES_AWAY: Payer = { kind: 'takes-away' };
export const NOTES: Payer = { kind: 'notes' };

export interface TillPorts {
  /** Counts over all processes that answer calls. */
  limiter: RateLimiter;
  /** Returns why no new data may be stored now; undefined while there is room. */
  shortage: () => string | undefined;
}

/** Takes what an append of so many bytes costs, before it. Throws `rate_limited`, `unavailable`. */
export type Pay = (payer: Payer, bytes?: number) => Promise<void>;

export const makeTill = ({ limiter, shortage }: TillPorts): Pay => {
  const take = async (
    { name, perDay, what, unitBytes, raisedWith }: Budget,
    bytes: number,
  ): Promise<void> => {
    if (perDay === 0) return;
    const count = unitBytes === undefined ? 1 : Math.max(1, Math.ceil(bytes / unitBytes));
    // The number is in the name: an operator who raises it opens a new bucket, which is full.
    const rate = { most: perDay, perMs: DAY_MS };
    const wait = await limiter.take(`${name} ${perDay}`, rate, Math.min(count, perDay));
    if (wait === undefined) return;
    const raise = raisedWith === undefined ? '' : ` An operator raises it with: ${raisedWith}.`;
    throw rateLimited(`There may be ${perDay} ${what} a day; wait and try again.${raise}`, wait);
  };
  return async (payer, bytes = 0) => {
    if (payer.kind !== 'budgeted') return;
    const lacking = payer.needsRoom ? shortage() : undefined;
    if (lacking !== undefined)
      throw unavailable('The disk is nearly full: nothing new is stored.', lacking, 5);
    for (const budget of payer.budgets) await take(budget, bytes);
  };
};
