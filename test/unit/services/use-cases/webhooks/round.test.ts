import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../../core/time.ts';
import { isSignedBy } from '../../../../support/http/webhook-receiver.ts';
import { CONTEXT, makeWebhookWorld } from '../../../../support/worlds/webhook-world.ts';

const ORG = 'acme';
const ALL = ['turn', 'fact', 'erased', 'quota'] as const;

const made = async (events: readonly (typeof ALL)[number][] = ['turn'], user_id?: string) => {
  const made = makeWebhookWorld();
  const owner = await made.key(ORG);
  const { id, secret } = await made.webhooks.create(
    owner,
    { url: 'https://example.com/hook', events: [...events], ...(user_id !== undefined && { user_id }) },
    CONTEXT,
  );
  return { ...made, owner, id, secret };
};

const failing = (status: number) => async () => ({ kind: 'answered' as const, status });

describe('a webhook', () => {
  it('is sent what is written after it was made, signed, in the order of each session', async () => {
    const { world, write, deliver, begin, id, secret, sent, texts, webhooks, owner } = await made();
    const later = await webhooks.create(owner, { url: 'https://example.com/b', events: ['turn'] }, CONTEXT);
    for (let i = 0; i < 40; i++) write(ORG, { session: `s${i % 3}`, text: `s${i % 3} ${i}` });
    write('another', { text: "another organization's" });
    write(ORG, { kind: 'observation', text: 'observed' });
    expect(await deliver(await begin(id))).toMatchObject({ kind: 'idle' });
    expect(texts()).toHaveLength(40);
    for (const session of ['s0', 's1', 's2']) {
      const own = texts().filter(text => text.startsWith(session));
      expect(own).toEqual(own.toSorted((a, b) => Number(a.split(' ')[1]) - Number(b.split(' ')[1])));
    }
    for (const { url, headers, body } of sent) {
      expect(url).toBe('https://example.com/hook');
      expect(isSignedBy(secret, { headers, body } as never)).toBe(true);
      expect(isSignedBy(later.secret, { headers, body } as never)).toBe(false);
      expect(JSON.parse(body)).toMatchObject({ type: 'turn', data: { kind: 'turn', user_id: 'ada' } });
    }
    expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(40);
    // Nothing from before it was made.
    const next = await webhooks.create(owner, { url: 'https://example.com/c', events: ['turn'] }, CONTEXT);
    sent.length = 0;
    await world.deliver(await begin(next.id));
    expect(sent).toEqual([]);
  });

  it('is sent side by side what is of several sessions, once its receiver answers promptly', async () => {
    const { world, write, deliver, begin, id } = await made();
    let [open, most] = [0, 0];
    const sessions = new Set<string>();
    world.answer = async ({ body }) => {
      const { session_id } = JSON.parse(body).data as { session_id: string };
      expect(sessions.has(session_id), 'two messages of a session at once').toBe(false);
      sessions.add(session_id);
      most = Math.max(most, ++open);
      await new Promise(resolve => setImmediate(resolve));
      sessions.delete(session_id);
      open--;
      return { kind: 'answered', status: 200 };
    };
    for (let i = 0; i < 60; i++) write(ORG, { session: `s${i % 12}`, text: `${i}` });
    await deliver(await begin(id));
    expect(most).toBe(8);
  });

  it('is told of facts, which observations are that say an attribute, and of a user alone where it is bound', async () => {
    const { write, deliver, begin, id, sent } = await made(['fact'], 'ada');
    write(ORG, { text: 'a turn' });
    write(ORG, { kind: 'observation', text: 'a rumour' });
    write(ORG, { kind: 'observation', text: 'Lyon', attribute: 'home' });
    write(ORG, { kind: 'observation', text: 'Oslo', attribute: 'home', user: 'grace' });
    await deliver(await begin(id));
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({
        type: 'fact',
        data: expect.objectContaining({ text: 'Lyon', attribute: 'home', user_id: 'ada', stance: 'holds' }),
      }),
    ]);
  });
});

