import { expect, it } from 'vitest';
import { makeWording, tokensOf } from '../../../../../domain/ranking/present/wording.ts';

const weights = {
  holds: { intercept: 0.5, words: { REL: -2, 'my REL': -1, now: 1 } },
  news: { intercept: 0, words: { now: 2, '* now': 0.5 } },
};
const wordingOf = makeWording(weights);

it('adds the weights of the words and pairs that it knows, each once', () => {
  expect(wordingOf("I'm at Veltrix now, now!")).toEqual({ holds: 1.5, news: 2.5 });
  expect(wordingOf('xyz')).toEqual({ holds: 0.5, news: 0 });
});

it('takes relatives, days and numbers for one word each', () => {
  const all = () => true;
  expect(tokensOf("My sister's 3 cats", all)).toEqual(tokensOf('my brother 12 cats', all));
  expect(tokensOf('on Mondays', all)).toEqual(tokensOf('on friday', all));
});

it('reads a value as an unknown word', () => {
  expect(tokensOf('now Veltrix', word => word === 'now')).toEqual(new Set(['now', '*', '^ now', 'now *']));
});
