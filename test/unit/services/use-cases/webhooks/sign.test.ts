import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyWebhook } from '../../../../../clients/typescript/src/verify-webhook.ts';
import { newSecret, signedHeaders } from '../../../../../services/use-cases/webhooks/sign.ts';

/** The example of the reference libraries of Standard Webhooks. */
const EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: 1_614_265_330_000,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

it('signs as the example of Standard Webhooks does', () => {
  expect(signedHeaders(EXAMPLE.secret, EXAMPLE)).toMatchObject({
    'webhook-id': EXAMPLE.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': EXAMPLE.signature,
  });
});

it('makes secrets of 32 bytes, whose signatures the client verifies for as long as it says', async () => {
  const secret = newSecret(bytes => Buffer.alloc(bytes, 7));
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toEqual(Buffer.alloc(32, 7));
  const body = JSON.stringify({ type: 'turn', timestamp: '2026-01-05T09:30:00Z', data: { text: 'Grüße' } });
  const at = Date.now();
  const headers = signedHeaders(secret, { id: 'msg_1', at, body });
  expect(await verifyWebhook(secret, headers, body)).toMatchObject({ id: 'msg_1', type: 'turn' });
  expect(await verifyWebhook(secret, new Headers(headers), body)).toMatchObject({ id: 'msg_1' });
  const rejected = { code: 'unauthenticated' };
  const other = newSecret(bytes => Buffer.alloc(bytes, 8));
  await expect(verifyWebhook(other, headers, body)).rejects.toMatchObject(rejected);
  await expect(verifyWebhook(secret, headers, `${body} `)).rejects.toMatchObject(rejected);
  for (const [name, value] of [
    ['webhook-id', 'msg_2'],
    ['webhook-timestamp', String(Math.floor(at / 1_000) + 1)],
    ['webhook-signature', headers['webhook-signature']!.replace('v1,', 'v2,')],
    ['webhook-signature', 'v1,!!!'],
    ['webhook-signature', ''],
  ] as const)
    await expect(verifyWebhook(secret, { ...headers, [name]: value }, body), name).rejects.toMatchObject(
      rejected,
    );
  for (const now of [at + 301_000, at - 301_000])
    await expect(verifyWebhook(secret, headers, body, { now })).rejects.toMatchObject(rejected);
  await verifyWebhook(secret, headers, body, { now: at + 299_000 });
  await expect(verifyWebhook('ts_key', headers, body)).rejects.toMatchObject({ code: 'configuration' });
});

it('verifies by any of several signatures, as they stand beside each other while a secret is replaced', async () => {
  const secret = newSecret(bytes => Buffer.alloc(bytes, 7));
  const body = '{"type":"turn"}';
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const own = createHmac('sha256', Buffer.alloc(32, 7)).update(`msg_1.${timestamp}.${body}`).digest('base64');
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1a,abc v1,${Buffer.alloc(32).toString('base64')} v1,${own}`,
  };
  expect(await verifyWebhook(secret, headers, body)).toMatchObject({ id: 'msg_1' });
});
