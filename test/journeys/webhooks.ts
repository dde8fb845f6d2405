/** Webhooks of a service that runs, to a receiver on this machine. The same in both modes. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { Turnstone, verifyWebhook } from '../../clients/typescript/src/index.ts';
import type { DeliveryAnswer, NewWebhookAnswer, WebhookAnswer } from '../../schemas/http/webhooks.ts';
import { openApiDocument } from '../../schemas/openapi.ts';
import { type Client, connect, expectStatus } from '../support/http/client.ts';
import { isSignedBy, type Received, type Receiver, startReceiver } from '../support/http/webhook-receiver.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { until, untilDefined } from '../support/wait.ts';

export interface World {
  url: string;
  apiKey: string;
}

const AT = Date.parse('2026-03-01T09:00:00Z');
let written = 0;
const turn = (text: string) => ({
  role: 'user',
  text,
  timestamp: new Date(AT + ++written * 1_000).toISOString(),
});

const withReceiver = async (work: (receiver: Receiver) => Promise<void>): Promise<void> => {
  const receiver = await startReceiver();
  try {
    await work(receiver);
  } finally {
    await receiver.close();
  }
};

const create = async (client: Client, body: object): Promise<NewWebhookAnswer> =>
  expectStatus(await client.request<NewWebhookAnswer>('POST', '/me/webhooks', body), 201);

const remove = async (client: Client, { id }: { id: string }): Promise<void> => {
  expect((await client.request('DELETE', `/me/webhooks/${id}`)).status).toBe(204);
};

const shown = async (client: Client, { id }: { id: string }): Promise<WebhookAnswer> => {
  const { body } = await client.request<{ webhooks: WebhookAnswer[] }>('GET', '/me/webhooks');
  return body.webhooks.find(one => one.id === id)!;
};

/** Messages are as the OpenAPI document has them. */
const expectDocumented = (messages: readonly Received[]): void => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const document = JSON.parse(JSON.stringify(openApiDocument())) as object;
  ajv.addSchema({ $id: 'doc', ...document });
  for (const { type, body } of messages) {
    const name = `${type[0]!.toUpperCase()}${type.slice(1)}Message`;
    const validate = ajv.compile({ $ref: `doc#/components/schemas/${name}` });
    expect(validate(JSON.parse(body)), `${body} ${JSON.stringify(validate.errors)}`).toBe(true);
  }
};

