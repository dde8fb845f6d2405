import { expect, it } from 'vitest';
import { withoutApposition } from '../../../../../domain/extraction/sentences/appositions.ts';

it.each([
  ['Alex, my brother, lives in Oslo.', 'My brother Alex lives in Oslo.'],
  ['My brother, Alex, lives in Oslo.', 'My brother Alex lives in Oslo.'],
  ['Our best friend, Tom Ray, works at Bosch.', 'Our best friend Tom Ray works at Bosch.'],
  ['Honestly, my brother, he lives in Oslo.', undefined],
  ['My wife, Monday, leaves for Rome.', undefined],
  ['Alex, my laptop, is old.', undefined],
  ['Ada, my wife is sick.', undefined],
])('puts a name behind its relation: %s', (sentence, expected) =>
  expect(withoutApposition(sentence)).toBe(expected ?? sentence),
);
