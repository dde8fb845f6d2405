import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { SendWebhook, Sent, WebhookRequest } from '../../core/ports/webhooks/webhooks.ts';
import { isPublic, literalAddress } from '../../core/public-address.ts';
import { type Resolve, resolveAny, resolvePublic } from './resolve.ts';

/** From the name's resolution to the end of the answer. */
const WITHIN_MS = 10_000;
/** Bytes of an answer that are read, so that a receiver may end what it says, and thrown away. */
const MOST_ANSWER = 64 * 1024;

export interface SendOptions {
  /** Whether http and addresses that are not public are allowed. */
  isPrivateAllowed: boolean;
  /** Default: by name servers or, where private addresses are allowed, as the system does. */
  resolve?: Resolve;
  /** Which addresses may be called; default: those on the Internet, or all where that is allowed. */
  mayCall?: (address: string) => boolean;
  withinMs?: number;
}

/** Returns the first address that may be called; undefined where there is none. */
const makeAddressOf = ({ isPrivateAllowed, ...options }: SendOptions) => {
  const { resolve = isPrivateAllowed ? resolveAny : resolvePublic() } = options;
  const { mayCall = isPrivateAllowed ? () => true : isPublic } = options;
  return async ({ hostname }: URL): Promise<string | undefined> => {
    const literal = literalAddress(hostname);
    const all = literal === undefined ? await resolve(hostname) : [literal];
    return all.find(mayCall);
  };
};

/** Answers with the address that was checked, whatever the name leads to by now. */
const pinned =
  (address: string): LookupFunction =>
  (_name, options, callback) => {
    const family = isIPv6(address) ? 6 : 4;
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };

/** Reads and forgets an answer; resolves when it has ended, or is longer than anybody needs. */
const drained = (response: IncomingMessage): Promise<void> =>
  new Promise(resolve => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_ANSWER) resolve();
    });
    for (const end of ['end', 'error', 'close']) response.on(end, () => resolve());
  });

const answered = (request: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });

/** Posts to the address, over a connection of its own: none is shared with another receiver. */
const post = async (
  url: URL,
  address: string,
  { headers, body }: WebhookRequest,
  signal: AbortSignal,
): Promise<Sent> => {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = String(Buffer.byteLength(body));
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': length },
    lookup: pinned(address),
    agent: false,
    signal,
  });
  // A later error says no more than the first one.
  request.on('error', () => {});
  try {
    const response = await answered(request, body);
    await drained(response);
    return { kind: 'answered', status: response.statusCode! };
  } finally {
    request.destroy();
  }
};

/** Opens the sender of webhooks. */
export const openWebhookSender = (options: SendOptions): SendWebhook => {
  const addressOf = makeAddressOf(options);
  const { isPrivateAllowed, withinMs = WITHIN_MS } = options;
  return async (asked, signal) => {
    const late = AbortSignal.timeout(withinMs);
    const ended = AbortSignal.any([signal, late]);
    const aborted = new Promise<never>((_, reject) => {
      ended.addEventListener('abort', () => reject(ended.reason), { once: true });
    });
    // Nobody may be waiting for it by then.
    aborted.catch(() => {});
    try {
      const url = new URL(asked.url);
      if (url.protocol !== 'https:' && !(isPrivateAllowed && url.protocol === 'http:'))
        return { kind: 'failed', reason: 'address' };
      const address = await Promise.race([addressOf(url), aborted]);
      if (address === undefined) return { kind: 'failed', reason: 'address' };
      return await post(url, address, asked, ended);
    } catch {
      signal.throwIfAborted();
      return { kind: 'failed', reason: late.aborted ? 'timeout' : 'connection' };
    }
  };
};

/** Opens the sender that the configuration asks for. */
export const webhookSenderOf = ({ webhooksPrivate }: { webhooksPrivate: 'yes' | 'no' }): SendWebhook =>
  openWebhookSender({ isPrivateAllowed: webhooksPrivate === 'yes' });
