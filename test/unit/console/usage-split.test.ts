import { describe, expect, it } from 'vitest';
import { usedBy } from '../../../console/src/pages/keys/usage.ts';
import { choicesIn, daysOf, usagePath } from '../../../console/src/pages/usage/address.ts';
import { restsOf, sortedShares } from '../../../console/src/pages/usage/rows.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const NONE = { tokens_in: 0, tokens_out: 0 };
const inAddress = (query: string) => choicesIn(new URLSearchParams(query), NOW);

describe('the choices of the usage page', () => {
  it('are those of the address', () => {
    const choices = { by: 'key', month: '2026-02', day: '2026-02-11', sort: 'in' } as const;
    expect(inAddress(usagePath(choices).split('?')[1]!)).toEqual(choices);
  });

  it('are the defaults where the address means nothing', () => {
    const defaults = { by: 'user', month: '2026-03', day: undefined, sort: 'total' };
    for (const query of ['', 'by=all&month=2026-13&sort=name', 'day=2026-02-11', 'day=2026-03-99'])
      expect([query, inAddress(query)]).toEqual([query, defaults]);
  });

  it('offer no day that is still to come', () => {
    expect(daysOf('2026-03', NOW)).toEqual(['2026-03-02', '2026-03-01']);
    expect(daysOf('2028-02', NOW)).toEqual([]);
    expect(daysOf('2024-02', NOW)[0]).toBe('2024-02-29');
  });
});

describe('the rows of a split', () => {
  it('are ordered by what was chosen, without shares of nothing', () => {
    const shares = [
      { user_id: 'a', tokens_in: 9, tokens_out: 1 },
      { user_id: 'b', tokens_in: 2, tokens_out: 7 },
      { user_id: 'c', ...NONE },
    ];
    expect(sortedShares(shares, 'total').map(({ user_id }) => user_id)).toEqual(['a', 'b']);
    expect(sortedShares(shares, 'out').map(({ user_id }) => user_id)).toEqual(['b', 'a']);
  });

  it('end with what belongs to no share, where there is any', () => {
    const erased = { tokens_in: 3, tokens_out: 0 };
    expect(restsOf({ other: NONE, erased, pending: NONE })).toEqual([
      { name: 'Erased or expired users and sessions', ...erased },
    ]);
  });
});

describe('the usage of a key', () => {
  const shares = [{ key_id: 'k', tokens_in: 1_200, tokens_out: 3 }];
  it('is its share, or nothing only where every share is known', () => {
    expect(usedBy({ shares, other: NONE }, 'k')).toBe('1,200 in, 3 out');
    expect(usedBy({ shares, other: NONE }, 'l')).toBe('no tokens');
    expect(usedBy({ shares, other: { tokens_in: 1, tokens_out: 0 } }, 'l')).not.toBe('no tokens');
  });
});
