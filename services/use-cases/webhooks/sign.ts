/** Signatures as Standard Webhooks has them (standardwebhooks.com, version 1): symmetric, `v1`. */
import { createHmac } from 'node:crypto';
import type { Random } from '../accounts/keys/api-key.ts';

/** As many random bytes as the hash has. */
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

export const newSecret = (random: Random): string =>
  PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');

/** Returns the headers of a message. `at`: the instant of the attempt, Unix milliseconds. */
export const signedHeaders = (
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> => {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'turnstone-webhooks',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
};
