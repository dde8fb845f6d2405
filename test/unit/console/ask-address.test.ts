import { expect, test } from 'vitest';
import { askPath, formOf, keptQuery } from '../../../console/src/pages/ask/address.ts';
import { type AskForm, firstForm } from '../../../console/src/pages/ask/state.ts';

const queryIn = (path: string): URLSearchParams => new URLSearchParams(path.slice(path.indexOf('?')));

const FULL: AskForm = {
  q: 'Who & why? +1 %25',
  mode: 'deep',
  kinds: ['turn', 'entity'],
  user: 'a/b & c',
  session: ' spaced ',
  since: '2026-04-01',
  until: '2026-04-30',
  asOf: '2026-05-01T08:30',
  topK: '5',
  timeline: false,
  receipt: true,
};

test.each([
  ['with every filter', FULL],
  ['with none', { ...firstForm, q: 'Who?' }],
])('a question %s comes back from its address as it was', (_, form) => {
  expect(formOf(queryIn(askPath(form)))).toEqual(form);
});

test('an address names only what is not as usual', () => {
  expect(askPath({ ...firstForm, q: ' Who? ' })).toBe('/ask?q=Who%3F');
  expect(keptQuery({ ...firstForm, q: 'Who?', user: 'ada' })).toBe('q=Who%3F&user=ada');
});

test('what an address can not mean is left out', () => {
  const odd = 'q=x&mode=fast&kinds=planets&since=yesterday&as_of=2026&top_k=many&timeline=perhaps&receipt=1';
  expect(formOf(new URLSearchParams(odd))).toEqual({ ...firstForm, q: 'x' });
});
