import { expect, test } from 'vitest';
import { jsonBytes } from '../../../../../services/core/log/json-bytes.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test.each([
  ['texts', ['', 'a', 'é𝔄', '"\\', '\n\u0001\u001f', '\u007f']],
  ['numbers and the rest', [0, -1.5e300, true, false, null]],
  ['members', { a: 'b', 'ké"y': { c: [[], {}] }, none: undefined }],
  ['a turn', { role: 'user', text: 'Hi "you"', observations: Array.from({ length: 64 }, (_, n) => `𝔄${n}`) }],
])('says what the JSON of %s has, or a byte more for each array and object', (_, value) => {
  const containers = JSON.stringify(value).match(/[[{]/g)!.length;
  expect(jsonBytes(value)).toBeGreaterThanOrEqual(bytesOf(value));
  expect(jsonBytes(value)).toBeLessThanOrEqual(bytesOf(value) + containers);
});
