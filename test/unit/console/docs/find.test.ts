import { expect, it } from 'vitest';
import { excerptOf, piecesOf } from '../../../../console/docs/search/excerpt.ts';
import { makeFind } from '../../../../console/docs/search/find.ts';

const passage = (heading: string, text: string, page = 'A page') => ({
  ...{ address: `/docs/${heading}`, page, heading, text },
});
const find = makeFind([
  passage('Confidence', 'A probability that the answer is among the hits.'),
  passage('Hits', 'Turns, facts and entities, each with a score.'),
  passage('POST /recall', 'Answers a question, with a confidence.'),
  passage('Error 429', 'Too many requests; Retry-After says when.'),
]);
const headings = (query: string): string[] => find(query).map(({ heading }) => heading);

it('finds the passage whose heading has the words before those that only mention them', () => {
  expect(headings('confidence')).toEqual(['Confidence', 'POST /recall']);
});

it('finds what a guide says before what a record of a decision does', () => {
  const record = {
    ...passage('Confidence', 'A product.'),
    address: '/docs/internals/decisions/x#confidence',
  };
  const guide = passage('Confidence', 'A probability.');
  const [first] = makeFind([record, guide])('confidence');
  expect(first!.address).toBe(guide.address);
});

it('finds by a beginning, past a typing error, and by what an endpoint or an error is called', () => {
  expect(headings('conf')[0]).toBe('Confidence');
  expect(headings('confidance')[0]).toBe('Confidence');
  expect(headings('/recall')[0]).toBe('POST /recall');
  expect(headings('429')).toEqual(['Error 429']);
});

it('finds passages with some of the words where none has all, and nothing without any', () => {
  expect(headings('confidence entities')).toHaveLength(3);
  expect(headings('zeppelin')).toEqual([]);
  expect(headings('  ')).toEqual([]);
});

it('marks the words that were found, and no others', () => {
  const { words } = find('confidance')[0]!;
  expect(piecesOf('Confidence: how sure.', words)).toEqual([
    { text: 'Confidence', marked: true },
    { text: ': how sure.', marked: false },
  ]);
});

it('cuts an excerpt around the first word that was found, at spaces', () => {
  const text = `${'before '.repeat(40)}needle ${'after '.repeat(60)}`.trim();
  const whole = excerptOf(text, ['needle'])
    .map(piece => piece.text)
    .join('');
  expect(whole).toMatch(/^… (before )+needle (after )+…$/);
  expect(whole.length).toBeLessThan(200);
  expect(excerptOf('short', ['needle'])).toEqual([{ text: 'short', marked: false }]);
});
