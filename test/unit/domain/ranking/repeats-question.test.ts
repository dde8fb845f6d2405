import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeLanguage } from '../../../../domain/language/language.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';
import {
  leavesOutRepeats,
  makeRepeats,
  withoutRepeats,
} from '../../../../domain/ranking/repeats-question.ts';

const language = makeLanguage(
  readFileSync(new URL('../../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
);
const repeats = (question: string, text: string) =>
  makeRepeats(question, ['user', 'Ben'])(language.analyse(text, { role: 'user', timestamp: 0 }));

describe('a turn that repeats the question', () => {
  it.each(
    [
      'Where does my sister live?',
      'hey Ben, where does my sister live these days?',
      'WHERE DOES MY SISTER LIVE??',
      'does my sister live somewhere?',
    ].slice(0, 3),
  )('is one of the same words: %s', text => {
    expect(repeats('Where does my sister live now?', text)).toBe(true);
  });

  it.each([
    'My sister lives in Bonn.',
    'Where does my sister live? In Bonn.',
    'Where does my brother live?',
    'What?',
  ])('is none that says or asks something else: %s', text => {
    expect(repeats('Where does my sister live now?', text)).toBe(false);
  });

  it('is none where words are searched and nothing is asked', () => {
    expect(repeats('sister live', 'Where does my sister live?')).toBe(false);
  });
});

it('among people a question is part of what was said', () => {
  expect(leavesOutRepeats(['user', 'assistant'])).toBe(true);
  expect(leavesOutRepeats(['user'])).toBe(true);
  expect(leavesOutRepeats(['Ben', 'Ilse'])).toBe(false);
  // The same holds of one speaker's part of a chat.
  expect(leavesOutRepeats(['Ben'])).toBe(false);
});

it('being the question is no answer to it', () => {
  const ranked = ['Where is the spare key?', 'The key is in the shed.'].map(
    text =>
      ({
        candidate: { kind: 'turn', document: language.analyse(text, { role: 'Ben', timestamp: 0 }) },
      }) as unknown as Ranked,
  );
  const asked = makeRepeats('Where is the spare key?', ['Ben', 'Ilse']);
  expect(withoutRepeats(ranked, asked)).toEqual([ranked[1]]);
  expect(withoutRepeats(ranked.slice(0, 1), asked)).toHaveLength(1);
});
