import { describe, expect, it } from 'vitest';
import { makeCheck } from '../../../schemas/ajv.ts';

const check = makeCheck<string>({ type: 'string', minLength: 2, maxLength: 4 });

describe('the length of a text', () => {
  it.each([
    ['', false],
    ['a', false],
    ['𝔄', false],
    ['ab', true],
    ['a𝔄', true],
    ['abcd', true],
    ['𝔄𝔅ℭ𝔇', true],
    ['abcde', false],
    ['𝔄𝔅ℭ𝔇𝔈', false],
    ['a𝔅c𝔇', true],
    ['a𝔅c𝔇e', false],
    // Without their other half surrogates are characters of their own.
    ['\ud835', false],
    ['\udd04\ud835', true],
    ['\ud835\ud835\udd04', true],
    ['abc\udd04\udd04', false],
  ])('of %j counts characters, not UTF-16 units', (text, isValid) => {
    const checked = check(text);
    expect(checked.ok).toBe(isValid);
    if (!checked.ok) expect(checked.errors).toHaveLength(1);
  });
});
