/** The signing keys are rotated while tokens of the old and the new are in use. Shared by both modes. */
import { expect } from 'vitest';
import { expectStatus, send } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { until } from '../support/wait.ts';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const command = async (environment: Record<string, string>, ...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await runCommand(['signing-keys', ...args], environment);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;

/** `urls`: of the instances, which share the keys that `environment` names. */
export const rotation = async (urls: string[], apiKey: string, environment: Record<string, string>) => {
  const exchange = async (url: string): Promise<Tokens> =>
    expectStatus(await send<Tokens>(`${url}/auth/token-exchange`, 'POST', { api_key: apiKey }), 200);
  const tokens: Tokens[] = await Promise.all(urls.map(exchange));
  const [old] = [kidOf(tokens[0]!.access_token)];

  const refused: string[] = [];
  let asked = 0;
  let isOver = false;
  /** Every token on every instance, again and again. */
  const asking = (async () => {
    while (!isOver) {
      for (const url of urls) tokens.push(await exchange(url));
      for (const { access_token } of tokens.slice(-6).concat(tokens.slice(0, 2)))
        for (const url of urls) {
          const { status } = await send(`${url}/me`, 'GET', undefined, access_token);
          asked++;
          if (status !== 200) refused.push(`${kidOf(access_token)} at ${url}: ${status}`);
        }
    }
  })();
  const published = async (kid: string, url: string): Promise<boolean> => {
    const jwks = await send<{ keys: { kid: string }[] }>(`${url}/.well-known/jwks.json`, 'GET');
    expect(jwks.headers.get('cache-control')).toBe('public, max-age=300');
    return jwks.body.keys.some(key => key.kid === kid);
  };

  const fresh = await command(environment, 'add');
  for (const url of urls) await until(`${url} publishes the new key`, () => published(fresh, url));
  // Verifiers may have the published keys for five minutes.
  await expect(command(environment, 'use', fresh)).rejects.toThrow('--force');
  await command(environment, 'use', fresh, '--force');
  for (const url of urls)
    await until(`${url} signs with it`, async () => kidOf((await exchange(url)).access_token) === fresh);
  await expect(command(environment, 'retire', old)).rejects.toThrow('Tokens that the key signed may live');
  const ofFresh = (): number => tokens.filter(({ access_token }) => kidOf(access_token) === fresh).length;
  await until('tokens of the new key are asked with everywhere', () => ofFresh() > 2 * urls.length);
  isOver = true;
  await asking;
  expect(refused).toEqual([]);
  expect(asked).toBeGreaterThan(20);
  expect(new Set(tokens.map(({ access_token }) => kidOf(access_token)))).toEqual(new Set([old, fresh]));

  // A refresh token of the old key gives one of the new key, on any instance.
  const next = expectStatus(
    await send<Tokens>(`${urls.at(-1)}/auth/refresh`, 'POST', { refresh_token: tokens[0]!.refresh_token }),
    200,
  );
  expect(kidOf(next.access_token)).toBe(fresh);

  // A key that leaked is gone everywhere, also for tokens that were verified before.
  const half = JSON.parse(await command(environment, 'retire', old, '--force'));
  expect(half).toMatchObject({ kty: 'RSA', kid: old });
  expect(half).not.toHaveProperty('d');
  for (const url of urls)
    await until(`${url} refuses tokens of the old key`, async () => {
      const { status } = await send(`${url}/me`, 'GET', undefined, tokens[0]!.access_token);
      return status === 401;
    });
  for (const url of urls) expectStatus(await send(`${url}/me`, 'GET', undefined, next.access_token), 200);
};
