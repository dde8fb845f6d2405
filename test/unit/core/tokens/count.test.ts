import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../../core/tokens/count.ts';

const PLAIN = { disallowedSpecial: new Set<string>() };
const ALPHABETS = [
  'abc ABC',
  "it's I'LL don't we'Ve",
  ' \t\n\r\n  ',
  '0123456789 12,345.6',
  'äöüßÉ ñ',
  '你好世界。こんにちは',
  'привет мир',
  'مرحبا بالعالم',
  '👩‍👩‍👧‍👦🇩🇪 e\u0301',
  '.,;:!?/\\"()[]{}<|>_-—',
];

describe('countTokens', () => {
  it('counts as the encoding does, for any text', () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let round = 0; round < 3_000; round++) {
      let text = '';
      for (let i = next(12); i >= 0; i--) {
        const letters = [...ALPHABETS[next(ALPHABETS.length)]!];
        for (let j = next(8); j >= 0; j--) text += letters[next(letters.length)];
      }
      expect(countTokens(text), JSON.stringify(text)).toBe(reference(text, PLAIN));
    }
  });

  it('takes control tokens for words', () => {
    expect(countTokens('<|endoftext|>')).toBe(reference('<|endoftext|>', PLAIN));
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });
});
