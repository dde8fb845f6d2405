import { describe, expect, test } from 'vitest';
import {
  always,
  claimsOf,
  context,
  newSigningKey,
  signingKey,
  testAccounts,
} from '../../../../../support/worlds/accounts.ts';

const DAY = 86_400_000;

const exchanged = async () => {
  const test = testAccounts();
  const { api_key } = await test.accounts.signUp({ org_id: 'acme' }, context);
  const tokens = await test.accounts.exchange(api_key, '192.0.2.1', context);
  /** `delivered: false`: the answer is lost. */
  const refresh = async (token: string, accounts = test.accounts, { delivered = true } = {}) => {
    const refreshed = await accounts.refresh(token, '192.0.2.1', context);
    if (delivered) refreshed.delivered();
    return refreshed.answer;
  };
  const typesRecorded = (type: string) => test.store.events.filter(event => event.type === type).length;
  return { ...test, api_key, tokens, refresh, typesRecorded };
};

const refused = { code: 'unauthenticated', status: 401 };

describe('refresh', () => {
  test('gives a new access token and the next refresh token', async () => {
    const { accounts, tokens, refresh, pass } = await exchanged();
    pass(1_500);
    const next = await refresh(tokens.refresh_token);
    expect(next).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(await accounts.authenticate(next.access_token, '192.0.2.1')).toEqual(
      await accounts.authenticate(tokens.access_token, '192.0.2.1'),
    );
    const again = await refresh(next.refresh_token);
    expect(claimsOf(again.refresh_token).family_id).toBe(claimsOf(tokens.refresh_token).family_id);
  });

  test('each rotation starts the seven days anew', async () => {
    const { tokens, refresh, pass } = await exchanged();
    let token = tokens.refresh_token;
    for (let i = 0; i < 3; i++) {
      pass(7 * DAY - 1_000);
      token = (await refresh(token)).refresh_token;
    }
    pass(7 * DAY);
    await expect(refresh(token)).rejects.toMatchObject(refused);
  });

  test('a retry within a minute gets the same successor to the letter, on any instance', async () => {
    const { tokens, refresh, pass, another, typesRecorded } = await exchanged();
    const first = await refresh(tokens.refresh_token);
    pass(60_000);
    const retry = await refresh(tokens.refresh_token, another());
    expect(retry.refresh_token).toBe(first.refresh_token);
    expect(typesRecorded('refresh_token.rotated')).toBe(1);
    await refresh(first.refresh_token);
  });

  test('a retry gets the same successor when another key signs by then', async () => {
    const { tokens, refresh, another } = await exchanged();
    const first = await refresh(tokens.refresh_token);
    const rotated = another({ signingKeys: always([newSigningKey('test-2'), signingKey()]) });
    expect((await refresh(tokens.refresh_token, rotated)).refresh_token).toBe(first.refresh_token);
    const next = await refresh(first.refresh_token, rotated);
    const header = JSON.parse(Buffer.from(next.refresh_token.split('.')[0]!, 'base64url').toString());
    expect(header.kid).toBe('test-2');
  });

  test('a token that comes back after a minute revokes its family', async () => {
    const { accounts, tokens, refresh, pass, typesRecorded } = await exchanged();
    const next = await refresh(tokens.refresh_token);
    pass(60_001);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(refused);
    await expect(refresh(next.refresh_token)).rejects.toMatchObject(refused);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(refused);
    expect(typesRecorded('refresh_family.revoked')).toBe(1);
    // Its access tokens are left to expire.
    await accounts.authenticate(next.access_token, '192.0.2.1');
  });

  test('a token whose answers were all lost gets its successor for as long as it lives', async () => {
    const { tokens, refresh, pass, another, typesRecorded } = await exchanged();
    const lost = { delivered: false };
    const first = await refresh(tokens.refresh_token, undefined, lost);
    for (const instance of [undefined, another(), undefined]) {
      pass(2 * DAY);
      expect((await refresh(tokens.refresh_token, instance, lost)).refresh_token).toBe(first.refresh_token);
    }
    expect(typesRecorded('refresh_token.delivered')).toBe(0);
    // One arrives: its minute begins now.
    await refresh(tokens.refresh_token);
    pass(60_000);
    await refresh(tokens.refresh_token);
    expect(typesRecorded('refresh_token.delivered')).toBe(1);
    pass(1);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(refused);
    await expect(refresh(first.refresh_token)).rejects.toMatchObject(refused);
  });

  test('a token whose answer was lost and whose successor was used all the same revokes the family', async () => {
    const { tokens, refresh, pass } = await exchanged();
    const second = await refresh(tokens.refresh_token, undefined, { delivered: false });
    pass(3_600_000);
    await refresh(second.refresh_token);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(refused);
  });

  test('a token whose successor was used revokes the family, also within the minute', async () => {
    const { tokens, refresh } = await exchanged();
    const second = await refresh(tokens.refresh_token);
    const third = await refresh(second.refresh_token);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(refused);
    await expect(refresh(third.refresh_token)).rejects.toMatchObject(refused);
  });

  test('a revoked family leaves the others alone', async () => {
    const { accounts, api_key, tokens, refresh, pass } = await exchanged();
    const other = await accounts.exchange(api_key, '192.0.2.1', context);
    await refresh(tokens.refresh_token);
    pass(61_000);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(refused);
    await refresh(other.refresh_token);
  });

  test('two instances that race on one token give out one successor', async () => {
    const { tokens, refresh, another, store, typesRecorded } = await exchanged();
    // Both have read that nothing is recorded before either records.
    let waiting = 0;
    let open = (): void => {};
    const both = new Promise<void>(resolve => {
      open = resolve;
    });
    store.beforeRecord = async ({ type }) => {
      if (type !== 'refresh_token.rotated') return;
      if (++waiting === 2) open();
      await both;
    };
    const [one, two] = await Promise.all([
      refresh(tokens.refresh_token, another()),
      refresh(tokens.refresh_token, another()),
    ]);
    expect(waiting).toBe(2);
    expect(one.refresh_token).toBe(two.refresh_token);
    expect(typesRecorded('refresh_token.rotated')).toBe(1);
    expect(typesRecorded('refresh_family.revoked')).toBe(0);
  });

  test('a crash after the record and before the answer is healed by the retry', async () => {
    const { tokens, refresh, pass, another, store } = await exchanged();
    const broken = another({
      store: {
        ...store,
        rotate: async event => {
          await store.record(event);
          throw new Error('killed');
        },
      },
    });
    await expect(refresh(tokens.refresh_token, broken)).rejects.toThrow('killed');
    pass(300_000);
    const retry = await refresh(tokens.refresh_token);
    const { iat, exp } = claimsOf(retry.refresh_token) as { iat: number; exp: number };
    expect(exp - iat).toBe(7 * 86_400);
    await refresh(retry.refresh_token);
  });

  test('a revoked key is a 401', async () => {
    const { accounts, tokens, refresh } = await exchanged();
    const owner = await accounts.authenticate(tokens.access_token, '192.0.2.1');
    await accounts.revokeKey(owner, owner.keyId, context);
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(refused);
  });

  test('a token whose key has expired, or is not for the address, gives no tokens', async () => {
    const { accounts, tokens, pass } = await exchanged();
    const owner = await accounts.authenticate(tokens.access_token, '192.0.2.1');
    const { iat } = claimsOf(tokens.access_token) as { iat: number };
    const expires_at = new Date(iat * 1_000 + DAY).toISOString();
    const body = {
      name: 'limited',
      roles: ['memory:read' as const],
      expires_at,
      addresses: ['192.0.2.0/24'],
    };
    const { api_key } = await accounts.createKey(owner, body, context);
    const { refresh_token } = await accounts.exchange(api_key, '192.0.2.1', context);
    const refreshFrom = (address: string) => accounts.refresh(refresh_token, address, context);
    await expect(refreshFrom('198.51.100.1')).rejects.toMatchObject({ code: 'forbidden' });
    const { answer } = await refreshFrom('192.0.2.2');
    expect(claimsOf(answer.refresh_token).family_id).toBe(claimsOf(refresh_token).family_id);
    pass(DAY);
    await expect(refreshFrom('192.0.2.2')).rejects.toMatchObject(refused);
    await expect(accounts.refresh(answer.refresh_token, '192.0.2.2', context)).rejects.toMatchObject(refused);
  });

  test.each([
    ['nothing', () => ''],
    ['words', () => 'a.b.c'],
    ['an access token', ({ access_token }: { access_token: string }) => access_token],
    [
      'another signature',
      ({ refresh_token }: { refresh_token: string }) => `${refresh_token.slice(0, -6)}AAAAAA`,
    ],
    ['four megabytes', () => 'a.'.repeat(2_000_000)],
  ])('%s is a 401', async (_what, made) => {
    const { tokens, refresh, store } = await exchanged();
    const before = store.events.length;
    await expect(refresh(made(tokens))).rejects.toMatchObject(refused);
    expect(store.events).toHaveLength(before);
  });
});