describe('a receiver that fails', () => {
  it('is tried again after 5 s, 15 s, 45 s, up to an hour, and paused after 24 h', async () => {
    const { world, write, deliver, begin, id, pass, paused, deliveries, webhooks, owner, clock } =
      await made();
    world.answer = failing(500);
    write(ORG, { text: 'first' });
    const run = await begin(id);
    const pauses: number[] = [];
    for (;;) {
      const at = clock();
      const outcome = await deliver(run);
      if (outcome.kind !== 'later') break;
      pauses.push(outcome.at - at);
      // Not a moment earlier.
      const attempts = deliveries.length;
      pass(outcome.at - at - 1);
      expect(await deliver(run)).toEqual(outcome);
      expect(deliveries).toHaveLength(attempts);
      pass(1);
    }
    expect(pauses.slice(0, 6)).toEqual([5_000, 15_000, 45_000, 135_000, 405_000, 1_215_000]);
    expect(new Set(pauses.slice(6))).toEqual(new Set([HOUR_MS]));
    expect(pauses.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(DAY_MS);
    expect(pauses.slice(0, -1).reduce((sum, one) => sum + one)).toBeLessThan(DAY_MS);
    expect(paused).toEqual(['failing']);
    expect(deliveries.map(({ attempt }) => attempt)).toEqual(deliveries.map((_, i) => i + 1));
    expect(deliveries.at(-1)).toMatchObject({ isDelivered: false, status: 500, reason: 'status' });
    const [shown] = await webhooks.list(owner);
    expect(shown).toMatchObject({
      state: 'paused',
      paused: { reason: 'failing' },
      failing_since: '2026-03-10T08:00:00.000Z',
    });
    // Nobody delivers it any more.
    expect(await deliver(await begin(id))).toEqual({ kind: 'ended' });

    // From where it stopped.
    write(ORG, { text: 'second' });
    world.answer = failing(200);
    expect(await webhooks.resume(owner, id, CONTEXT)).toMatchObject({ state: 'active', paused: null });
    world.sent.length = 0;
    await deliver(await begin(id));
    expect(world.texts()).toEqual(['first', 'second']);
  });

  it('is shown as retrying while it fails, and as active once it has recovered', async () => {
    const { world, write, deliver, begin, id, pass, webhooks, owner } = await made();
    world.answer = failing(503);
    write(ORG, { text: 'first' });
    const run = await begin(id);
    const states: string[] = [];
    for (let i = 0; i < 4; i++) {
      await deliver(run);
      pass(HOUR_MS);
      states.push((await webhooks.list(owner))[0]!.state);
    }
    expect(states).toEqual(['active', 'active', 'retrying', 'retrying']);
    world.answer = failing(200);
    await deliver(run);
    expect((await webhooks.list(owner))[0]).toMatchObject({ state: 'active', failing_since: null });
  });

  it('holds what follows in its session back, and is not sent again what others of a round have had', async () => {
    const { world, write, deliver, begin, id, pass, texts } = await made();
    for (let i = 0; i < 4; i++) write(ORG, { session: `s${i}`, text: `ready ${i}` });
    const run = await begin(id);
    await deliver(run);
    world.answer = async ({ body }) => ({
      kind: 'answered',
      status: body.includes('poison') ? 500 : 200,
    });
    write(ORG, { session: 'a', text: 'poison' });
    write(ORG, { session: 'a', text: 'behind' });
    write(ORG, { session: 'b', text: 'beside' });
    expect(await deliver(run)).toMatchObject({ kind: 'later' });
    pass(10_000);
    expect(await deliver(run)).toMatchObject({ kind: 'later' });
    expect(texts().slice(4).sort()).toEqual(['beside', 'poison', 'poison']);
    world.answer = failing(204);
    pass(HOUR_MS);
    await deliver(run);
    expect(texts().slice(-2)).toEqual(['poison', 'behind']);
  });

  it('that answers 410 is paused at once, and one that redirects is not followed', async () => {
    const { world, write, deliver, begin, id, paused, deliveries } = await made();
    world.answer = failing(302);
    write(ORG, { text: 'first' });
    const run = await begin(id);
    expect(await deliver(run)).toMatchObject({ kind: 'later' });
    expect(deliveries.at(-1)).toMatchObject({ status: 302, reason: 'redirect', isDelivered: false });
    world.answer = failing(410);
    world.pass(HOUR_MS);
    expect(await deliver(run)).toEqual({ kind: 'ended' });
    expect(paused).toEqual(['gone']);
  });
});

describe('words', () => {
  it('that were erased, hidden or have expired between two attempts are not sent', async () => {
    const { world, write, remove, deliver, begin, id, pass, sent } = await made();
    world.answer = failing(500);
    const first = write(ORG, { text: 'erased' });
    write(ORG, { text: 'kept' });
    const run = await begin(id);
    await deliver(run);
    expect(world.texts()).toEqual(['erased']);
    remove(first);
    sent.length = 0;
    world.answer = failing(200);
    pass(HOUR_MS);
    await deliver(run);
    expect(world.texts()).toEqual(['kept']);
  });

  it('are sent for as long as the key works that the webhook acts for, and then by one that resumes it', async () => {
    const { write, deliver, begin, webhooks, key, revoke, texts, owner, paused } = await made();
    const roles = ['keys:manage', 'memory:read'];
    const clerk = await key(ORG, { userId: 'ada', roles });
    const { id } = await webhooks.create(clerk, { url: 'https://example.com/a', events: ['turn'] }, CONTEXT);
    write(ORG, { text: 'first' });
    const run = await begin(id);
    await deliver(run);
    await revoke(clerk);
    write(ORG, { text: 'second' });
    expect(await deliver(run)).toEqual({ kind: 'ended' });
    expect(paused).toEqual(['key']);
    const writer = await key(ORG, { userId: 'ada', roles: ['keys:manage', 'memory:write'] });
    await expect(webhooks.resume(writer, id, CONTEXT)).rejects.toMatchObject({ code: 'forbidden' });
    const stranger = await key(ORG, { userId: 'grace', roles });
    await expect(webhooks.resume(stranger, id, CONTEXT)).rejects.toMatchObject({ code: 'not_found' });
    expect(await webhooks.resume(owner, id, CONTEXT)).toMatchObject({ key_id: owner.keyId, user_id: 'ada' });
    await deliver(await begin(id));
    expect(texts()).toEqual(['first', 'second']);
  });
});

describe('a process that ends', () => {
  it('between a delivery and its record leaves a message that is sent again, under the same id', async () => {
    const { write, deliver, begin, id, sent, pass } = await made();
    write(ORG, { text: 'first' });
    await deliver(await begin(id));
    const [first] = sent.map(({ headers }) => headers['webhook-id']);
    // Another one begins at what is recorded.
    const run = await begin(id);
    pass(20_000);
    await deliver(run);
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([first, first]);
    write(ORG, { text: 'second' });
    await deliver(await begin(id));
    expect(sent).toHaveLength(3);
    expect(sent[2]!.headers['webhook-id']).not.toBe(first);
  });

  it('and wakes up late goes on from what the other one has recorded', async () => {
    const { write, deliver, begin, id, sent, pass, store } = await made();
    const slept = await begin(id);
    write(ORG, { text: 'first' });
    const other = await begin(id);
    pass(20_000);
    await deliver(other);
    expect((await store.get('webhook', id))!.number).toBe(1);
    await deliver(slept);
    expect(sent).toHaveLength(1);
    expect(store.events.filter(({ type }) => type === 'webhook.moved')).toHaveLength(1);
  });

  it('records a position at most every 15 s, however much is sent', async () => {
    const { write, deliver, begin, id, store, pass } = await made();
    const run = await begin(id);
    for (let i = 0; i < 100; i++) {
      write(ORG, { text: `${i}` });
      await deliver(run);
      pass(1_000);
    }
    expect(store.events.filter(({ type }) => type === 'webhook.moved').length).toBeLessThanOrEqual(7);
  });
});

describe('an erasure', () => {
  const ERASED = { org: ORG, user: 'ada', session: 's', id: 'ers_1', erasedAt: '2026-03-10T08:00:00.000Z' };

  it('is told to webhooks of its user, once, before what is written after it', async () => {
    const { webhooks, owner, write, deliver, begin, id, sent } = await made(['turn', 'erased']);
    const others = await webhooks.create(
      owner,
      { url: 'https://example.com/o', events: ['erased'], user_id: 'grace' },
      CONTEXT,
    );
    await webhooks.erased(ERASED, CONTEXT.correlationId);
    await webhooks.erased(ERASED, CONTEXT.correlationId);
    write(ORG, { text: 'after' });
    await deliver(await begin(id));
    expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'erased', data: { user_id: 'ada', session_id: 's', erased_at: ERASED.erasedAt } },
      { type: 'turn', data: { text: 'after' } },
    ]);
    // It is recorded at once, so no other process tells it again.
    sent.length = 0;
    await deliver(await begin(others.id));
    await webhooks.erased(ERASED, CONTEXT.correlationId);
    const run = await begin(id);
    expect(run.webhook.waiting).toEqual([]);
    expect(sent).toEqual([]);
  });

  it('of which very many wait drops the oldest, and says how many', async () => {
    const { webhooks, owner, begin, id } = await made(['erased']);
    for (let i = 0; i < 203; i++) await webhooks.erased({ ...ERASED, id: `ers_${i}` }, CONTEXT.correlationId);
    const { waiting } = (await begin(id)).webhook;
    expect(waiting.map(one => one.id)).toEqual(Array.from({ length: 200 }, (_, i) => `ers_${i + 3}`));
    expect(await webhooks.list(owner)).toMatchObject([{ dropped: 3 }]);
  });
});

