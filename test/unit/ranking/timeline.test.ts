import { describe, expect, it } from 'vitest';
import { timeline } from '../../../projections/ranking/timeline.ts';

const countTokens = (text: string) => Math.ceil(text.length / 4);
const hit = (at: string, text: string) => ({ timestamp: Date.parse(at), text });

describe('timeline', () => {
  it('is null without hits, or with blank ones', () => {
    expect(timeline([], countTokens)).toBeNull();
    expect(timeline([hit('2023-05-08T10:00:00Z', ' \n ')], countTokens)).toBeNull();
  });

  it('has a dated line for each hit, in the order of time', () => {
    const hits = [
      hit('2023-07-01T23:59:59Z', 'She moved\nto  Rome.'),
      hit('2023-05-08T10:00:00Z', 'A puppy!'),
    ];
    expect(timeline(hits, countTokens)).toBe('2023-05-08: A puppy!\n2023-07-01: She moved to Rome.');
  });

  it('says the same thing of one day once', () => {
    const hits = [hit('2023-05-08T10:00:00Z', 'A puppy!'), hit('2023-05-08T11:00:00Z', 'A puppy!')];
    expect(timeline(hits, countTokens)).toBe('2023-05-08: A puppy!');
  });

  it.each([1, 10, 1000, 60_000])(
    'stays within 400 tokens for texts of %i words, and keeps the best hits',
    words => {
      const hits = Array.from({ length: 30 }, (_, i) =>
        hit(`2023-05-${String(30 - i).padStart(2, '0')}T10:00:00Z`, `hit${i} ${'word '.repeat(words)}`),
      );
      const text = timeline(hits, countTokens)!;
      expect(countTokens(text)).toBeLessThanOrEqual(400);
      expect(text).toContain('hit0 ');
      const dates = text.split('\n').map(line => line.slice(0, 10));
      expect(dates).toEqual([...dates].sort());
      expect(text.split('\n').every(line => /^\d{4}-\d\d-\d\d: \S/.test(line))).toBe(true);
    },
  );

  it('cuts a text without a space too', () => {
    const text = timeline([hit('2023-05-08T10:00:00Z', 'x'.repeat(60_000))], countTokens);
    expect(text === null || countTokens(text) <= 400).toBe(true);
  });
});
