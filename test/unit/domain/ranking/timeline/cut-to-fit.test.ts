import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../../../core/tokens/count.ts';
import { cutToFit, tokensWithin } from '../../../../../domain/ranking/timeline/cut-to-fit.ts';

const SENTENCES = 'A sentence of the text that goes on and on. '.repeat(1_500).trim();
const WORDS = 'word after word without an end '.repeat(2_000).trim();
const CJK = '漢字かな交じり文'.repeat(8_000);
const FRAME = { opening: '- Ada: "', closing: '"\n' };

describe('cutToFit', () => {
  it.each([SENTENCES, WORDS, CJK, 'a'.repeat(65_536), '👩‍🚀'.repeat(13_000)])(
    'uses the budget up, to the token, between opening and closing',
    text => {
      for (const budget of [30, 61, 500, 1_999, 7_900]) {
        const line = cutToFit({ ...FRAME, text }, budget, countTokens)!;
        expect(line.startsWith(FRAME.opening) && line.endsWith('…"\n')).toBe(true);
        expect(text.startsWith(line.slice(FRAME.opening.length, -3).trimEnd())).toBe(true);
        expect(countTokens(line)).toBeLessThanOrEqual(budget);
        expect(countTokens(line)).toBeGreaterThan(0.9 * budget - 12);
      }
    },
  );

  it('leaves what fits to the token as it is', () => {
    for (const text of ['A short text.', SENTENCES, CJK]) {
      const whole = `${FRAME.opening}${text}${FRAME.closing}`;
      const tokens = countTokens(whole);
      // In a text without spaces the strides may count a few tokens too many.
      const budget = text === CJK ? tokens + 100 : tokens;
      expect(cutToFit({ ...FRAME, text }, budget, countTokens)).toBe(whole);
      expect(tokensWithin({ ...FRAME, text }, budget, countTokens)).toBe(tokens);
      expect(tokensWithin({ ...FRAME, text }, tokens - 1, countTokens)).toBeUndefined();
      expect(cutToFit({ ...FRAME, text }, tokens - 1, countTokens)).not.toBe(whole);
    }
  });

  it('is undefined when not a letter fits', () => {
    expect(cutToFit({ ...FRAME, text: SENTENCES }, 4, countTokens)).toBeUndefined();
  });
});
