/** Accounts are free: what one address and one organization can make of them ends. The same in both modes. */
import { expect, test } from 'vitest';
import { type Answer, accessToken, expectStatus, inParallel, send } from '../support/http/client.ts';

export const CAPS = {
  TURNSTONE_SIGNUP: 'open',
  TURNSTONE_SIGNUPS_PER_MINUTE: '0',
  TURNSTONE_ORGANIZATIONS: '12',
  TURNSTONE_KEYS_PER_ORGANIZATION: '20',
  TURNSTONE_REFRESHES_PER_DAY: '130',
  TURNSTONE_AUTH_FAILURES_PER_MINUTE: '100000',
};
const ORGANIZATIONS = Number(CAPS.TURNSTONE_ORGANIZATIONS);
const KEYS = Number(CAPS.TURNSTONE_KEYS_PER_ORGANIZATION);
const REFRESHES = Number(CAPS.TURNSTONE_REFRESHES_PER_DAY);
const REFRESHES_OF_FAMILY = 100;

export interface World {
  url: string;
  /** The only key of its organization. */
  apiKey: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

type Refused = Answer<{ message: string; details: { error: string } | null }>;

const expectRateLimited = (answer: Answer<unknown>, least: number): void => {
  const { status, headers, body } = answer as Refused;
  expect([status, body.details]).toEqual([429, { error: 'rate_limited' }]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(least);
};

const exchange = async (url: string, apiKey: string): Promise<Tokens> =>
  expectStatus(await send<Tokens>(`${url}/auth/token-exchange`, 'POST', { api_key: apiKey }), 200);

const refresh = (url: string, token: string): Promise<Answer<Tokens>> =>
  send<Tokens>(`${url}/auth/refresh`, 'POST', { refresh_token: token });

/** Rotates until it is refused; returns how often it could, and the refusal. */
const refreshOn = async (
  url: string,
  first: Tokens,
): Promise<{ rotations: number; refusal: Answer<unknown> }> => {
  let token = first.refresh_token;
  for (let rotations = 0; ; rotations++) {
    const answer = await refresh(url, token);
    if (answer.status !== 200 || rotations > 2 * REFRESHES) return { rotations, refusal: answer };
    token = answer.body.refresh_token;
  }
};

export const accountFloodTests = (world: () => World): void => {
  test('keys: so many live ones, and so many made a day; a list has the live ones alone', async () => {
    const { url, apiKey } = world();
    const token = await accessToken(url, apiKey);
    const create = () => send<{ id: string }>(`${url}/me/api-keys`, 'POST', { name: 'flood' }, token);
    const listed = async () =>
      expectStatus(
        await send<{ api_keys: { id: string }[] }>(`${url}/me/api-keys`, 'GET', undefined, token),
        200,
      ).api_keys;

    const flood = await Promise.all(Array.from({ length: 3 * KEYS }, create));
    const made = flood.filter(({ status }) => status === 201);
    expect(made).toHaveLength(KEYS - 1);
    expect(new Set(flood.filter(one => !made.includes(one)).map(({ status }) => status))).toEqual(
      new Set([409]),
    );
    expect(await listed()).toHaveLength(KEYS);

    for (const { body } of made)
      expectStatus(await send(`${url}/me/api-keys/${body.id}`, 'DELETE', undefined, token), 204);
    expect(await listed()).toHaveLength(1);
    const again = expectStatus(await create(), 201);
    expectStatus(await send(`${url}/me/api-keys/${again.id}`, 'DELETE', undefined, token), 204);
    // The bucket of a day is empty: one flows in after a twentieth of it.
    expectRateLimited(await create(), 4_000);
    expect((await send(`${url}/me`, 'GET', undefined, token)).status).toBe(200);
  });

  test('refreshes: so many of a family and of an organization a day; an exchange still works', async () => {
    const { url, apiKey } = world();
    const first = await refreshOn(url, await exchange(url, apiKey));
    expect(first.rotations).toBe(REFRESHES_OF_FAMILY);
    expectRateLimited(first.refusal, 600);
    const second = await refreshOn(url, await exchange(url, apiKey));
    expect(second.rotations).toBe(REFRESHES - REFRESHES_OF_FAMILY);
    expectRateLimited(second.refusal, 600);

    const { access_token } = await exchange(url, apiKey);
    expect((await send(`${url}/me`, 'GET', undefined, access_token)).status).toBe(200);
    const other = expectStatus(
      await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: 'calm' }),
      201,
    );
    const calm = await exchange(url, other.api_key);
    expect((await refresh(url, calm.refresh_token)).status).toBe(200);
  });

  test('sign-ups end at the cap of organizations, and those that are there go on', async () => {
    const { url, apiKey } = world();
    const statuses: number[] = [];
    await inParallel(5 * ORGANIZATIONS, 2 * ORGANIZATIONS, async i => {
      statuses.push((await send(`${url}/signup`, 'POST', { org_id: `flood-${i}` })).status);
    });
    // Beside that of the key and the calm one.
    expect(statuses.filter(status => status === 201)).toHaveLength(ORGANIZATIONS - 2);
    expect(statuses.filter(status => status === 403)).toHaveLength(4 * ORGANIZATIONS + 2);
    const { access_token } = await exchange(url, apiKey);
    expect((await send(`${url}/me`, 'GET', undefined, access_token)).status).toBe(200);
  });
};
