import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeliveryAnswer, NewWebhookAnswer } from '../../schemas/http/webhooks.ts';
import { type Client, connect, expectStatus } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

let server: Server;
let owner: Client;
beforeAll(async () => {
  server = await startServer({});
  owner = await connect(server);
});
afterAll(() => server?.stop());

const post = (url: unknown, more: object = {}) =>
  owner.request<NewWebhookAnswer>('POST', '/me/webhooks', { url, events: ['turn'], ...more });

it('takes no address inside the network, however it is written', async () => {
  const hosts = [
    ...['127.0.0.1', '127.1', '0', '0.0.0.0', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '127.0.0.1.'],
    ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.169.254', '198.18.0.1'],
    ...['224.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:a00:1]'],
    ...['[fe80::1]', '[fc00::1]', '[fd00::1]', '[ff02::1]', '[64:ff9b::a00:1]', '[2002:a00:1::]'],
  ];
  for (const host of hosts) expect((await post(`https://${host}/`)).status, host).toBe(422);
  for (const url of ['http://example.com/', 'gopher://example.com/', 'file:///etc/passwd', 'javascript:0'])
    expect((await post(url)).status, url).toBe(422);
  for (const url of ['https://a:b@example.com/', 'https://a@example.com/', 'https://example.com/#a'])
    expect((await post(url)).status, url).toBe(422);
  for (const url of ['', 'example.com', `https://example.com/${'x'.repeat(2_048)}`])
    expect((await post(url)).status, url.slice(0, 20)).toBe(422);
  for (const wrong of [7, null, undefined, ['https://example.com/']])
    expect((await post(wrong)).status).toBe(400);
  for (const events of [[], ['everything'], 'turn', Array(17).fill('turn')])
    expect([400, 422]).toContain((await post('https://example.com/', { events })).status);
  const { body } = await owner.request<{ webhooks: unknown[] }>('GET', '/me/webhooks');
  expect(body.webhooks).toEqual([]);
});

it('calls nobody by a name of this machine, and says no more than that there is no address', async () => {
  let connections = 0;
  const inside = createServer(socket => {
    connections++;
    socket.destroy();
  }).listen(0, 'localhost');
  await once(inside, 'listening');
  const { port } = inside.address() as AddressInfo;
  const made: NewWebhookAnswer[] = [];
  for (const host of ['localhost', 'localhost.', 'ip6-localhost'])
    made.push(expectStatus(await post(`https://${host}:${port}/`), 201));
  await owner.ingest({
    scope: { user_id: 'ada', session_id: 's' },
    turns: [{ role: 'user', text: 'A secret word.', timestamp: '2026-03-01T09:00:00Z' }],
  });
  for (const { id } of made) {
    const path = `/me/webhooks/${id}/deliveries`;
    const last = async () =>
      (await owner.request<{ deliveries: DeliveryAnswer[] }>('GET', path)).body.deliveries[0];
    await until('it was tried', async () => (await last()) !== undefined);
    // A name server that isn't there is no more than a name without an address, or one that takes too long.
    expect(['address', 'timeout']).toContain((await last())!.reason);
    expect(await last()).toMatchObject({ status: 'failed', http_status: null });
  }
  expect(connections).toBe(0);
  inside.close();
  // Nothing of what was to be sent, to whom and with which secret is in the program's log.
  const logged = server.stderr() + server.stdout();
  for (const word of ['secret word', 'whsec_', made[0]!.secret.slice(6, 30), 'ip6-localhost'])
    expect(logged).not.toContain(word);
});

it('makes ten of an organization at most, and says so', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++)
    statuses.push((await post(`https://example.com/${i}`, { events: ['erased'] })).status);
  expect(statuses.filter(status => status === 201)).toHaveLength(7);
  expect(new Set(statuses)).toEqual(new Set([201, 409]));
});
