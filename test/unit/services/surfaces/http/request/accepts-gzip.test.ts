import { expect, it } from 'vitest';
import { acceptsGzip } from '../../../../../../services/surfaces/http/request/accepts-gzip.ts';

it.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['gzip; q=0', false],
  ['gzip;q=0.000, *', false],
  ['*', true],
  ['*;q=0', false],
  ['identity', false],
  ['gzipped', false],
  ['gzip;q=many', false],
])('reads Accept-Encoding %s', (header, accepts) => {
  expect(acceptsGzip(header)).toBe(accepts);
});
