/** Turns expire: what any answer still tells of them, and what is lost besides. The same in both modes. */
import { expect } from 'vitest';
import type { RetentionAnswer as Retention } from '../../schemas/http/accounts.ts';
import type { Facts, Sessions } from '../../schemas/http/lists.ts';
import {
  accessToken,
  type Client,
  connect,
  expectStatus,
  inParallel,
  settled,
} from '../support/http/client.ts';
import { openEvents, take } from '../support/http/event-stream.ts';
import { rounds } from '../support/long.ts';
import type { HeldClock } from '../support/processes/clock.ts';
import { allOf, everything, home, LAST, SECRET, said, scope } from './retraction.ts';

interface World {
  url: string;
  apiKey: string;
  clock: HeldClock;
}

export interface Expired {
  /** A turn that was said beside others, and one that the tail may still have. */
  turns: string[];
}

const HOUR_MS = 3_600_000;

/** Some expires in a moment: of an old session, and one session whole. Resolves when it has. */
export const expireSome = async ({ url, apiKey, clock }: World): Promise<Expired> => {
  const client = await connect({ url, apiKey });
  const write = (turns: object[], options: object = {}, written: object = scope) =>
    client.ingest({ scope: written, turns: turns as never, options });
  const faults = async (options: object): Promise<unknown> => {
    const body = { scope: { org_id: 'x', ...scope }, turns: [said('It is late.', 3)], options };
    const answer = await client.request<{ details: { errors: { loc: string[] }[] } }>(
      'POST',
      '/ingestion/memory',
      body,
    );
    return [answer.status, answer.body.details.errors.map(({ loc }) => loc.at(-1))];
  };
  expect(await faults({ expires_at: '2026-01-01T00:00:00Z' })).toEqual([422, ['expires_at']]);
  expect(await faults({ expires_at: 'soon' })).toEqual([422, ['expires_at']]);
  expect(await faults({ ttl_days: 0 })).toEqual([422, ['ttl_days']]);
  expect(await faults({ ttl_days: 36_501 })).toEqual([422, ['ttl_days']]);
  expect(await faults({ ttl_days: 7, expires_at: '2999-01-01T00:00:00Z' })).toEqual([422, ['ttl_days']]);
  expect(await faults({ ttl_days: '7' })).toEqual([400, ['ttl_days']]);

  await write([said('I moved to Lyon.', 1, [home('Lyon')])], { ttl_days: 36_500 });
  const at = clock.now() + HOUR_MS;
  const options = { expires_at: new Date(at).toISOString() };
  const zanthe = said(`My ${SECRET} is called Zanthe.`, 2, [{ text: `Ada has a ${SECRET}.` }]);
  const gone = await write([zanthe, said('I moved to Porto.', 6, [home('Porto')])], options);
  await write([said(`A ${SECRET} of its own.`, 4)], options, { user_id: 'ada', session_id: 'whole' });
  await settled(url);
  const heard = async (q: string) => JSON.stringify((await client.recall({ q, scope })).hits);
  expect(await heard(`What is the ${SECRET} called?`)).toContain('Zanthe');
  // Expires at once, likely before it is projected.
  const fresh = await write([said(`The ${SECRET} sleeps.`, 7)], options);
  clock.pass(at);
  expect(await heard(`What is the ${SECRET} called?`)).not.toContain(SECRET);

  // Known for ever: nothing is stored or billed once more, whatever a retry says of its expiry.
  const before = await client.today();
  for (const again of [options, { ttl_days: 7 }, {}]) {
    const answer = await write([zanthe], again);
    expect([answer.usage.tokens_in, answer.active_fragment_ids]).toEqual([0, []]);
  }
  // Nor one that no projection may have read yet.
  expect((await write([said(`The ${SECRET} sleeps.`, 7)], options)).active_fragment_ids).toEqual([]);
  expect(await client.today()).toMatchObject({ tokens_in: before.tokens_in });
  await write([said(LAST, 8)]);
  await settled(url);
  return { turns: [...gone.active_fragment_ids, ...fresh.active_fragment_ids] };
};

/** Nothing of it is in any answer; what was said before it holds again. */
export const expectExpired = async ({ url, apiKey }: World, { turns }: Expired): Promise<void> => {
  const client = await connect({ url, apiKey });
  const all = await everything(client, url, await accessToken(url, apiKey));
  expect(all).toContain('I moved to Lyon.');
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain('Porto');
  const get = async <T>(path: string): Promise<T> => expectStatus(await client.request<T>('GET', path), 200);
  const { facts } = await get<Facts>('/memory/facts?user_id=ada&attribute=home&holds=ever');
  expect(facts.map(({ value, valid_until }) => [value, valid_until])).toEqual([['Lyon', null]]);
  const { sessions } = await get<Sessions>('/memory/sessions?user_id=ada');
  expect(sessions.map(({ session_id, turns }) => [session_id, turns])).toEqual([['s', 2]]);
  for (const id of turns) {
    expectStatus(await client.request('GET', `/memory/turns/${id}`), 404);
    expectStatus(await client.request('DELETE', `/memory/turns/${id}`), 404);
  }
};

