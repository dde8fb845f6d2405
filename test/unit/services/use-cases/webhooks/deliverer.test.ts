import { afterEach, expect, it } from 'vitest';
import type { Sent, WebhookLeases } from '../../../../../core/ports.ts';
import { type DelivererPorts, startDeliverer } from '../../../../../services/use-cases/webhooks/deliverer.ts';
import { until } from '../../../../support/wait.ts';
import { CONTEXT, makeWebhookWorld } from '../../../../support/worlds/webhook-world.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const silent = { info: () => {}, warn: () => {} };

const start = (
  { world }: ReturnType<typeof makeWebhookWorld>,
  more: Partial<DelivererPorts> = {},
): ReturnType<typeof startDeliverer> => {
  const ports = { ...world.ports(), store: world.store, everyMs: 5, logger: silent, ...more };
  const deliverer = startDeliverer(ports as DelivererPorts);
  open.push(deliverer);
  return deliverer;
};

const create = async (made: ReturnType<typeof makeWebhookWorld>, org: string, path = '') =>
  made.webhooks.create(
    await made.key(org),
    { url: `https://example.com/${path}`, events: ['turn'] },
    CONTEXT,
  );

/** Leases of one installation, which its processes share. */
const makeLeases = (): WebhookLeases & { drop(): void } => {
  const owners = new Map<string, string>();
  return {
    hold: async (_org, id, owner) => {
      if ((owners.get(id) ?? owner) !== owner) return false;
      owners.set(id, owner);
      return true;
    },
    release: async (_org, id, owner) => {
      if (owners.get(id) === owner) owners.delete(id);
    },
    drop: () => owners.clear(),
  };
};

it('delivers what is written while it runs, and what was written while it did not', async () => {
  const made = makeWebhookWorld();
  await create(made, 'acme');
  made.write('acme', { text: 'before' });
  const first = start(made);
  await until('the first', () => made.texts().includes('before'));
  made.write('acme', { text: 'while' });
  await until('the second', () => made.texts().includes('while'));
  await first.close();
  made.write('acme', { text: 'after' });
  start(made);
  await until('the third', () => made.texts().includes('after'));
  // A close records how far it has come.
  expect(made.texts()).toEqual(['before', 'while', 'after']);
});

it('of several processes one delivers a webhook, and another one once it ends', async () => {
  const made = makeWebhookWorld();
  const leases = makeLeases();
  await create(made, 'acme');
  const one = start(made, { leases });
  start(made, { leases });
  for (let i = 0; i < 20; i++) made.write('acme', { text: `${i}` });
  await until('all are told', () => made.sent.length >= 20);
  await one.close();
  for (let i = 20; i < 40; i++) made.write('acme', { text: `${i}` });
  await until('the others too', () => made.sent.length >= 40);
  expect(made.texts()).toEqual(Array.from({ length: 40 }, (_, i) => `${i}`));
});

it('stops with the webhook, and goes on when it is resumed', async () => {
  const made = makeWebhookWorld();
  const owner = await made.key('acme');
  const { id } = await made.webhooks.create(
    owner,
    { url: 'https://example.com/', events: ['turn'] },
    CONTEXT,
  );
  made.world.answer = async () => ({ kind: 'answered', status: 410 });
  start(made);
  made.write('acme', { text: 'gone' });
  await until('it is paused', async () => (await made.webhooks.list(owner))[0]!.state === 'paused');
  made.world.answer = async () => ({ kind: 'answered', status: 200 });
  await made.webhooks.resume(owner, id, CONTEXT);
  await until('it goes on', () => made.sent.length === 2);
  await made.webhooks.remove(owner, id, CONTEXT);
  made.write('acme', { text: 'deleted' });
  const other = await create(made, 'acme', 'other');
  made.write('acme', { text: 'other' });
  await until('another one is told', () => made.texts().includes('other'));
  expect(made.texts().filter(text => text === 'deleted')).toEqual([]);
  expect(other.state).toBe('active');
});

it('says how many webhooks there are, by state, and how many attempts', async () => {
  const made = makeWebhookWorld();
  await create(made, 'acme');
  const { gauges } = start(made);
  made.write('acme', { text: 'one' });
  const read = (name: string) => gauges.find(gauge => gauge.name === name)!.read();
  await until('an attempt is counted', async () =>
    JSON.stringify(await read('turnstone_webhook_attempts')).includes('"value":1'),
  );
  expect(await read('turnstone_webhooks')).toContainEqual({ labels: { state: 'active' }, value: 1 });
});

it('lets a thousand receivers that never answer delay nobody', async () => {
  const made = makeWebhookWorld();
  const SLOW = 1_000;
  for (let i = 0; i < SLOW; i++) await create(made, `slow-${Math.floor(i / 10)}`, `slow/${i}`);
  await create(made, 'prompt', 'prompt');
  let waiting = 0;
  made.world.answer = async ({ url }, signal): Promise<Sent> => {
    if (url.endsWith('/prompt')) return { kind: 'answered', status: 200 };
    waiting++;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  start(made);
  // Its receiver has shown that it answers.
  for (let i = 0; i < 3; i++) made.write('prompt', { text: `first ${i}` });
  const promptly = () => made.sent.filter(({ url }) => url.endsWith('/prompt')).length;
  await until('the first', () => promptly() === 3);
  for (let i = 0; i < SLOW / 10; i++) made.write(`slow-${i}`, { text: 'slow' });
  await until('as many wait as may', () => waiting === 512);
  for (let n = 4; n <= 20; n++) {
    made.write('prompt', { text: `${n}` });
    await until('it is told', () => promptly() === n, 5_000);
  }
  // Each is sent one message at a time, and those that find no room wait for it.
  expect(waiting).toBe(512);
});
