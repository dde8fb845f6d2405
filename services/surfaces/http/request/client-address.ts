import type { IncomingMessage } from 'node:http';
import { inRanges } from '../../../../core/address-ranges.ts';

/**
 * Returns a function that tells a request's client: its peer, or, where that is a trusted proxy, the last
 * address in `X-Forwarded-For` that isn't one, or else the first.
 */
export const makeClientAddress = (trustedProxies: readonly string[]) => {
  const isTrusted = inRanges(trustedProxies);
  return ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string => {
    let address = socket.remoteAddress ?? '';
    if (trustedProxies.length === 0) return address;
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    for (const next of forwarded.map(one => one.trim()).toReversed()) {
      if (!isTrusted(address)) break;
      if (next !== '') address = next;
    }
    return address;
  };
};
