import { expect, test } from 'vitest';
import { jsonBytes, mostJsonBytes } from '../../../../core/log/json-bytes.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const VALUES: [string, unknown][] = [
  ['texts', ['', 'a', 'é𝔄', '"\\', '\n\u0001\u001f', '\u007f']],
  ['numbers and the rest', [0, -1.5e300, true, false, null]],
  ['members', { a: 'b', 'ké"y': { c: [[], {}] }, none: undefined }],
  ['a turn', { role: 'user', text: 'Hi "you"', observations: Array.from({ length: 64 }, (_, n) => `𝔄${n}`) }],
];

test.each(VALUES)('says what the JSON of %s has, or a byte more for each array and object', (_, value) => {
  const containers = JSON.stringify(value).match(/[[{]/g)!.length;
  expect(jsonBytes(value)).toBeGreaterThanOrEqual(bytesOf(value));
  expect(jsonBytes(value)).toBeLessThanOrEqual(bytesOf(value) + containers);
});

test.each([
  ...VALUES,
  ['what JSON escapes', '\u0001'.repeat(100)],
  ['what JSON writes in many digits', [-Number.MIN_VALUE, -Number.MAX_VALUE, -9007199254740991]],
])('bounds the JSON of %s without reading the texts', (_, value) => {
  expect(mostJsonBytes(value)).toBeGreaterThanOrEqual(bytesOf(value));
  expect(mostJsonBytes(value)).toBeGreaterThanOrEqual(jsonBytes(value));
});
