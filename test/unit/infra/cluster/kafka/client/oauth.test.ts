import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTokenProvider } from '../../../../../../infra/cluster/kafka/client/oauth.ts';

describe('tokens for Kafka', () => {
  let server: Server;
  let asked = 0;
  let answer: () => [status: number, body: string];
  let now = 0;
  beforeEach(async () => {
    asked = 0;
    now = 1_000_000;
    answer = () => [200, JSON.stringify({ access_token: `token-${asked}`, expires_in: 100 })];
    server = createServer((_, response) => {
      asked++;
      const [status, body] = answer();
      response.writeHead(status).end(body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const provider = () =>
    makeTokenProvider(
      {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
        clientId: 'turnstone',
        clientSecret: 'hunter2',
      },
      () => now,
    );

  it('are asked for once, and again when four fifths of their life are over', async () => {
    const token = provider();
    const found = await Promise.all([token(), token(), token()]);
    expect(found).toEqual(Array.from({ length: 3 }, () => ({ value: 'token-1' })));
    now += 79_000;
    expect(await token()).toEqual({ value: 'token-1' });
    now += 2_000;
    expect(await token()).toEqual({ value: 'token-2' });
    expect(asked).toBe(2);
  });

  it('serve as long as they are valid while the endpoint is down', async () => {
    const token = provider();
    await token();
    answer = () => [503, 'no'];
    now += 99_000;
    expect(await token()).toEqual({ value: 'token-1' });
    now += 2_000;
    await expect(token()).rejects.toMatchObject({ code: 'unavailable' });
    answer = () => [200, JSON.stringify({ access_token: 'again' })];
    expect(await token()).toEqual({ value: 'again' });
  });

  it.each([
    [401, 'hunter2 is wrong'],
    [200, 'hunter2'],
    [200, '{}'],
    [200, '{"access_token":7}'],
  ])('are unavailable when it answers %s %s, and the error tells no secret', async (status, body) => {
    answer = () => [status, body];
    const error = await provider()().catch(thrown => thrown);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error.message).not.toContain('hunter2');
  });
});