/** A sixth of them stays. */
const WRITES = rounds(36, 120);
const TURNS = 100;
/** As the clock has it. */
const BETWEEN_WRITES_MS = 20_000;
const WRITES_UNTIL_EXPIRY = WRITES / 2;

/**
 * Most turns of one session expire while others are written, read and `meanwhile` runs; nothing of them is
 * left, and nothing else is lost.
 */
export const expireUnderLoad = async (
  { url, clock }: World,
  client: Client,
  meanwhile: () => Promise<void>,
): Promise<void> => {
  const own = { user_id: 'grace', session_id: 'load' };
  const stays = (write: number): boolean => write % 6 === 0;
  let last = 0;
  const kept = new Set<string>();
  const write = async (number: number): Promise<void> => {
    // The first writes expire while others are written, the rest later.
    const at =
      clock.now() + WRITES_UNTIL_EXPIRY * BETWEEN_WRITES_MS + BETWEEN_WRITES_MS * (number % (WRITES / 3));
    last = Math.max(last, at);
    const { active_fragment_ids: ids } = await client.ingest({
      scope: own,
      options: stays(number) ? {} : { expires_at: new Date(at).toISOString() },
      turns: Array.from({ length: TURNS }, (_, n) => ({
        role: stays(number) ? 'Grace' : 'Zed',
        text: `${stays(number) ? 'Crate' : SECRET} ${number} holds the ${n}th lantern.`,
        timestamp: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
        observations: [`Lantern ${n} is in ${stays(number) ? 'crate' : SECRET} ${number}.`],
      })),
    });
    if (stays(number)) for (const id of ids) kept.add(id);
    clock.advance(BETWEEN_WRITES_MS);
  };
  await Promise.all([
    meanwhile(),
    inParallel(WRITES, 4, write),
    inParallel(rounds(30, 100), 2, async () => {
      const { hits } = await client.recall({
        q: 'Which lantern is in which crate?',
        scope: own,
        top_k: 30,
      });
      expect(hits.turns.length + hits.observations.length).toBeGreaterThanOrEqual(0);
    }),
  ]);
  await settled(url);
  clock.pass(last);
  for (const [list, idOf] of [
    ['turns', (item: { id: string }) => item.id],
    ['observations', (item: { turn_id?: string }) => item.turn_id!],
  ] as const) {
    const found = await allOf(client, list);
    expect(JSON.stringify(found)).not.toContain(SECRET);
    expect([found.length >= kept.size, new Set(found.map(idOf))]).toEqual([true, kept]);
  }
  const { hits } = await client.recall({ q: `What is the ${SECRET}?`, scope: own, top_k: 30 });
  expect(JSON.stringify(hits)).not.toContain(SECRET);
  expect(kept.size).toBe((WRITES / 6) * TURNS);
};

/**
 * Checks that a retention takes effect a day after it is set, and that another takes its place until then.
 * Only the role `*` sets it.
 */
export const setRetentions = async ({ url, apiKey, clock }: World): Promise<void> => {
  const client = await connect({ url, apiKey });
  const set = (days: unknown) => client.request<Retention>('PUT', '/me/retention', { days });
  const get = async () => expectStatus(await client.request<Retention>('GET', '/me/retention'), 200);
  expect(await get()).toEqual({ days: null, next: null });
  for (const [days, status] of [
    [0, 422],
    [36_501, 422],
    [1.5, 400],
    ['7', 400],
    [undefined, 400],
  ])
    expect([days, (await set(days)).status]).toEqual([days, status]);
  const dayFromNow = () => clock.now() + 24 * HOUR_MS;
  const earliest = dayFromNow();
  const { next } = expectStatus(await set(30), 200);
  expect(next!.days).toBe(30);
  expect(Date.parse(next!.in_force_at)).toBeGreaterThanOrEqual(earliest);
  expect(Date.parse(next!.in_force_at)).toBeLessThanOrEqual(dayFromNow());
  // Setting it once more doesn't put it off.
  expect(expectStatus(await set(30), 200)).toEqual({ days: null, next });
  expect(await get()).toEqual({ days: null, next });
  expect(expectStatus(await set(null), 200)).toEqual({ days: null, next: null });
  const made = await client.request<{ api_key: string }>('POST', '/me/api-keys', {
    name: 'n',
    roles: ['memory:read', 'memory:write'],
  });
  const other = await connect({ url, apiKey: expectStatus(made, 201).api_key });
  expectStatus(await other.request('PUT', '/me/retention', { days: 1 }), 403);
  expectStatus(await other.request('GET', '/me/retention'), 200);
};