describe('a cap of the day', () => {
  it('is told at 80 % and when all of it is used, once each, and again the next day', async () => {
    const { world, deliver, begin, id, pass, sent } = await made(['quota']);
    const told = () => sent.splice(0).map(({ body }) => JSON.parse(body).data);
    const run = await begin(id);
    world.caps = { tokensIn: 100, tokensOut: 0 };
    world.usage = { tokensIn: 79, tokensOut: 900 };
    await deliver(run);
    expect(told()).toEqual([]);
    world.usage.tokensIn = 81;
    pass(30_000);
    await deliver(run);
    await deliver(run);
    const common = { cap: 'tokens_in', limit: 100, day: '2026-03-10' };
    expect(told()).toEqual([{ ...common, used: 81, percent: 80 }]);
    world.usage.tokensIn = 100;
    pass(30_000);
    await deliver(run);
    expect(told()).toEqual([{ ...common, used: 100, percent: 100 }]);
    // Another process knows what was told.
    pass(20_000);
    await deliver(run);
    await deliver(await begin(id));
    expect(told()).toEqual([]);
    pass(DAY_MS);
    await deliver(run);
    expect(told()).toMatchObject([
      { percent: 80, day: '2026-03-11' },
      { percent: 100, day: '2026-03-11' },
    ]);
  });
});

