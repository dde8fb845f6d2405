import type { SplitBy, SplitGroup, Tokens, TokensByDay, UsageSplit } from '../../../core/ports.ts';
import type { UsageSplitAnswer, UsageTotals } from '../../../schemas/http/usage.ts';

const NONE: Tokens = { tokensIn: 0, tokensOut: 0 };

const plus = (one: Tokens, other: Tokens): Tokens => ({
  tokensIn: one.tokensIn + other.tokensIn,
  tokensOut: one.tokensOut + other.tokensOut,
});

/** Subtracts the second from the first, never below 0. */
const beyond = (one: Tokens, other: Tokens): Tokens => ({
  tokensIn: Math.max(0, one.tokensIn - other.tokensIn),
  tokensOut: Math.max(0, one.tokensOut - other.tokensOut),
});

const totalOf = (days: readonly string[], tokens: TokensByDay): Tokens =>
  days.reduce((sum, day) => plus(sum, tokens.get(day) ?? NONE), NONE);

export const totals = ({ tokensIn, tokensOut }: Tokens): UsageTotals => ({
  tokens_in: tokensIn,
  tokens_out: tokensOut,
});

const nameOf = ({ user, session, key }: SplitGroup) => ({
  ...(user !== undefined && { user_id: user }),
  ...(session !== undefined && { session_id: session }),
  ...(key !== undefined && { key_id: key }),
});

/** The sums of some days with their split, most tokens first. */
export interface SplitSums {
  sums: Tokens;
  split: UsageSplitAnswer;
}

/**
 * Returns the sums that a split explains to the token. `counted`: what these days billed, read after the
 * split: what it has more was billed a moment ago, and nobody is told whose it is yet. Undefined: the split
 * is one user's, and only what it has is told.
 */
export const splitSums = (
  by: SplitBy,
  { groups, other, erased }: UsageSplit,
  days: readonly string[],
  counted: Tokens | undefined,
): SplitSums => {
  const shares = groups
    .map(group => ({ group, tokens: totalOf(days, group.days) }))
    .filter(({ tokens }) => tokens.tokensIn + tokens.tokensOut > 0);
  const rest = { other: totalOf(days, other), erased: totalOf(days, erased) };
  const split = [...shares.map(({ tokens }) => tokens), rest.other, rest.erased].reduce(plus, NONE);
  const pending = counted ? beyond(counted, split) : NONE;
  return {
    sums: plus(split, pending),
    split: {
      by,
      shares: shares.map(({ group, tokens }) => ({ ...nameOf(group), ...totals(tokens) })),
      other: totals(rest.other),
      erased: totals(rest.erased),
      pending: totals(pending),
    },
  };
};
