import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../../client/connection.ts';

/** A rejected request, in the protocol's terms. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
  /** The JSON-RPC code; default: the SDK's code for errors without a particular request. */
  code?: number;
}

const hostName = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : (URL.parse(`http://${header}`)?.hostname ?? undefined);

/**
 * Rejects web pages. A browser names the page in Origin, and no page is an expected caller. A page whose name
 * resolves to this machine (DNS rebinding) still sends that name as Host, so a server on a loopback address
 * accepts no other name.
 */
export const refusedPage = (
  headers: IncomingHttpHeaders,
  { loopback }: { loopback: boolean },
): Refusal | undefined => {
  if (headers.origin !== undefined)
    return { status: 403, message: 'Requests from web pages (with an Origin header) are rejected.' };
  const host = hostName(headers.host);
  if (host === undefined) return { status: 400, message: 'The header Host is missing or malformed.' };
  if (loopback && !isLoopback(host))
    return {
      status: 403,
      message:
        'This server only answers to localhost; listen on another address to be called by other names.',
    };
  return undefined;
};

const BEARER = /^Bearer +(\S+) *$/i;

const UNAUTHENTICATED: Omit<Refusal, 'message'> = { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };

/** Returns the caller's API key from either header, or a refusal if it sends none, wherever it calls from. */
export const keyOf = (
  headers: IncomingHttpHeaders,
): { ok: true; key: string } | { ok: false; refusal: Refusal } => {
  const key = String(headers['x-api-key'] ?? '').trim() || BEARER.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined) return { ok: true, key };
  const message =
    'Send the header X-API-Key: <Turnstone API key>, or Authorization: Bearer <Turnstone API key>.';
  return { ok: false, refusal: { ...UNAUTHENTICATED, message } };
};

/** Returns the digest that sessions store instead of the key. */
export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

export const isSameKey = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b);
