import { addressName, isLoopback } from '../../../core/address-name.ts';
import { inRanges } from '../../../core/address-ranges.ts';

const isPrivate = inRanges([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

/**
 * How an entry names a client's address: `loopback`, `private` or, of a public one, the network that it is
 * in, /24 or /48. Null for what is no address.
 */
export const addressClass = (address: string): string | null => {
  const name = addressName(address);
  if (isLoopback(address.replace(/%.*$/s, '')) || isLoopback(name)) return 'loopback';
  if (isPrivate(address)) return 'private';
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return `${name.split('.').slice(0, 3).join('.')}.0/24`;
  if (name.endsWith('::/64')) return `${name.split(':').slice(0, 3).join(':')}::/48`;
  return null;
};
