import { afterEach, expect, it } from 'vitest';
import type { NewWebhookAnswer, WebhookAnswer } from '../../schemas/http/webhooks.ts';
import { type Client, connect, expectStatus } from '../support/http/client.ts';
import { type Receiver, startReceiver } from '../support/http/webhook-receiver.ts';
import { rounds } from '../support/long.ts';
import { holdClock } from '../support/processes/clock.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const environment = { TURNSTONE_WEBHOOKS_PRIVATE: 'yes' };
const DAY_MS = 86_400_000;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const started = async (dataDir: string, more: Record<string, string> = {}): Promise<Server> => {
  const server = await startServer({ dataDir, environment: { ...environment, ...more } });
  ends.push(() => server.kill());
  return server;
};

const receiving = async (): Promise<Receiver> => {
  const receiver = await startReceiver();
  ends.push(receiver.close);
  return receiver;
};

const create = async (client: Client, url: string): Promise<NewWebhookAnswer> =>
  expectStatus(
    await client.request<NewWebhookAnswer>('POST', '/me/webhooks', { url, events: ['turn'] }),
    201,
  );

const say = (client: Client, n: number, session = `s${n % 3}`) =>
  client.ingest({
    scope: { user_id: 'ada', session_id: session },
    turns: [
      { role: 'user', text: `Number ${n}.`, timestamp: new Date(Date.UTC(2026, 2, 1) + n).toISOString() },
    ],
  });

it('sends each message at least once, and a repeat under the same id, through kill -9', async () => {
  const dataDir = temporaryFolder();
  const receiver = await receiving();
  let server = await started(dataDir);
  let client = await connect(server);
  await create(client, receiver.url);
  const said: string[] = [];
  for (let round = 0; round < rounds(3, 8); round++) {
    // Some of the twenty that are said now: on a quiet machine all are told before the last one is said.
    const enough = receiver.received.length + 5 + Math.floor(Math.random() * 10);
    for (let i = 0; i < 20; i++) {
      await say(client, said.length);
      said.push(`Number ${said.length}.`);
    }
    await until('some are told', () => receiver.received.length >= enough);
    await server.kill();
    server = await started(dataDir);
    client = await connect(server);
  }
  const texts = () => new Set(receiver.received.map(({ data }) => data.text as string));
  await until('all are told', () => said.every(text => texts().has(text)));
  // The same words, the same id: whoever keeps the ids is told once.
  const byId = Map.groupBy(receiver.received, ({ id }) => id);
  for (const those of byId.values()) expect(new Set(those.map(({ data }) => data.id)).size).toBe(1);
  expect(byId.size).toBe(said.length);
  // Without the repeats, each session is in its order.
  const firsts = [...byId.values()].map(([first]) => first!.data as { session_id: string; text: string });
  for (const session of ['s0', 's1', 's2']) {
    const numbers = firsts.flatMap(({ session_id, text }) =>
      session_id === session ? [Number(/\d+/.exec(text)![0])] : [],
    );
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

it('goes on failing over a restart, is paused after a day, and resumes from where it stopped', async () => {
  const dataDir = temporaryFolder();
  const clock = holdClock();
  const receiver = await receiving();
  receiver.answer = () => 500;
  let server = await started(dataDir, clock.environment);
  let client = await connect(server);
  const { id } = await create(client, receiver.url);
  const shown = async (): Promise<WebhookAnswer> =>
    (await client.request<{ webhooks: WebhookAnswer[] }>('GET', '/me/webhooks')).body.webhooks[0]!;
  await say(client, 1, 's');
  await say(client, 2, 's');
  for (let attempts = 1; attempts <= 3; attempts++) {
    await until('it is tried', () => receiver.received.length >= attempts);
    clock.advance(60_000);
  }
  await until('its failing is recorded', async () => (await shown()).state === 'retrying');
  await server.kill();
  clock.advance(DAY_MS);
  server = await started(dataDir, clock.environment);
  client = await connect(server);
  await until('it is paused', async () => (await shown()).state === 'paused');
  expect((await shown()).paused).toMatchObject({ reason: 'failing' });
  expect(new Set(receiver.received.map(({ data }) => data.text))).toEqual(new Set(['Number 1.']));

  receiver.answer = () => 200;
  const before = receiver.received.length;
  expectStatus(await client.request('POST', `/me/webhooks/${id}/resume`), 200);
  await until('both are told', () => receiver.received.length >= before + 2);
  expect(receiver.received.slice(before).map(({ data }) => data.text)).toEqual(['Number 1.', 'Number 2.']);
});
