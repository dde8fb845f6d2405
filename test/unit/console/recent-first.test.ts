import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../console/src/api/error.ts';
import { recentFirst } from '../../../console/src/api/lists/recent-first.ts';

const { signal } = new AbortController();
const tooMany = () =>
  new ApiError(422, 'The request breaks a rule.', {
    details: { errors: [{ loc: ['query', 'sort'], type: 'too_many', message: 'must be id' }] },
  });

const loading = (refuse: (sort: string) => Error | undefined) => {
  const asked: (string | undefined)[][] = [];
  const load = recentFirst<number>(async (sort, cursor) => {
    asked.push([sort, cursor]);
    const error = refuse(sort);
    if (error) throw error;
    return { items: [1], cursor: cursor === undefined ? 'next' : null };
  });
  return { asked, load };
};

describe('recent first', () => {
  it('goes on by last activity', async () => {
    const { asked, load } = loading(() => undefined);
    const first = await load(undefined, signal);
    expect(await load(first.cursor!, signal)).toEqual({ items: [1], cursor: null });
    expect(asked).toEqual([
      ['last_at', undefined],
      ['last_at', 'next'],
    ]);
  });

  it('goes on by name where there are too many', async () => {
    const { asked, load } = loading(sort => (sort === 'last_at' ? tooMany() : undefined));
    const first = await load(undefined, signal);
    expect(await load(first.cursor!, signal)).toEqual({ items: [1], cursor: null });
    expect(asked).toEqual([
      ['last_at', undefined],
      ['id', undefined],
      ['id', 'next'],
    ]);
  });

  it('passes on every other error', async () => {
    const { load } = loading(() => new ApiError(503, 'no'));
    await expect(load(undefined, signal)).rejects.toMatchObject({ status: 503 });
  });
});
