import { createHmac, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  always,
  claimsOf,
  context,
  newSigningKey,
  seededRandom,
  signingKey,
  type TestAccounts,
  testAccounts,
} from '../../../../../support/worlds/accounts.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

let setUp: TestAccounts;
let token: string;
let claims: Record<string, unknown>;

beforeEach(async () => {
  setUp = testAccounts();
  const { api_key } = await setUp.accounts.signUp({ org_id: 'acme' }, context);
  token = (await setUp.accounts.exchange(api_key, '192.0.2.1', context)).access_token;
  claims = claimsOf(token);
});

const sign = (
  changes: object = {},
  { kid = signingKey().kid, key = signingKey().privateKey!, alg = 'RS256', more = {} } = {} as {
    kid?: string;
    key?: KeyObject | Uint8Array;
    alg?: string;
    more?: object;
  },
): Promise<string> => {
  const payload = Object.fromEntries(
    Object.entries({ ...claims, ...changes }).filter(([, v]) => v !== undefined),
  );
  return new SignJWT(payload).setProtectedHeader({ alg, kid, ...more }).sign(key);
};

const signed = async (header: object, payload: object, secret: string): Promise<string> => {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

const publicPem = (): string => signingKey().publicKey.export({ type: 'spki', format: 'pem' }).toString();

const forgeries: [string, () => Promise<string> | string][] = [
  ['nothing', () => ''],
  ['dots', () => '..'],
  ['words', () => 'let.me.in'],
  ['no signature', () => token.split('.').slice(0, 2).join('.')],
  ['an empty signature', () => `${token.split('.').slice(0, 2).join('.')}.`],
  [
    'other claims under the same signature',
    () => {
      const [header, , signature] = token.split('.');
      return `${header}.${part({ ...claims, org_id: 'globex' })}.${signature}`;
    },
  ],
  ['alg none', () => `${part({ alg: 'none', kid: signingKey().kid })}.${part(claims)}.`],
  [
    'alg None with the old signature',
    () => `${part({ alg: 'None', kid: signingKey().kid })}.${token.split('.').slice(1).join('.')}`,
  ],
  ['HS256 under the public key', () => signed({ alg: 'HS256', kid: signingKey().kid }, claims, publicPem())],
  ['HS256 under nothing', () => signed({ alg: 'HS256', kid: signingKey().kid }, claims, '')],
  ['RS512', () => sign({}, { alg: 'RS512' })],
  ['PS256', () => sign({}, { alg: 'PS256' })],
  ['no kid', () => sign({}, { more: { kid: undefined } })],
  ['an unknown kid', () => sign({}, { kid: 'other' })],
  ['our kid and their key', () => sign({}, { key: newSigningKey('x').privateKey! })],
  [
    'their key in the header',
    async () => {
      const theirs = newSigningKey('theirs');
      const jwk = theirs.publicKey.export({ format: 'jwk' });
      return sign(
        {},
        { kid: 'theirs', key: theirs.privateKey!, more: { jwk, jku: 'http://localhost/keys' } },
      );
    },
  ],
  ['a kid that names a file', () => sign({}, { kid: '../../dev/null' })],
  ['a kid that is a number', () => sign({}, { more: { kid: 7 } })],
  [
    'a critical header that nobody knows',
    async () =>
      `${part({ alg: 'RS256', kid: signingKey().kid, crit: ['x'], x: 1 })}.${token.split('.').slice(1).join('.')}`,
  ],
  ['a refresh token', () => sign({ type: 'refresh' })],
  ['another type', () => sign({ type: ['access'] })],
  ['no type', () => sign({ type: undefined })],
  ['no exp', () => sign({ exp: undefined })],
  ['exp of text', () => sign({ exp: '9999999999' })],
  ['exp now', () => sign({ exp: Math.floor(setUp.now() / 1_000) })],
  ['no iat', () => sign({ iat: undefined })],
  ['not yet', () => sign({ nbf: Math.floor(setUp.now() / 1_000) + 60 })],
  ['another issuer', () => sign({ iss: 'elsewhere' })],
  ['another audience', () => sign({ aud: 'elsewhere' })],
  ['no organization', () => sign({ org_id: undefined })],
  ['an organization that is a list', () => sign({ org_id: ['acme'] })],
  ['an empty user', () => sign({ user_id: '' })],
  ['roles of text', () => sign({ roles: '*' })],
  ['roles of numbers', () => sign({ roles: [1] })],
  ['no key', () => sign({ key_id: undefined })],
  ['an unknown key', () => sign({ key_id: '0'.repeat(16) })],
  ["another organization's key", () => sign({ org_id: 'globex' })],
  ['very long', () => `${token}${'A'.repeat(10_000)}`],
];

describe('an access token', () => {
  test('tells who calls, again and again', async () => {
    for (let i = 0; i < 3; i++) {
      expect(await setUp.accounts.authenticate(token, '192.0.2.1')).toMatchObject({
        orgId: 'acme',
        userId: 'owner',
        roles: ['*'],
      });
    }
    // The forgeries are wrong in nothing but what they change.
    await setUp.accounts.authenticate(await sign(), '192.0.2.1');
  });

  test.each(forgeries)('%s is a 401', async (_what, forge) => {
    await expect(setUp.accounts.authenticate(await forge(), '192.0.2.1')).rejects.toMatchObject({
      code: 'unauthenticated',
      status: 401,
    });
  });

  test('of a revoked key is a 403 at once, on every instance, though it was seen before', async () => {
    const other = setUp.another();
    await other.authenticate(token, '192.0.2.1');
    const owner = await setUp.accounts.authenticate(token, '192.0.2.1');
    await setUp.accounts.revokeKey(owner, owner.keyId, context);
    for (const instance of [setUp.accounts, other]) {
      await expect(instance.authenticate(token, '192.0.2.1')).rejects.toMatchObject({
        code: 'forbidden',
        status: 403,
      });
    }
  });

  test('that was seen before ends in time', async () => {
    await setUp.accounts.authenticate(token, '192.0.2.1');
    setUp.pass(86_400_000);
    await expect(setUp.accounts.authenticate(token, '192.0.2.1')).rejects.toMatchObject({ status: 401 });
  });

  test('an outage of the accounts is no 401', async () => {
    const down = Object.assign(new Error('out of reach'), { status: 503 });
    const store = { ...setUp.store, get: () => Promise.reject(down) };
    await expect(setUp.another({ store }).authenticate(token, '192.0.2.1')).rejects.toBe(down);
  });

  test('of an older key is good while that key is kept, and dead once it is gone', async () => {
    const fresh = newSigningKey('fresh');
    const kept = setUp.another({ signingKeys: always([fresh, { ...signingKey(), privateKey: undefined }]) });
    await kept.authenticate(token, '192.0.2.1');
    expect(kept.jwks().keys.map(key => key.kid)).toEqual(['fresh', signingKey().kid]);
    const gone = setUp.another({ signingKeys: always([fresh]), random: seededRandom('gone') });
    await expect(gone.authenticate(token, '192.0.2.1')).rejects.toMatchObject({ status: 401 });
  });

  /** An instance whose keys are others once they are rotated. */
  const rotated = () => {
    let keys = [signingKey()];
    const rotate = (): void => {
      keys = [newSigningKey('fresh')];
    };
    return { instance: setUp.another({ signingKeys: () => keys }), rotate };
  };

  test('that was seen before is a 401 once its key is gone', async () => {
    const { instance, rotate } = rotated();
    await instance.authenticate(token, '192.0.2.1');
    rotate();
    await expect(instance.authenticate(token, '192.0.2.1')).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('is good no longer than the call that verifies it when its key goes meanwhile', async () => {
    const { instance, rotate } = rotated();
    const verifying = instance.authenticate(token, '192.0.2.1');
    rotate();
    // Another call sees the new keys first.
    await expect(instance.authenticate('not.a.token', '192.0.2.1')).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await verifying;
    await expect(instance.authenticate(token, '192.0.2.1')).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});

test('the published keys verify and hold no private part', async () => {
  const { keys } = setUp.accounts.jwks();
  expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});
