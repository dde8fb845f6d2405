import { describe, expect, test } from 'vitest';
import { NO_BUDGETS } from '../../../../../../core/payers/budgets.ts';
import { claimsOf, context, signingKey, testAccounts } from '../../../../../support/worlds/accounts.ts';

const HOUR = 3_600_000;

const signedUp = async (config = {}) => {
  const test = testAccounts(config);
  const { api_key } = await test.accounts.signUp({ org_id: 'acme' }, context);
  const exchange = (key = api_key, address = '192.0.2.1') => test.accounts.exchange(key, address, context);
  return { ...test, api_key, exchange };
};

/** As long and as well formed as a key, and not that key. */
const wrongSecret = (apiKey: string): string => `${apiKey.slice(0, -1)}${apiKey.endsWith('A') ? 'B' : 'A'}`;

describe('token exchange', () => {
  test('gives an access token of 24 hours and a refresh token of 7 days', async () => {
    const { exchange, now } = await signedUp();
    const tokens = await exchange();
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    const iat = Math.floor(now() / 1_000);
    expect(claimsOf(tokens.access_token)).toMatchObject({
      type: 'access',
      org_id: 'acme',
      user_id: 'owner',
      roles: ['*'],
      iat,
      exp: iat + 86_400,
    });
    expect(claimsOf(tokens.refresh_token)).toMatchObject({ type: 'refresh', iat, exp: iat + 7 * 86_400 });
    const header = JSON.parse(Buffer.from(tokens.access_token.split('.')[0]!, 'base64url').toString());
    expect(header).toMatchObject({ alg: 'RS256', kid: signingKey().kid });
  });

  test.each([
    ['nothing', () => ''],
    ['words', () => 'let me in'],
    ['a key without a secret', (key: string) => key.slice(0, 19)],
    ['another secret', wrongSecret],
    ['another id', (key: string) => `ts_${'0'.repeat(16)}${key.slice(19)}`],
    ['more behind it', (key: string) => `${key}A`],
    ['a newline behind it', (key: string) => `${key}\n`],
    ['a space before it', (key: string) => ` ${key}`],
    ['a NUL', (key: string) => `${key}\u0000`],
    ['four megabytes', () => 'ts_'.repeat(1_400_000)],
  ])('%s is a 401', async (_what, made) => {
    const { exchange, api_key } = await signedUp();
    await expect(exchange(made(api_key))).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
  });

  test('a revoked key is a 403, with a wrong secret still a 401', async () => {
    const { accounts, exchange } = await signedUp();
    const owner = await accounts.authenticate((await exchange()).access_token, '192.0.2.1');
    const { id, api_key } = await accounts.createKey(owner, { name: 'k' }, context);
    await exchange(api_key);
    await accounts.revokeKey(owner, id, context);
    await expect(exchange(api_key)).rejects.toMatchObject({ status: 403 });
    await expect(exchange(wrongSecret(api_key))).rejects.toMatchObject({ status: 401 });
  });

  test('the use of a key is noted, at most once a minute', async () => {
    const { accounts, exchange, pass, store } = await signedUp();
    const owner = await accounts.authenticate((await exchange()).access_token, '192.0.2.1');
    const used = async () => (await accounts.listKeys(owner))[0]!.last_used_at;
    expect(await used()).toBe('2026-03-10T12:00:30.250Z');
    pass(59_000);
    await exchange();
    expect(await used()).toBe('2026-03-10T12:00:30.250Z');
    pass(2_000);
    await exchange();
    expect(await used()).toBe('2026-03-10T12:01:31.250Z');
    expect(store.events.filter(({ type }) => type === 'api_key.used')).toHaveLength(2);
  });

  test('a use that can not be noted refuses nobody', async () => {
    const { exchange, store } = await signedUp();
    store.beforeRecord = () => {
      throw new Error('the log is out of reach');
    };
    expect(await exchange()).toMatchObject({ token_type: 'bearer' });
  });

  test('the session and the user of a key are those of its tokens', async () => {
    const { accounts, exchange } = await signedUp();
    const owner = await accounts.authenticate((await exchange()).access_token, '192.0.2.1');
    const made = await accounts.createKey(
      owner,
      { name: 'bot', roles: ['memory:write'], user_id: 'ada', session_id: 'monday' },
      context,
    );
    const { access_token } = await exchange(made.api_key);
    expect(claimsOf(access_token)).toMatchObject({
      user_id: 'ada',
      session_id: 'monday',
      roles: ['memory:write'],
    });
    expect(await accounts.authenticate(access_token, '192.0.2.1')).toEqual({
      orgId: 'acme',
      screen: 'off',
      userId: 'ada',
      sessionId: 'monday',
      roles: ['memory:write'],
      keyId: made.id,
      budgets: NO_BUDGETS,
      caps: { tokensIn: 1_000_000, tokensOut: 5_000_000 },
    });
  });
});

