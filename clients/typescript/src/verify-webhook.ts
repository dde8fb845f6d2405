/** Checks messages of webhooks, as Standard Webhooks has it, with the crypto of every runtime. */
import { TurnstoneError } from './error.ts';
import { isRecord, parsed } from './transport/answer.ts';
import type { WebhookMessage } from './types.ts';

/** The most that the clocks of sender and receiver may differ by default, in seconds. */
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

export interface VerifyWebhookOptions {
  /** How old a message may be, in seconds; default: 300. A message that is retried is signed anew. */
  toleranceSeconds?: number | undefined;
  /** Unix milliseconds, for tests; default: now. */
  now?: number | undefined;
}

/** The headers of a request: of `fetch`, or as Node has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const refused = (message: string): TurnstoneError => new TurnstoneError(message, { code: 'unauthenticated' });

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== 'string' || value === '') throw refused(`The header ${name} is missing.`);
  return value;
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const keyOf = async (secret: string) => {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined;
  if (!bytes || bytes.length === 0)
    throw new TurnstoneError('The secret of a webhook begins with whsec_.', { code: 'configuration' });
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

/**
 * Returns a webhook's message whose signature is right; rejects with `unauthenticated` otherwise. `body` is
 * the request's body as it came, before anything has parsed it.
 */
export const verifyWebhook = async (
  secret: string,
  headers: WebhookHeaders,
  body: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookMessage> => {
  const key = await keyOf(secret);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    headerOf(headers, name),
  ) as [string, string, string];
  const age = now / 1_000 - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (!(Math.abs(age) <= toleranceSeconds)) throw refused('The message is too old, or from the future.');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',');
    const bytes = version === 'v1' ? bytesOf(text) : undefined;
    if (!bytes || !(await crypto.subtle.verify('HMAC', key, bytes, signed))) continue;
    const message = parsed(body);
    if (!isRecord(message)) throw refused('The message is not JSON.');
    return { id, ...message } as unknown as WebhookMessage;
  }
  throw refused('The signature is wrong.');
};
