import { expect, it } from 'vitest';
import { reworded } from '../../../../../services/use-cases/curation/reworded.ts';

const home = (value: string, subject = 'Ada') => ({ subject, attribute: 'home', value });

it('puts the new value and subject where the old ones are, as whole words', () => {
  expect(reworded('Ada lives in Lisbon.', home('Lisbon'), home('Porto'))).toBe('Ada lives in Porto.');
  expect(reworded('ada loves LISBON', home('Lisbon'), home('$& (Porto)'))).toBe('ada loves $& (Porto)');
  expect(reworded('Ada lives in Lisbon.', home('Lisbon'), home('Porto', 'Ben'))).toBe('Ben lives in Porto.');
  expect(reworded('Lives in A.B (C+).', home('A.B (C+'), home('D'))).toBe('Lives in D).');
  expect(reworded('Ada and Adam', home('x'), home('x', 'Eve'))).toBe('Eve and Adam');
  expect(reworded('In São Paulo', home('São Paulo'), home('Rio'))).toBe('In Rio');
});

it('says the fact alone where the sentence has no such words, or is of another attribute', () => {
  expect(reworded('She moved there.', home('Lisbon'), home('Porto'))).toBe('Ada: home Porto');
  expect(reworded('Ada lisboned.', home('Lisbon'), home('Porto'))).toBe('Ada: home Porto');
  const studies = { ...home('MIT'), attribute: 'place_of_study' };
  expect(reworded('Ada works at MIT.', home('MIT'), studies)).toBe('Ada: place of study MIT');
  expect(reworded('Ada quit.', { ...home(''), ended: true }, { ...home('Acme'), ended: true })).toBe(
    'Ada: no longer home Acme',
  );
});

it('is never longer than an observation may be', () => {
  const value = 'b '.repeat(512).trim();
  const text = reworded('a '.repeat(2_048), home('a', 'a'), home(value, 'a '.repeat(127).trim()));
  expect(text.length).toBeLessThan(4_097);
  expect(text).toContain(value);
});
