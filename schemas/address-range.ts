import { isIP } from 'node:net';

/** The longest range: an IPv6 address with an IPv4 tail and a prefix. */
export const RANGE_LENGTH = 49;

/** Whether a text is an IP address, or a range of them in CIDR notation. */
export const isRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  if (rest.length > 0 || bits < 0 || address.includes('%')) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
};
