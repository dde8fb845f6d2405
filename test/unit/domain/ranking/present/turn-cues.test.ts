import { describe, expect, it } from 'vitest';
import { turnCues } from '../../../../../domain/ranking/present/turn-cues.ts';

const cues = (text: string) => turnCues(text, text);

describe('a sentence is of others', () => {
  it.each([
    'my sister works at Oderhaus now',
    'Her boss Nadir has moved to Rome',
    'my old aunt still drives',
    'my sister works in the US',
  ])('where it tells what they do: %s', text => {
    expect(cues(text).ofOthers).toBe(true);
  });

  it.each([
    'my sister says I should leave Oderhaus',
    'a desk by the window, beside my sister',
    'day one at Oderhaus, thanks to my brother',
    'I work at Oderhaus',
    'new desk beside my brother Lucas',
    'Moved to Oderhaus, thanks to my friend Klaus',
    'a flat with my sister across the park',
    'my sister says im lazy',
  ])('not where it names them, or its speaker does something: %s', text => {
    expect(cues(text).ofOthers).toBe(false);
  });
});
