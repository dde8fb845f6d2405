import { isIPv6 } from 'node:net';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether `host`, without a port, is a loopback address; IPv6 with or without brackets. */
export const isLoopback = (host: string): boolean =>
  LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/**
 * The name under which a client's address is counted. An IPv6 subscriber has 2^64 addresses, which count as
 * one name; an IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export const addressName = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
};
