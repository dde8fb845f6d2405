/** The rows of a split. */
import type { UsageShare, UsageSplit } from '../../api/types.ts';

/** By what the rows are ordered, the most first. */
export const SORTS = ['total', 'in', 'out'] as const;
export type Sort = (typeof SORTS)[number];

interface Tokens {
  tokens_in: number;
  tokens_out: number;
}

const VALUES: Record<Sort, (tokens: Tokens) => number> = {
  total: ({ tokens_in, tokens_out }) => tokens_in + tokens_out,
  in: ({ tokens_in }) => tokens_in,
  out: ({ tokens_out }) => tokens_out,
};

export const totalOf = VALUES.total;

/** Returns the shares with the most tokens first, those without any left out. */
export const sortedShares = (shares: readonly UsageShare[], sort: Sort): UsageShare[] =>
  shares.filter(share => totalOf(share) > 0).toSorted((a, b) => VALUES[sort](b) - VALUES[sort](a));

/** The names of the rows that belong to no share. */
export const RESTS = {
  other: 'Beyond the 1,000 with the most tokens',
  erased: 'Erased or expired users and sessions',
  pending: 'Billed just now, and not split yet',
} as const;

/** Returns the rests that have tokens, in words. */
export const restsOf = (split: Pick<UsageSplit, keyof typeof RESTS>): ({ name: string } & Tokens)[] =>
  (Object.keys(RESTS) as (keyof typeof RESTS)[])
    .map(name => ({ name: RESTS[name], ...split[name] }))
    .filter(rest => totalOf(rest) > 0);
