/**
 * No text that a client may send costs more than time linear in it: processor time of this thread, however
 * busy the machine is.
 */
import { expect, it } from 'vitest';
import { countTokens } from '../../../core/tokens/count.ts';
import { makeRulesExtractor } from '../../../domain/extraction/extract.ts';
import { attributesAskedFor } from '../../../domain/facts/attributes.ts';
import { aliasesOf } from '../../../domain/facts/names/aliases.ts';
import type { SaidOfNames } from '../../../domain/facts/names/names.ts';
import { namesOf } from '../../../domain/facts/names/names.ts';
import { passagesOf } from '../../../domain/language/passages.ts';
import { withoutAsking } from '../../../domain/language/query/about-asking.ts';
import { askedTimes } from '../../../domain/language/times/asked-times.ts';
import { isFiller } from '../../../domain/ranking/timeline/filler.ts';
import { LONG_PARTS, longTexts } from '../domain/extraction/long-texts.ts';
import { LONGEST_TEXTS } from '../domain/language/longest-texts.ts';

/**
 * Checks the processor time: if it grew with the square of the text, each would take many seconds or minutes.
 */
const expectTime = (work: () => unknown, mostMs: number): void => {
  const started = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(started);
  expect((user + system) / 1_000).toBeLessThan(mostMs);
};

const MOMENT = Date.parse('2026-10-14T09:30:00Z');

it.each(LONG_PARTS)('extraction takes time linear in 65,536 characters of %s', (_, part) => {
  const extract = makeRulesExtractor();
  for (const text of longTexts(part))
    expectTime(() => extract({ role: 'Ada', text, timestamp: MOMENT }), 1_500);
});

it.each(Object.entries(LONGEST_TEXTS))(
  'cutting passages takes little time of 65,536 characters: %s',
  (_, text) => {
    expectTime(() => passagesOf(text), 3_000);
  },
);

it('counting tokens is quick on the longest text of one letter', () => {
  expectTime(() => countTokens('a'.repeat(65_536)), 2_000);
});

it('finding the attributes asked for takes time linear in the question', () => {
  expectTime(() => {
    for (const part of ['where ', 'who is my boss ', 'a', "'s ", 'what do I '])
      attributesAskedFor(`${part.repeat(65_536 / part.length)}?`);
  }, 500);
});

it('finding the times asked for takes no longer for the longest question', () => {
  expectTime(() => askedTimes('between the first week of June and '.repeat(230), { moment: MOMENT }), 200);
});

it('leaving out what asks takes no longer than the question is long', () => {
  expectTime(() => {
    for (const part of ['can you ', 'our past ', 'a ', 'I have '])
      withoutAsking(part.repeat(8_000 / part.length));
  }, 1_000);
});

it('recognising filler takes time linear in the text', () => {
  expectTime(() => {
    for (const part of ['A', ', A', '!', 'Thanks, ', 'great ', '. '])
      isFiller(part.repeat(400 / part.length));
  }, 500);
});

it('merging aliases takes time linear in the labels', () => {
  const name = (n: number) => `Q${[...String(n)].map(digit => 'abcdefghij'[Number(digit)]).join('')}`;
  const labels = Array.from({ length: 20_000 }, (_, n) => ({
    label: n % 2 ? name(n) : `Sam ${name(n)}`,
    mentions: 1 + (n % 9),
  }));
  expectTime(() => aliasesOf([...labels, { label: 'Sam', mentions: 1 }]), 4_000);
});

it('correcting names takes a moment, however many were corrected', () => {
  const labels = (names: string[]) => names.map(label => ({ label, mentions: 1, isPerson: true }));
  const said = (entity: string, more: Partial<SaidOfNames>): SaidOfNames => ({
    entity,
    label: null,
    merge_into: null,
    split: [],
    names: [entity],
    into_names: more.merge_into ? [more.merge_into] : [],
    ...more,
  });
  const names = Array.from({ length: 64 }, (_, n) => `Person ${String.fromCharCode(97 + (n % 26))}${n}`);
  const corrections = Array.from({ length: 1_000 }, (_, n) =>
    n % 2 === 0
      ? said(names[0]!, { split: names.slice(32), names: names.slice(0, 32) })
      : said(names[40]!, { merge_into: names[0]!, names: names.slice(32), into_names: names.slice(0, 32) }),
  );
  const one = Array.from({ length: 1_000 }, (_, n) => said(`N${n}x`, { merge_into: 'Mel' }));
  expectTime(() => {
    namesOf(labels(names), corrections);
    const merged = namesOf(labels(['Mel', 'Melanie', ...one.map(({ entity }) => entity)]), one);
    expect(merged.standing.get('n999x')?.key).toBe('melanie');
  }, 2_000);
});
