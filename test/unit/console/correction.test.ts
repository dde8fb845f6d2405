import { describe, expect, it } from 'vitest';
import { correctionOf, formOf } from '../../../console/src/pages/correct/correction.ts';

const SAID = {
  id: 'obs_1',
  text: 'Ada lives in Lyon.',
  attribute: 'home',
  value: 'Lyon',
  valid_from: '2026-01-05T09:30:00.000Z',
};
const form = (change: object) => ({ ...formOf(SAID), ...change });

describe('the form of a correction', () => {
  it('begins with what is said, and sends nothing of that', () => {
    expect(formOf(SAID)).toEqual({ value: 'Lyon', text: 'Ada lives in Lyon.', since: '2026-01-05' });
    expect(formOf({ id: 'obs_2', text: 'Ada likes tea.' })).toEqual({
      value: '',
      text: 'Ada likes tea.',
      since: '',
    });
    expect(correctionOf(SAID, form({}))).toBeUndefined();
    expect(correctionOf(SAID, form({ value: ' Lyon ' }))).toBeUndefined();
  });

  it('sends what was changed alone, a day as its beginning', () => {
    expect(correctionOf(SAID, form({ value: ' Porto ' }))).toEqual({ value: 'Porto' });
    expect(correctionOf(SAID, form({ text: 'Ada lived in Lyon.', since: '2025-12-01' }))).toEqual({
      text: 'Ada lived in Lyon.',
      valid_from: '2025-12-01T00:00:00Z',
    });
  });

  it('leaves as it was what was emptied', () => {
    expect(correctionOf(SAID, form({ value: '', text: ' ', since: '' }))).toBeUndefined();
    expect(correctionOf(SAID, form({ value: 'Porto', text: '' }))).toEqual({ value: 'Porto' });
  });
});
