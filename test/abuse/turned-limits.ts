/** Limits that somebody could turn against others at the same address. The same in both modes. */
import { expect, test } from 'vitest';
import { type Answer, accessToken, send } from '../support/http/client.ts';

const FAILURES = 6;
const SIGN_UPS = 5;

export const LIMITS = {
  TURNSTONE_SIGNUP: 'open',
  TURNSTONE_AUTH_FAILURES_PER_MINUTE: String(FAILURES),
  TURNSTONE_SIGNUPS_PER_MINUTE: String(SIGN_UPS),
  TURNSTONE_TRUSTED_PROXIES: '127.0.0.1,::1',
};

export interface World {
  url: string;
  apiKey: string;
}

export const turnedLimitTests = (world: () => World): void => {
  const from = (address: string, method: string, path: string, headers: object, body?: object) =>
    fetch(`${world().url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
      body: body && JSON.stringify(body),
    });
  const exchange = (address: string, api_key: string) =>
    from(address, 'POST', '/auth/token-exchange', {}, { api_key });
  const me = (address: string, key: string) => from(address, 'GET', '/me', { 'x-api-key': key });
  const signUp = (address: string, org_id: string) => from(address, 'POST', '/signup', {}, { org_id });

  test('a valid key works whatever its address failed before, and refusals are 429s', async () => {
    const { url, apiKey } = world();
    const created = (await send(
      `${url}/me/api-keys`,
      'POST',
      { name: 'new' },
      await accessToken(url, apiKey),
    )) as Answer<{ api_key: string }>;
    const address = '192.0.2.7';
    const statuses: number[] = [];
    for (let n = 0; n < 3 * FAILURES; n++) {
      const guess = `ts_${String(n).padStart(16, '0')}_${'a'.repeat(43)}`;
      statuses.push((await (n % 2 ? exchange(address, guess) : me(address, guess))).status);
    }
    expect(statuses).toEqual(statuses.map((_, n) => (n < FAILURES ? 401 : 429)));
    expect((await exchange(address, created.body.api_key)).status).toBe(200);
    expect((await me(address, created.body.api_key)).status).toBe(200);
    // Nor do guesses at its id keep it out.
    for (let n = 0; n < FAILURES; n++)
      await exchange(`192.0.2.${20 + n}`, `${created.body.api_key.slice(0, -4)}AAAA`);
    expect((await exchange('192.0.2.40', created.body.api_key)).status).toBe(200);
    expect((await exchange(address, `ts_${'b'.repeat(16)}_${'a'.repeat(43)}`)).status).toBe(429);
  });

  test('sign-ups of an address end, and those of others go on', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 2 * SIGN_UPS; n++)
      statuses.push((await signUp(`2001:db8::${n}`, `flood-${n}`)).status);
    expect(statuses).toEqual(statuses.map((_, n) => (n < SIGN_UPS ? 201 : 429)));
    const refusal = await signUp('2001:db8::77', 'flood-last');
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refusal.json()).toMatchObject({ details: { error: 'rate_limited' } });
    expect((await signUp('2001:db8:0:1::1', 'calm')).status).toBe(201);
  });
};
