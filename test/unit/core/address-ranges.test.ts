import { describe, expect, test } from 'vitest';
import { inRanges, isRangeWithin } from '../../../core/address-ranges.ts';
import { isRange } from '../../../schemas/address-range.ts';

describe('ranges of addresses', () => {
  test.each([
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.9/24', '192.0.2.1', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['192.0.2.0/24', '::ffff:192.0.2.4', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::/0', '', false],
    ['0.0.0.0/0', 'unknown', false],
    ['0.0.0.0/0', '192.0.2.1:80', false],
    ['0.0.0.0/0', '192.0.2.1/0', false],
  ])('of %s, %s is one: %s', (range, address, is) => {
    expect(inRanges(['203.0.113.0/24', range])(address)).toBe(is);
  });

  test.each([
    ['192.0.2.0/25', true],
    ['192.0.2.0/24', true],
    ['192.0.2.0/23', false],
    ['192.0.3.0/25', false],
    ['0.0.0.0/0', false],
    ['2001:db8:1::/48', true],
    ['2001:db8::1', true],
    ['::/0', false],
  ])('%s is within others: %s', (range, is) => {
    expect(isRangeWithin(range, ['192.0.2.0/24', '2001:db8::/32'])).toBe(is);
  });

  test.each([
    '192.0.2.0/33',
    '::/129',
    '192.0.2/24',
    'home',
    '',
    '/8',
    '192.0.2.1/',
    '192.0.2.1/8/8',
    'fe80::1%eth0',
  ])('%s is no range', text => {
    expect(isRange(text)).toBe(false);
  });
});