const expiryBy = (clock: HeldClock) => {
  const at = clock.now() + HOUR_MS;
  return { options: { expires_at: new Date(at).toISOString() }, over: () => clock.pass(at) };
};

/** A stream that goes on, and one that is begun anew, have nothing of what has expired meanwhile. */
export const streamOverExpiry = async ({ url, apiKey, clock }: World): Promise<void> => {
  const client = await connect({ url, apiKey });
  const token = await accessToken(url, apiKey);
  const own = { user_id: 'eve', session_id: 'stream' };
  const write = (text: string, month: number, options: object = {}) =>
    client.ingest({
      scope: own,
      turns: [said(text, month, [{ text: `${text} So she said.` }])] as never,
      options,
    });
  const isTold = (text: string) => (told: readonly { data: unknown }[]) =>
    told.some(({ data }) => JSON.stringify(data).includes(text));
  const first = await openEvents(url, token, { after: 'now' });
  await write('The first word.', 1);
  const expiry = expiryBy(clock);
  await write(`The ${SECRET} word.`, 2, expiry.options);
  await write('The third word.', 3);
  const before = await take(first, isTold('third word. So'));
  const at = before.find(({ data }) => JSON.stringify(data).includes('first word. So'))!.id;
  expiry.over();
  await write('The last word.', 4);
  for (const after of [at, before.at(-1)!.id]) {
    const rest = await take(await openEvents(url, token, { after }), isTold('last word. So'));
    expect(JSON.stringify(rest)).not.toContain(SECRET);
    expect(isTold('third word')(rest)).toBe(after === at);
  }
};

/** A session of which some has expired is erased like another. */
export const eraseExpired = async ({ url, apiKey, clock }: World): Promise<void> => {
  const client = await connect({ url, apiKey });
  const own = { user_id: 'eve', session_id: 'erased' };
  const write = (text: string, month: number, options: object = {}) =>
    client.ingest({ scope: own, turns: [said(text, month)] as never, options });
  const expiry = expiryBy(clock);
  const gone = await write(`My ${SECRET} is here.`, 1, expiry.options);
  const left = await write('I stay.', 2);
  expiry.over();
  await settled(url);
  const erased = await client.request('DELETE', '/memory', { scope: { org_id: 'any', ...own } });
  expect(expectStatus(erased, 200)).toMatchObject({ erased: { sessions: 1 } });
  for (const { active_fragment_ids: ids } of [gone, left])
    expectStatus(await client.request('GET', `/memory/turns/${ids[0]}`), 404);
  // A turn that is sent again is another one, as after any erasure.
  for (const [text, month, before] of [
    [`My ${SECRET} is here.`, 1, gone],
    ['I stay.', 2, left],
  ] as const) {
    const again = await write(text, month, { ttl_days: 7 });
    expect(again.active_fragment_ids).not.toEqual(before.active_fragment_ids);
    expect(again.usage.tokens_in).toBeGreaterThan(0);
  }
  expectStatus(await client.request('DELETE', '/memory', { scope: { org_id: 'any', ...own } }), 200);
};

/**
 * Writes what expires late and what does soon; resolves with the export of before, that of after, and the
 * turn's id.
 */
export const exportExpiring = async ({ url, apiKey, clock }: World) => {
  const client = await connect({ url, apiKey });
  const token = await accessToken(url, apiKey);
  const own = { user_id: 'eve', session_id: 'carried' };
  const late = '2999-01-01T00:00:00.000Z';
  const expiry = expiryBy(clock);
  const write = (text: string, month: number, options: object) =>
    client.ingest({ scope: own, turns: [said(text, month)] as never, options });
  await write('I last.', 1, { expires_at: late });
  await write(`My ${SECRET} is here.`, 2, expiry.options);
  const exported = async (): Promise<string> =>
    (await fetch(`${url}/export`, { headers: { authorization: `Bearer ${token}` } })).text();
  const before = await exported();
  expect(before).toContain(SECRET);
  expiry.over();
  const after = await exported();
  expect(after).not.toContain(SECRET);
  for (const file of [before, after]) expect(file).toContain(`"expires_at":"${late}"`);
  return { before, after, late };
};
