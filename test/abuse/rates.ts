/** Too many calls, by an organization on all API instances at once and by an address on open endpoints. */
import { expect, test } from 'vitest';
import { type Answer, accessToken, connect, expectStatus, send } from '../support/http/client.ts';
import { pause } from '../support/wait.ts';

export const LIMITS = {
  TURNSTONE_REQUESTS_PER_SECOND: '20',
  TURNSTONE_OPEN_REQUESTS_PER_MINUTE: '40',
  TURNSTONE_TRUSTED_PROXIES: '127.0.0.1',
  TURNSTONE_SIGNUP: 'open',
};
const PER_SECOND = Number(LIMITS.TURNSTONE_REQUESTS_PER_SECOND);
const PER_MINUTE = Number(LIMITS.TURNSTONE_OPEN_REQUESTS_PER_MINUTE);
const FLOOD_MS = 3_000;

export interface World {
  /** The URL of each API instance. */
  urls: string[];
  /** The key of the organization that calls too often. */
  apiKey: string;
}

const errorOf = ({ body }: Answer<unknown>) => body as { message: string; details: { error: string } | null };

const postFrom = async (
  url: string,
  path: string,
  address: string,
  body: object,
): Promise<{ status: number; retryAfter: number; details: { error?: string } | null; body: string }> => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    details: JSON.parse(text).details ?? null,
    body: text,
  };
};

export const rateTests = (world: () => World): void => {
  test('an organization has its requests a second over all its keys and API instances; another one keeps its own', async () => {
    const { urls, apiKey } = world();
    const url = urls[0]!;
    const first = await connect({ url, apiKey });
    const second = expectStatus(
      await first.request<{ api_key: string }>('POST', '/me/api-keys', { name: 'another' }),
      201,
    );
    const good = await postFrom(url, '/signup', '198.51.100.1', { org_id: `good-${Date.now()}` });
    const other = await connect({ url, apiKey: JSON.parse(good.body).api_key });
    const tokens = await Promise.all([apiKey, second.api_key].map(key => accessToken(url, key)));

    const answers: Answer<unknown>[] = [];
    const began = performance.now();
    const flood = async (n: number): Promise<void> => {
      while (performance.now() - began < FLOOD_MS) {
        const answer = await send(`${urls[n % urls.length]}/me`, 'GET', undefined, tokens[n % tokens.length]);
        answers.push(answer);
        if (answer.status === 429) await pause(5);
      }
    };
    const others: number[] = [];
    const calm = async (): Promise<void> => {
      while (performance.now() - began < FLOOD_MS) {
        others.push((await other.request('GET', '/me')).status);
        await pause(100);
      }
    };
    await Promise.all([...Array.from({ length: 16 }, (_, n) => flood(n)), calm()]);
    const seconds = (performance.now() - began) / 1_000;

    const statuses = answers.map(({ status }) => status);
    const granted = statuses.filter(status => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    // A full bucket, and what flows into it.
    expect(granted).toBeLessThanOrEqual(PER_SECOND * (seconds + 1) + 1);
    expect(granted).toBeGreaterThanOrEqual(PER_SECOND * FLOOD_MS * 0.9 * 1e-3);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(errorOf(refused).details).toEqual({ error: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(new Set(others)).toEqual(new Set([200]));
    expect(others.length).toBeGreaterThan(2);
    await pause(100);
    expect((await first.request('GET', '/me')).status).toBe(200);
  });

  test('sign-ups of one address end, on whichever instance; of another address and of a /64 they are counted apart', async () => {
    const { urls } = world();
    let n = 0;
    const signUp = (address: string) =>
      postFrom(urls[n++ % urls.length]!, '/signup', address, { org_id: `flood-${Date.now()}-${n}` });
    const flood = await Promise.all(
      Array.from({ length: 2 * PER_MINUTE }, (_, i) => signUp(`2001:db8:0:7::${i}`)),
    );
    const made = flood.filter(({ status }) => status === 201).length;
    expect(made).toBeGreaterThanOrEqual(PER_MINUTE);
    expect(made).toBeLessThan(PER_MINUTE * 1.5);
    const refused = flood.filter(({ status }) => status !== 201);
    for (const { status, details, retryAfter } of refused) {
      expect([status, details]).toEqual([429, { error: 'rate_limited' }]);
      expect(retryAfter).toBeGreaterThanOrEqual(1);
    }
    const exchange = await postFrom(urls[0]!, '/auth/token-exchange', '2001:db8:0:7::1', { api_key: 'ts_x' });
    expect(exchange.status).toBe(429);
    expect((await signUp('2001:db8:0:8::1')).status).toBe(201);
    // Orchestrators restart what refuses these.
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const headers = { 'x-forwarded-for': '2001:db8:0:7::1' };
      expect((await fetch(urls[0] + path, { headers })).status, path).toBe(200);
    }
  });
};