describe('failed exchanges', () => {
  const limited = { code: 'rate_limited', status: 429, details: { error: 'rate_limited' } };

  test('of an address are counted for a minute; neither its valid keys nor other addresses are touched', async () => {
    const { exchange, api_key, pass } = await signedUp({ authFailuresPerMinute: 6 });
    for (let i = 0; i < 6; i++) await expect(exchange('nothing')).rejects.toMatchObject({ status: 401 });
    pass(10_000);
    await expect(exchange('nothing')).rejects.toMatchObject({ ...limited, retryAfter: 50 });
    await exchange(api_key);
    await expect(exchange('nothing', '192.0.2.2')).rejects.toMatchObject({ status: 401 });
    pass(50_000);
    await expect(exchange('nothing')).rejects.toMatchObject({ status: 401 });
  });

  test('of a key id are counted over all addresses, and do not lock its owner out', async () => {
    const { exchange, api_key, pass } = await signedUp({ authFailuresPerMinute: 6 });
    const guess = (address: number) => exchange(wrongSecret(api_key), `192.0.2.${address}`);
    await expect(guess(1)).rejects.toMatchObject({ status: 401 });
    await expect(guess(2)).rejects.toMatchObject({ status: 401 });
    await expect(guess(3)).rejects.toMatchObject({ ...limited, retryAfter: 60 });
    await exchange(api_key, '192.0.2.4');
    pass(60_000);
    await expect(guess(5)).rejects.toMatchObject({ status: 401 });
  });

  test('at the same time are not let through in greater number', async () => {
    const { exchange } = await signedUp({ authFailuresPerMinute: 5 });
    const keys = Array.from({ length: 40 }, (_, i) => `ts_${String(i).padStart(16, '0')}_${'a'.repeat(43)}`);
    const outcomes = await Promise.all(keys.map(key => exchange(key).catch(error => error.status)));
    expect(outcomes.filter(status => status === 401)).toHaveLength(5);
    expect(outcomes.filter(status => status === 429)).toHaveLength(35);
  });

  test('good exchanges are not counted', async () => {
    const { exchange } = await signedUp({ authFailuresPerMinute: 1 });
    for (let i = 0; i < 20; i++) await exchange();
  });

  test('addresses of one IPv6 subscriber are one, an IPv4 address in IPv6 is itself', async () => {
    const { exchange } = await signedUp({ authFailuresPerMinute: 2 });
    const from = (address: string) => exchange('nothing', address).catch(error => error.status);
    expect(await from('2001:db8:1:2::1')).toBe(401);
    expect(await from('2001:0db8:0001:0002:ffff::9')).toBe(401);
    expect(await from('2001:db8:1:2:3:4:5:6')).toBe(429);
    expect(await from('2001:db8:1:3::1')).toBe(401);
    expect(await from('::ffff:192.0.2.9')).toBe(401);
    expect(await from('192.0.2.9')).toBe(401);
    expect(await from('192.0.2.9')).toBe(429);
    expect(await from('::ffff:192.0.2.10')).toBe(401);
  });
});

describe('the first start', () => {
  test('makes the organization local with a key, once', async () => {
    const { accounts, exchange } = await signedUp();
    const kept: string[] = [];
    const keep = async (apiKey: string): Promise<void> => void kept.push(apiKey);
    const first = await accounts.ensureLocalOrganization(keep);
    expect(kept).toEqual([first?.apiKey]);
    expect(
      await accounts.authenticate((await exchange(first!.apiKey)).access_token, '192.0.2.1'),
    ).toMatchObject({
      orgId: 'local',
      roles: ['*'],
    });
    expect(await accounts.ensureLocalOrganization(keep)).toBeUndefined();
    expect(kept).toHaveLength(1);
  });

  test('a crash between keeping the key and recording it loses nothing', async () => {
    const { accounts, exchange, store } = await signedUp();
    let kept = '';
    const keep = async (apiKey: string): Promise<void> => {
      kept = apiKey;
    };
    store.beforeRecord = () => {
      throw new Error('killed');
    };
    await expect(accounts.ensureLocalOrganization(keep)).rejects.toThrow('killed');
    store.beforeRecord = () => {};
    await accounts.ensureLocalOrganization(keep);
    await exchange(kept);
  });
});

test('tokens end after 24 hours', async () => {
  const { accounts, exchange, pass } = await signedUp();
  const { access_token } = await exchange();
  pass(24 * HOUR - 1_000);
  await accounts.authenticate(access_token, '192.0.2.1');
  pass(1_000);
  await expect(accounts.authenticate(access_token, '192.0.2.1')).rejects.toMatchObject({ status: 401 });
});
