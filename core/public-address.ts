/** Addresses on the Internet, which a service may call for somebody who names them. */
import { isIP, isIPv4 } from 'node:net';
import { inRanges } from './address-ranges.ts';

/** Addresses of special use, by the registry of IANA, and multicast. */
const isSpecialV4 = inRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** The only addresses of IPv6 that are assigned for use on the Internet. */
const isGlobalV6 = inRanges(['2000::/3']);

/** Addresses of special use within these: some lead to an IPv4 address that they contain. */
const isSpecialV6 = inRanges(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * Returns whether an address is on the Internet for everybody: not private, loopback, link-local, multicast,
 * for documentation, or one of IPv6 that stands for one of IPv4.
 */
export const isPublic = (address: string): boolean =>
  isIPv4(address) ? !isSpecialV4(address) : isGlobalV6(address) && !isSpecialV6(address);

/** Returns the address that the host of a URL is; undefined where it is a name. */
export const literalAddress = (hostname: string): string | undefined => {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
};
