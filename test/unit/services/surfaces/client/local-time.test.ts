import { afterEach, expect, it } from 'vitest';
import { localInstant, localOffset } from '../../../../../services/surfaces/client/local-time.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const AT = Date.parse('2026-01-05T03:04:05.678Z');

it.each([
  ['America/Los_Angeles', -480, '2026-01-04T19:04:05.678-08:00'],
  ['Asia/Kathmandu', 345, '2026-01-05T08:49:05.678+05:45'],
  ['UTC', undefined, '2026-01-05T03:04:05.678Z'],
])('writes an instant as it is said in %s', (there, offset, written) => {
  process.env.TZ = there;
  expect(localOffset(AT)).toBe(offset);
  expect(localInstant(AT)).toBe(written);
  expect(Date.parse(written)).toBe(AT);
});
