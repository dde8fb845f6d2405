import { expect, it } from 'vitest';
import { isPublic, literalAddress } from '../../../core/public-address.ts';

const REFUSED: Record<string, string[]> = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  shared: ['100.64.0.1', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.9.9.9', '::1'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'unique local': ['fc00::1', 'fd12:3456::1'],
  'site-local': ['fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'reserved or broadcast': ['240.0.0.1', '255.255.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'of protocols and benchmarks': ['192.0.0.8', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
  'mapped IPv4': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1'],
  'translated IPv4': ['64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:7f00:1::'],
  'no address': ['', 'localhost', '1.2.3', '127.1', '0x7f000001', 'example.com'],
};

it.for(Object.entries(REFUSED))('%s addresses are not public', ([, addresses]) => {
  expect(addresses.filter(isPublic)).toEqual([]);
});

it('addresses of the Internet are public, up to the edges of what is not', () => {
  const edges = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'];
  const more = ['128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.167.255.255'];
  const last = ['223.255.255.255', '8.8.8.8', '2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888'];
  expect([...edges, ...more, ...last].filter(one => !isPublic(one))).toEqual([]);
});

it('an address in a URL is found whatever its disguise, and a name is none', () => {
  const hosts = ['127.1', '0x7f.1', '2130706433', '017700000001', '[::1]', '[::ffff:127.0.0.1]', '①②⑦.0.0.1'];
  for (const host of hosts) {
    const { hostname } = new URL(`https://${host}/`);
    const address = literalAddress(hostname);
    expect(address, host).toBeDefined();
    expect(isPublic(address!), host).toBe(false);
  }
  expect(literalAddress(new URL('https://example.com/').hostname)).toBeUndefined();
});
