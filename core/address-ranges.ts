/** Ranges of IP addresses in CIDR notation; an address alone is a range of one. */
import { BlockList, isIP, isIPv6 } from 'node:net';

type Family = 'ipv4' | 'ipv6';

const partsOf = (range: string): { address: string; family: Family; prefix: number } => {
  const [address = '', prefix] = range.split('/');
  const isLong = isIPv6(address);
  const bits = prefix === undefined ? (isLong ? 128 : 32) : Number(prefix);
  return { address, family: isLong ? 'ipv6' : 'ipv4', prefix: bits };
};

/** Returns whether an address is in one of the ranges. What is no address is in none. */
export const inRanges = (ranges: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const range of ranges) {
    const { address, family, prefix } = partsOf(range);
    list.addSubnet(address, prefix, family);
  }
  return shown => {
    const address = shown.replace(/%.*$/s, '');
    // An IPv4 address that a dual-stack socket shows as IPv6 is looked up as IPv4, too.
    return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
};

/** Whether all of a range is in one of the others. */
export const isRangeWithin = (range: string, others: readonly string[]): boolean => {
  const { address, family, prefix } = partsOf(range);
  return others.some(other => {
    const { family: ofOther, prefix: wide } = partsOf(other);
    return ofOther === family && wide <= prefix && inRanges([other])(address);
  });
};
