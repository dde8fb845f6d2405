import { describe, expect, it } from 'vitest';
import { passageAt, passagesOf } from '../../../../domain/language/passages.ts';
import { LONGEST_TEXTS } from './longest-texts.ts';

const MOST = 80;
const sentence = (n: number): string => `Number ${n} of these sentences has eleven words, and then ends.`;
const sentences = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => sentence(from + i)).join(' ');
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const partsOf = (text: string): string[] => passagesOf(text).map(({ from, to }) => text.slice(from, to));

/** Expects what holds of the passages of any text; returns them. */
const expectSound = (text: string): string[] => {
  const parts = partsOf(text);
  if (parts.length > 0) expect(parts.join('') === text).toBe(true);
  expect(parts.length).not.toBe(1);
  expect(parts.length).toBeLessThanOrEqual(64);
  for (const [index, part] of parts.entries()) {
    expect(part.isWellFormed()).toBe(true);
    const { from, to } = passageAt(text, index)!;
    expect(text.slice(from, to) === part.trim()).toBe(true);
  }
  expect(passageAt(text, parts.length)).toBeUndefined();
  return parts;
};

describe('passagesOf', () => {
  it('has none of a text of up to 80 words', () => {
    expect(passagesOf('')).toEqual([]);
    expect(passagesOf('word '.repeat(MOST))).toEqual([]);
    expect(expectSound('word '.repeat(MOST + 20)).length).toBe(2);
    expect(passageAt('A short turn.', 0)).toBeUndefined();
  });

  it('ends them with sentences', () => {
    const parts = expectSound(sentences(1, 40));
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) {
      expect(part.trim()).toMatch(/^Number .* ends\.$/s);
      expect(wordsIn(part)).toBeLessThanOrEqual(MOST);
    }
  });

  it('ends them in Chinese too', () => {
    const parts = expectSound('我们去年夏天去了北京，天气很好。'.repeat(40));
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part).toMatch(/^我.*。$/s);
  });

  it('keeps what belongs together: a paragraph, a list, a block of code', () => {
    const list = Array.from({ length: 6 }, (_, i) => `- item ${i} of the list`).join('\n');
    const code = ['```ts', '', '# not a heading', ...Array(12).fill('const a = b + c;'), '```'].join('\n');
    const parts = expectSound([sentences(1, 6), list, sentences(7, 6), code, sentences(13, 6)].join('\n\n'));
    const whole = (words: string): boolean => parts.some(part => part.includes(words));
    for (const group of [sentences(1, 6), list, sentences(7, 6), code]) expect(whole(group)).toBe(true);
  });

  it('parts a list that is too long between its items', () => {
    const item = (i: number): string => `${i}. ${sentence(i)}\n`;
    const parts = expectSound(Array.from({ length: 30 }, (_, i) => item(i + 1)).join(''));
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part).toMatch(/^\d+\. .*\n$/s);
  });

  it.each(['## The second part', '**The second part**', 'The second part:'])(
    'leaves %s with what it is over',
    heading => {
      const parts = expectSound(`${sentences(1, 6)}\n\n${heading}\n\n${sentences(7, 6)}`);
      expect(parts.map(part => part.startsWith(heading))).toEqual([false, true]);
    },
  );

  it('has no short one at the end', () => {
    const parts = expectSound(`${sentences(1, 21)} One more.`);
    expect(wordsIn(parts.at(-1)!)).toBeGreaterThan(10);
  });

  it('has at most 64 of the longest text, which are longer then', () => {
    const parts = expectSound(sentences(1, 1_000));
    expect(parts.length).toBeGreaterThan(32);
  });

  it('cuts a word without an end, and no character', () => {
    for (const before of ['', 'x']) {
      const text = `${'word '.repeat(MOST - 1)}${before}${'😀'.repeat(2_000)} ${'word '.repeat(MOST)}`;
      expect(expectSound(text)[0]).toMatch(/😀$/u);
    }
    expectSound('𠮷'.repeat(2_000));
  });

  it.each(Object.entries(LONGEST_TEXTS))('is sound for 65,536 characters: %s', (_, text) => {
    expectSound(text.slice(-4_000));
    expect(partsOf(text).join('').length).toBeOneOf([0, text.length]);
  });
});
