import { describe, expect, it } from 'vitest';
import { compareText } from '../../../../domain/filter/compare-text.ts';
import { conditionIn, conditionName, neededTerms, passes } from '../../../../domain/filter/condition.ts';
import { termsOf } from '../../../../domain/filter/terms.ts';
import type { Filter } from '../../../../schemas/http/queries/filter.ts';
import { drawing } from '../../../support/worlds/history.ts';
import { anyFilter, anyLargeMetadata, anyMetadata, plainlyPasses } from '../../../support/worlds/metadata.ts';

const isPassed = (filter: Filter, metadata: object): boolean =>
  passes(conditionIn(filter)!, termsOf(metadata as Record<string, unknown>));

describe('a condition', () => {
  it('passes what the filter says, whatever the metadata and the filter', () => {
    const draw = drawing(7);
    let passed = 0;
    const all = 30_000;
    for (let n = 0; n < all; n++) {
      const [filter, metadata] = [anyFilter(draw), draw(4) ? anyMetadata(draw) : anyLargeMetadata(draw)];
      const expected = plainlyPasses(filter, metadata);
      if (isPassed(filter, metadata) !== expected)
        expect({ filter, metadata, passes: !expected }).toEqual({ filter, metadata, passes: expected });
      if (expected) passed++;
    }
    expect(passed).toBeGreaterThan(all / 20);
    expect(passed).toBeLessThan((19 * all) / 20);
  });

  it('passes nothing of large metadata that does not pass whole', () => {
    const draw = drawing(11);
    let passed = 0;
    for (let n = 0; n < 10_000; n++) {
      const { filler: _, ...whole } = anyLargeMetadata(draw);
      const words = Array.from({ length: 40 }, (_, i) => `${i}`.padStart(draw(250), 'y'));
      // Wherever the terms end: in the middle of a key's values, or between two keys.
      const entries = Object.entries(whole).map(([key, value]) => [key, draw(2) ? value : [value, ...words]]);
      const [filter, metadata] = [anyFilter(draw), Object.fromEntries(entries)];
      if (!isPassed(filter, metadata)) continue;
      passed++;
      if (!plainlyPasses(filter, metadata)) expect({ filter, metadata }).toBe('not passed');
    }
    expect(passed).toBeGreaterThan(500);
  });

  it('needs terms of which each metadata that passes has one', () => {
    const draw = drawing(8);
    let needed = 0;
    for (let n = 0; n < 30_000; n++) {
      const condition = conditionIn(anyFilter(draw))!;
      const metadata = draw(4) ? anyMetadata(draw) : anyLargeMetadata(draw);
      const lists = neededTerms(condition);
      if (lists.length === 0 || !passes(condition, termsOf(metadata))) continue;
      needed++;
      for (const terms of lists) expect(termsOf(metadata).some(term => terms.includes(term))).toBe(true);
    }
    expect(needed).toBeGreaterThan(30);
  });

  it.each<[string, Filter, object, boolean]>([
    ['one type is not another', { key: 'n', eq: 1 }, { n: '1' }, false],
    ['-0 is 0', { key: 'n', eq: 0 }, { n: -0 }, true],
    ['-2 is below -1.5', { key: 'n', lt: -1.5 }, { n: -2 }, true],
    [
      'an instant in another spelling',
      { key: 't', gte: '2026-01-05T09:30:00Z' },
      { t: '2026-01-05T10:30:00+01:00' },
      true,
    ],
    [
      'equality is of texts',
      { key: 't', eq: '2026-01-05T09:30:00Z' },
      { t: '2026-01-05T10:30:00+01:00' },
      false,
    ],
    ['no instant', { key: 't', gte: '2026-01-05T09:30:00Z' }, { t: 'zzz' }, false],
    ['any element', { key: 'tags', eq: 'b' }, { tags: ['a', ['b']] }, true],
    ['an element of objects', { key: 'items.sku', eq: 7 }, { items: [{ sku: 3 }, { sku: 7 }] }, true],
    ['a missing key', { key: 'x', lt: 5 }, {}, false],
    ['not of a missing key', { not: { key: 'x', eq: 5 } }, {}, true],
    ['null is there', { key: 'x', exists: true }, { x: null }, true],
    [
      'what is empty is there',
      {
        all: [
          { key: 'x', exists: true },
          { key: 'y', exists: true },
        ],
      },
      { x: [], y: {} },
      true,
    ],
    ['not of a value of another type', { not: { key: 'x', lt: 5 } }, { x: 'high' }, false],
    ['not of null, which is no number', { not: { key: 'x', lt: 5 } }, { x: null }, false],
    ['not of an element of another type', { not: { key: 'x', lt: 5 } }, { x: [7, true] }, false],
    ['an element, beside one of another type', { key: 'x', gt: 5 }, { x: [7, true] }, true],
    ['not of no elements', { not: { key: 'x', lt: 5 } }, { x: [] }, true],
    [
      'not of a word, which is no instant',
      { not: { key: 't', lt: '2026-01-05T09:30:00Z' } },
      { t: 'z' },
      false,
    ],
    ['a timestamp as a text', { not: { key: 't', lt: 'a' } }, { t: '2026-01-05T09:30:00Z' }, false],
    ['not of another type that is asked for equality', { not: { key: 'n', eq: 1 } }, { n: '1' }, true],
    ['twice not of what is unknown', { not: { not: { key: 'x', lt: 5 } } }, { x: 'high' }, false],
    [
      'what is known of two',
      {
        not: {
          all: [
            { key: 'x', lt: 5 },
            { key: 'y', eq: 1 },
          ],
        },
      },
      { x: 'high', y: 2 },
      true,
    ],
    ['the beginning of a key is none', { key: 'x', exists: true }, { xy: 1 }, false],
  ])('%s', (_, filter, metadata, expected) => {
    expect(isPassed(filter, metadata)).toBe(expected);
    expect(plainlyPasses(filter, metadata as never)).toBe(expected);
  });

  it('has another name than another one', () => {
    const names = [{ eq: 1 }, { eq: '1' }, { gte: 1 }, { exists: true }].map(one =>
      conditionName(conditionIn({ key: 'a', ...one })!),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('terms', () => {
  it('are sorted by their bytes, each once', () => {
    const draw = drawing(9);
    for (let n = 0; n < 1_000; n++) {
      const terms = termsOf(anyMetadata(draw));
      const sorted = [...new Set(terms)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(terms).toEqual(sorted);
      expect(terms).toEqual(terms.toSorted(compareText));
    }
  });

  it('have at most 4 KiB, of the first values, whatever the metadata', () => {
    const large = { first: 1, many: Array.from({ length: 4_000 }, (_, n) => n), last: 1 };
    const long = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, 'é'.repeat(300)]));
    for (const metadata of [large, long]) {
      const bytes = termsOf(metadata).reduce((sum, term) => sum + Buffer.byteLength(term), 0);
      expect(bytes).toBeLessThanOrEqual(4_096);
      expect(bytes).toBeGreaterThan(3_000);
    }
    expect(isPassed({ key: 'first', eq: 1 }, large)).toBe(true);
    expect(isPassed({ key: 'last', eq: 1 }, large)).toBe(false);
    expect(isPassed({ not: { key: 'first', eq: 2 } }, large)).toBe(true);
    expect(isPassed({ key: 'first', exists: false }, large)).toBe(false);
    let deep: unknown = 1;
    for (let level = 0; level < 900; level++) deep = level % 2 ? [deep] : { k: deep };
    expect(termsOf({ deep }).length).toBeGreaterThan(10);
  });

  it('say of which keys there are more, so that nothing is concluded from one that is missing', () => {
    const large = { first: 1, many: Array.from({ length: 4_000 }, (_, n) => n), last: 1 };
    for (const key of ['last', 'many', 'unheard'])
      for (const filter of [
        { not: { key, eq: 5_000 } },
        { not: { key, in: [5_000, 'a'] } },
        { not: { key, gt: 5_000 } },
        { not: { any: [{ key, eq: 5_000 }] } },
        { key, exists: false },
      ] satisfies Filter[])
        expect({ filter, passes: false }).toEqual({
          filter,
          passes: isPassed(filter, large),
        });
    expect(isPassed({ key: 'many', eq: 3 }, large)).toBe(true);
  });

  it('have no key of more than 256 characters, and none with U+0000', () => {
    expect(termsOf({ ['k'.repeat(257)]: 1, 'a\0sb': 'c' })).toEqual([]);
    expect(termsOf({ ['\u{1f600}'.repeat(256)]: 1 })).toHaveLength(1);
  });
});
