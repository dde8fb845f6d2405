import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../client/connection.ts';

/** A request that gets no further, as the protocol answers it. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
  /** JSON-RPC's; without one the SDK's own for what concerns no request in particular. */
  code?: number;
}

const hostName = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : (URL.parse(`http://${header}`)?.hostname ?? undefined);

/**
 * Keeps web pages out. A browser names the page in Origin, and no page is a caller of ours; one that made its name point
 * at this machine (DNS rebinding) still sends that name as Host, so that on a loopback address no other name is served.
 */
export const refusedPage = (
  headers: IncomingHttpHeaders,
  { loopback }: { loopback: boolean },
): Refusal | undefined => {
  if (headers.origin !== undefined)
    return { status: 403, message: 'Requests of web pages (with the header Origin) are refused.' };
  const host = hostName(headers.host);
  if (host === undefined) return { status: 400, message: 'The header Host is missing or malformed.' };
  if (loopback && !isLoopback(host))
    return {
      status: 403,
      message:
        'This server answers to localhost alone; listen on another address to be called by other names.',
    };
  return undefined;
};

const BEARER = /^Bearer +(\S+) *$/i;

/** What proxies add: who called through one may be anybody, also where the proxy itself is on this machine. */
const PROXIED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const UNAUTHENTICATED: Omit<Refusal, 'message'> = { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };

/** The API key that the caller sent; `undefined` for one who may go by the server's own; or why neither. */
export const keyOf = (
  headers: IncomingHttpHeaders,
  { ownKeyServes }: { ownKeyServes: boolean },
): { ok: true; key: string | undefined } | { ok: false; refusal: Refusal } => {
  const key = BEARER.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined) return { ok: true, key };
  if (headers.authorization === undefined && ownKeyServes && PROXIED.every(name => !(name in headers)))
    return { ok: true, key: undefined };
  const message = 'Send the header Authorization: Bearer <Turnstone API key>.';
  return { ok: false, refusal: { ...UNAUTHENTICATED, message } };
};

/** Sessions keep this of their key, not the key. */
export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

export const isSameKey = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b);
