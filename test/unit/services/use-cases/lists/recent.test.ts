import { describe, expect, it } from 'vitest';
import { newest } from '../../../../../services/use-cases/lists/recent.ts';

const named = (n: number) => ({ user: `u${String(n).padStart(6, '0')}`, lastAt: n % 7 === 0 ? null : n % 5 });

const pagesOf = (all: readonly ReturnType<typeof named>[]) => {
  const asked: number[] = [];
  const read = async (after: { user: string } | undefined, limit: number) => {
    asked.push(limit);
    const from = after ? all.findIndex(({ user }) => user === after.user) + 1 : 0;
    return all.slice(from, from + limit);
  };
  return { asked, read };
};

describe('the newest of a list by name', () => {
  it('are found on all of its pages, those of an instant by name, and those without a turn last', async () => {
    const all = Array.from({ length: 2_500 }, (_, n) => named(n));
    const sorted = all.toSorted((a, b) => (b.lastAt ?? -1) - (a.lastAt ?? -1) || (a.user < b.user ? -1 : 1));
    const { read, asked } = pagesOf(all);
    expect(await newest(read, undefined, 30)).toEqual(sorted.slice(0, 30));
    expect(asked).toHaveLength(3);
    const { user, lastAt } = sorted[1_999]!;
    expect(await newest(read, { at: lastAt!, user }, 30)).toEqual(sorted.slice(2_000, 2_030));
    const { user: silent } = sorted.at(-2)!;
    expect(await newest(read, { at: Number.MIN_SAFE_INTEGER, user: silent }, 30)).toEqual(sorted.slice(-1));
  });

  it('are not looked for among too many', async () => {
    const { read } = pagesOf(Array.from({ length: 20_001 }, (_, n) => named(n)));
    const error = await newest(read, undefined, 1).catch(caught => caught);
    expect(error).toMatchObject({
      code: 'invalid',
      details: { errors: [{ loc: ['query', 'sort'], type: 'too_many' }] },
    });
  });
});