describe('who may have a webhook', () => {
  it.for([
    [['turn'], ['keys:manage'], 'memory:read'],
    [['fact'], ['keys:manage', 'memory:write'], 'memory:read'],
    [['erased'], ['keys:manage', 'usage:read'], 'memory:read'],
    [['quota'], ['keys:manage', 'memory:read'], 'usage:read'],
  ] as const)('not of %j with %j', async ([events, roles, needed]) => {
    const { webhooks, key } = makeWebhookWorld();
    const body = { url: 'https://example.com/', events: [...events] };
    const caller = await key(ORG, { userId: 'ada', roles: [...roles] });
    await expect(webhooks.create(caller, body, CONTEXT)).rejects.toThrow(needed);
    const may = await key(ORG, { userId: 'ada', roles: [...roles, needed] });
    expect(await webhooks.create(may, body, CONTEXT)).toMatchObject({ user_id: 'ada' });
  });

  it('not of another user, nor of the organization with a strict key, nor of what is another one’s', async () => {
    const { webhooks, key } = makeWebhookWorld();
    const body = { url: 'https://example.com/', events: ['turn' as const] };
    const roles = ['keys:manage', 'memory:read'];
    const ada = await key(ORG, { userId: 'ada', roles });
    const strict = await key(ORG, { userId: 'ada', strict: true });
    for (const caller of [ada, strict]) {
      expect(await webhooks.create(caller, body, CONTEXT)).toMatchObject({ user_id: 'ada' });
      const named = { ...body, user_id: 'grace' };
      await expect(webhooks.create(caller, named, CONTEXT)).rejects.toMatchObject({ code: 'forbidden' });
    }
    const quota = { ...body, events: ['quota' as const] };
    await expect(webhooks.create(strict, quota, CONTEXT)).rejects.toMatchObject({ code: 'forbidden' });
    const owner = await key(ORG);
    const all = await webhooks.create(owner, body, CONTEXT);
    expect(await webhooks.list(owner)).toHaveLength(3);
    expect(await webhooks.list(ada)).toHaveLength(2);
    const elsewhere = await key('another');
    for (const caller of [ada, strict, elsewhere]) {
      const missing = { code: 'not_found' };
      await expect(webhooks.remove(caller, all.id, CONTEXT)).rejects.toMatchObject(missing);
      await expect(webhooks.deliveries(caller, all.id)).rejects.toMatchObject(missing);
      await expect(webhooks.resume(caller, all.id, CONTEXT)).rejects.toMatchObject(missing);
    }
    await webhooks.remove(owner, all.id, CONTEXT);
    await expect(webhooks.remove(owner, all.id, CONTEXT)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('ten of an organization at most', async () => {
    const { webhooks, key } = makeWebhookWorld();
    const owner = await key(ORG);
    const create = () => webhooks.create(owner, { url: 'https://example.com/', events: ['turn'] }, CONTEXT);
    const all = await Promise.allSettled(Array.from({ length: 15 }, create));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const [first] = await webhooks.list(owner);
    await webhooks.remove(owner, first!.id, CONTEXT);
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'conflict' });
  });

  it.for([
    'http://example.com/',
    'https://user:word@example.com/',
    'https://example.com/#part',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://0x7f000001/',
    'ftp://example.com/',
    'example.com',
    'https://',
  ])('not at %s', async url => {
    const { webhooks, key } = makeWebhookWorld();
    const owner = await key(ORG);
    await expect(webhooks.create(owner, { url, events: ['turn'] }, CONTEXT)).rejects.toMatchObject({
      code: 'invalid',
      details: { errors: [{ loc: ['body', 'url'] }] },
    });
  });
});
