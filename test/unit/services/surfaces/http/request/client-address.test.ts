import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { makeClientAddress } from '../../../../../../services/surfaces/http/request/client-address.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

it.each([
  ['its peer, where nobody is trusted', [], '10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['its peer, where that is no proxy', ['10.0.0.0/8'], '198.51.100.2', '203.0.113.9', '198.51.100.2'],
  ['what the proxy says', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['what the first of two proxies says', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['nothing that a client wrote itself', ['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['what is no address, and nothing before it', ['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, unknown', 'unknown'],
  ['the first of them, where all are trusted', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3,, 10.0.0.2', '10.0.0.3'],
  ['the proxy, where it says nothing', ['10.0.0.0/8'], '10.0.0.1', undefined, '10.0.0.1'],
  ['a peer in the form of IPv6', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
])("tells a client's address: %s", (_what, trusted, peer, forwarded, address) => {
  expect(makeClientAddress(trusted)(from(peer, forwarded))).toBe(address);
});

it('tells no address of a connection that is gone', () => {
  expect(makeClientAddress([])(from(undefined))).toBe('');
});
