/** The tokens of each key in the current month. */
import { useMemo } from 'react';
import { usageMonth } from '../../api/calls.ts';
import type { Me, UsageSplit } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { may } from '../../parts/unless.tsx';
import { monthOf, number } from '../../words/numbers.ts';

/** Describes what a key used: a key without a share has none, unless not every share was told. */
export const usedBy = ({ shares, other }: Pick<UsageSplit, 'shares' | 'other'>, keyId: string): string => {
  const share = shares.find(({ key_id }) => key_id === keyId);
  if (share) return `${number(share.tokens_in)} in, ${number(share.tokens_out)} out`;
  return other.tokens_in + other.tokens_out === 0 ? 'no tokens' : 'not among those of most tokens';
};

/** `of`: undefined while nothing is known, and where the key that asks may not see usage. */
export const useKeyUsage = (
  me: Me,
): { of: (keyId: string) => string | undefined; error: unknown; reload: () => void } => {
  const month = monthOf(Date.now());
  const loaded = useLoad(`usage ${month}`, async signal =>
    may(me, 'usage:read') ? (await usageMonth(month, 'key', signal)).split : undefined,
  );
  const { value: split, reload } = loaded;
  const error = loaded.state === 'failed' ? loaded.error : undefined;
  return useMemo(
    () => ({ of: keyId => (split ? usedBy(split, keyId) : undefined), error, reload }),
    [split, error, reload],
  );
};