/** Order, signatures, what a message holds, and a webhook of one user. */
export const expectTold = async ({ url, apiKey }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  await withReceiver(async receiver => {
    const events = ['turn', 'fact', 'erased'];
    const all = await create(owner, { url: `${receiver.url}?all`, events });
    const hers = await create(owner, { url: `${receiver.url}?ada`, events: ['turn'], user_id: 'ada' });
    expect(all.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await shown(owner, all)).not.toHaveProperty('secret');
    const said: string[] = [];
    for (let i = 0; i < 12; i++) {
      const text = `Round ${i}.`;
      said.push(text);
      const scope = { user_id: i % 2 ? 'ada' : 'grace', session_id: `s${i % 3}` };
      await owner.ingest({ scope, turns: [turn(text)] });
    }
    const fact = { text: 'Ada lives in Lyon.', subject: 'Ada', attribute: 'home', value: 'Lyon' };
    const scope = { org_id: 'any', user_id: 'ada', session_id: 's0' };
    expectStatus(await owner.request('POST', '/memory/observations', { scope, ...fact }), 201);
    const signedBy = (secret: string) => receiver.received.filter(one => isSignedBy(secret, one));
    const ofAll = () => signedBy(all.secret);
    const ofAda = () => signedBy(hers.secret);
    await until('all are told', () => ofAll().filter(({ type }) => type === 'turn').length >= 12);
    await until('the fact is told', () => ofAll().some(({ data }) => data.text === 'Ada lives in Lyon.'));
    await until("Ada's are told", () => ofAda().length >= 6);

    // Each session in its order, once each as nothing failed.
    const texts = ofAll().flatMap(({ type, data }) => (type === 'turn' ? [data.text as string] : []));
    expect(texts.toSorted()).toEqual(said.toSorted());
    const turns = ofAll().flatMap(({ type, data }) => (type === 'turn' ? [data] : []));
    for (const own of Map.groupBy(turns, ({ user_id, session_id }) => `${user_id} ${session_id}`).values()) {
      const told = own.map(({ text }) => text);
      expect(told).toEqual(said.filter(text => told.includes(text)));
    }
    expect(new Set(ofAda().map(({ data }) => data.user_id))).toEqual(new Set(['ada']));
    expect(ofAda()).toHaveLength(6);
    const home = ofAll().find(({ type }) => type === 'fact')!;
    expect(home.data).toMatchObject({
      kind: 'observation',
      attribute: 'home',
      value: 'Lyon',
      user_id: 'ada',
    });
    // By the client's own helper, and not by another one's secret.
    const first = ofAll()[0]!;
    const headers = first.headers as Record<string, string>;
    expect(await verifyWebhook(all.secret, headers, first.body)).toMatchObject({ id: first.id });
    await expect(verifyWebhook(hers.secret, headers, first.body)).rejects.toMatchObject({
      code: 'unauthenticated',
    });

    expectStatus(
      await owner.request('DELETE', '/memory', {
        scope: { org_id: 'any', user_id: 'ada', session_id: 's1' },
      }),
      200,
    );
    const erased = await untilDefined('the erasure is told', () =>
      ofAll().find(({ type }) => type === 'erased'),
    );
    expectDocumented(receiver.received);
    expect(erased.data).toEqual({
      user_id: 'ada',
      session_id: 's1',
      erased_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await remove(owner, all);
    await remove(owner, hers);
  });
};

/** A receiver that is gone; what is erased meanwhile; and going on from where it stopped. */
export const expectResumed = async ({ url, apiKey }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  await withReceiver(async receiver => {
    const scope = { user_id: 'paused', session_id: 'gone' };
    const kept = { user_id: 'paused', session_id: 'kept' };
    const webhook = await create(owner, { url: receiver.url, events: ['turn'], user_id: 'paused' });
    receiver.answer = () => 410;
    await owner.ingest({ scope, turns: [turn('To be erased.')] });
    await until('it is paused', async () => (await shown(owner, webhook)).state === 'paused');
    expect(await shown(owner, webhook)).toMatchObject({ paused: { reason: 'gone' } });
    await owner.ingest({ scope: kept, turns: [turn('To be kept.')] });
    await owner.ingest({ scope: kept, turns: [turn('To be hidden.')] });
    const { body } = await owner.request<{ turns: { id: string; text: string }[] }>(
      'GET',
      '/memory/turns?user_id=paused&session_id=kept',
    );
    const hidden = body.turns.find(({ text }) => text === 'To be hidden.')!;
    expect((await owner.request('DELETE', `/memory/turns/${hidden.id}`)).status).toBe(204);
    expectStatus(await owner.request('DELETE', '/memory', { scope: { org_id: 'any', ...scope } }), 200);

    receiver.answer = () => 200;
    const before = receiver.received.length;
    const resumed = await owner.request<WebhookAnswer>('POST', `/me/webhooks/${webhook.id}/resume`);
    expect(expectStatus(resumed, 200)).toMatchObject({ state: 'active', paused: null });
    await owner.ingest({ scope: kept, turns: [turn('Afterwards.')] });
    await until('it goes on', () => receiver.received.at(-1)?.data.text === 'Afterwards.');
    expect(receiver.received.slice(before).map(({ data }) => data.text)).toEqual([
      'To be kept.',
      'Afterwards.',
    ]);
    const deliveries = async () =>
      expectStatus(
        await owner.request<{ deliveries: DeliveryAnswer[] }>('GET', `/me/webhooks/${webhook.id}/deliveries`),
        200,
      ).deliveries;
    await until('both deliveries are listed', async () => (await deliveries()).length >= 3);
    const listed = await deliveries();
    expect(listed[0]).toMatchObject({
      webhook_id: receiver.received.at(-1)!.id,
      event: 'turn',
      attempt: 1,
      status: 'delivered',
      http_status: 200,
      reason: null,
    });
    expect(listed.at(-1)).toMatchObject({ status: 'failed', http_status: 410, reason: 'status' });
    expect(JSON.stringify(listed)).not.toMatch(/erased|kept|Afterwards/);
    await remove(owner, webhook);
    expect((await owner.request('GET', `/me/webhooks/${webhook.id}/deliveries`)).status).toBe(404);
  });
};

/** The client and the commands, as a person uses them. */
export const expectManaged = async ({ url, apiKey }: World): Promise<void> => {
  await withReceiver(async receiver => {
    const turnstone = new Turnstone({ baseUrl: url, apiKey });
    const environment = { TURNSTONE_URL: url, TURNSTONE_API_KEY: apiKey };
    const run = async (...args: string[]): Promise<string> => {
      const ended = await runCommand(['webhooks', ...args], environment);
      expect(ended, ended.stderr).toMatchObject({ status: 0, stderr: '' });
      return ended.stdout;
    };
    const made = await run('create', receiver.url, '--events', 'turn,quota', '--user', 'cli');
    const [, secret, id] = /^secret: (whsec_\S+)\nid (whk_\S+), events turn, quota;/.exec(made)!;
    const [webhook] = (await turnstone.webhooks.list()).filter(one => one.id === id);
    expect(webhook).toMatchObject({ events: ['turn', 'quota'], user_id: 'cli', state: 'active' });
    await turnstone.remember({ role: 'user', text: 'Hello.' }, { user: 'cli', session: 's' });
    await until('it is told', () => receiver.received.some(one => isSignedBy(secret!, one)));
    await until('it is listed', async () => (await run('deliveries', id!)).includes('delivered'));
    expect(await run('list')).toContain(id);
    expect(await run('resume', id!)).toBe('active: it goes on from where it stopped\n');
    expect(await run('delete', id!)).toBe(`deleted ${id}\n`);
    const again = await runCommand(['webhooks', 'delete', id!], environment);
    expect(again.status).not.toBe(0);
    await expect(turnstone.webhooks.deliveries(id!)).rejects.toMatchObject({ code: 'not_found' });
  });
};

/** A webhook whose process is killed. `restarted` ends all that answer, and starts another one. */
export const expectTakenOver = async (
  { url, apiKey }: World,
  restarted: () => Promise<World>,
): Promise<void> => {
  await withReceiver(async receiver => {
    const scope = { user_id: 'over', session_id: 's' };
    let owner = await connect({ url, apiKey });
    const webhook = await create(owner, { url: receiver.url, events: ['turn'], user_id: 'over' });
    await owner.ingest({ scope, turns: [turn('Before.')] });
    await until('it is told', () => receiver.received.length > 0);
    owner = await connect(await restarted());
    await owner.ingest({ scope, turns: [turn('After.')] });
    await until('it is told by another one', () => receiver.received.at(-1)?.data.text === 'After.');
    const byId = Map.groupBy(receiver.received, ({ id }) => id);
    expect([...byId.values()].map(([first]) => first!.data.text)).toEqual(['Before.', 'After.']);
    await remove(owner, webhook);
  });
};
