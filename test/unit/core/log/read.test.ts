import { expect, it } from 'vitest';
import { pagesOf } from '../../../../core/log/read.ts';
import { PAGE_BYTES } from '../../../../core/ports/log/event-log.ts';

const pages = (sizes: readonly number[], limit: number): number[][] => {
  const records = { most: limit, of: () => 1 };
  const bytes = { most: PAGE_BYTES, of: (size: number) => size };
  return [...pagesOf(sizes, records, bytes)].map(page => [...page]);
};

it('splits what was fetched by records', () => {
  expect(pages([1, 1, 1, 1, 1], 2)).toEqual([[1, 1], [1, 1], [1]]);
  expect(pages([], 2)).toEqual([]);
});

it('splits it by bytes, and a record that alone has too many is a page', () => {
  const half = PAGE_BYTES / 2;
  expect(pages([half, half, half, 3 * PAGE_BYTES, 1, half], 10)).toEqual([
    [half, half],
    [half],
    [3 * PAGE_BYTES],
    [1, half],
  ]);
});
