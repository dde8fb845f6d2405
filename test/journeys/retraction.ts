/** A turn and a fact are hidden: what any answer still tells of them. The same in both modes. */
import { expect } from 'vitest';
import type { TurnDetails } from '../../schemas/http/items.ts';
import type { Facts, Observations } from '../../schemas/http/lists.ts';
import { type Client, connect, expectStatus, inParallel, send, settled } from '../support/http/client.ts';
import { openEvents } from '../support/http/event-stream.ts';

export const SECRET = 'quokka';

export const said = (text: string, month: number, observations: object[] = []) => ({
  role: 'Ada',
  text,
  timestamp: `2026-0${month}-05T09:30:00Z`,
  observations,
});
export const home = (value: string) => ({
  text: `Ada lives in ${value}.`,
  subject: 'Ada',
  attribute: 'home',
  value,
});
export const scope = { user_id: 'ada', session_id: 's' };

export interface Hidden {
  turn: string;
  observation: string;
}

/** Everything that can be asked, as text. */
export const everything = async (client: Client, url: string, token: string): Promise<string> => {
  const answers: unknown[] = [];
  for (const mode of ['active', 'deep'] as const)
    for (const asked of [{}, { user_id: 'ada' }, scope])
      for (const q of [`What of the ${SECRET}?`, 'Where does Ada live?'])
        answers.push(
          await client.recall({
            q,
            scope: asked,
            mode,
            top_k: 50,
            include_timeline: true,
            include_context: true,
          }),
        );
  for (const list of ['turns', 'observations', 'entities', 'facts?holds=ever&user_id=ada'])
    answers.push((await client.request('GET', `/memory/${list}`)).body);
  const exported = await fetch(`${url}/export`, { headers: { authorization: `Bearer ${token}` } });
  answers.push(await exported.text(), ...(await fed(url, token)));
  return JSON.stringify(answers);
};

export const LAST = 'That was all.';

/** The events of the feed up to the last turn. */
const fed = async (url: string, token: string): Promise<string[]> => {
  const stream = await openEvents(url, token);
  const texts: string[] = [];
  for await (const event of stream.events()) {
    texts.push(JSON.stringify(event));
    if (texts.at(-1)!.includes(LAST)) break;
  }
  stream.close();
  return texts;
};

/** Hides a turn that was just said, one that was said long ago, and a fact. */
export const hideSome = async (url: string, client: Client): Promise<Hidden> => {
  const write = async (...turns: object[]) =>
    (await client.ingest({ scope, turns: turns as never })).active_fragment_ids;
  const [, gone] = await write(
    said('I moved to Lyon.', 1, [home('Lyon')]),
    said(`My ${SECRET} is called Zanthe.`, 2, [{ text: `Ada has a ${SECRET}.` }]),
  );
  const [moved] = await write(said('I moved to Porto.', 6, [home('Porto')]));
  await settled(url);
  const { observations } = (
    await client.request<Observations>('GET', `/memory/observations?turn_id=${moved}`)
  ).body;
  const porto = observations.filter(({ value }) => value === 'Porto').map(({ id }) => id);
  expect(porto.length).toBeGreaterThan(0);
  const before = await client.today();

  expectStatus(await client.request('DELETE', `/memory/turns/${gone}`), 204);
  for (const id of porto) expectStatus(await client.request('DELETE', `/memory/observations/${id}`), 204);
  // One that no projection may have read yet.
  const [fresh] = await write(said(`The ${SECRET} sleeps.`, 7, [{ text: `A ${SECRET} sleeps.` }]));
  expectStatus(await client.request('DELETE', `/memory/turns/${fresh}`), 204);
  for (const id of [gone!, fresh!]) expectStatus(await client.request('DELETE', `/memory/turns/${id}`), 404);
  expectStatus(await client.request('DELETE', `/memory/observations/${porto[0]}`), 404);
  expectStatus(await client.request('DELETE', `/memory/turns/${porto[0]}`), 404);

  // Only the turn that was said meanwhile was billed.
  const again = await client.ingest({
    scope,
    turns: [
      said(`The ${SECRET} sleeps.`, 7, [{ text: `A ${SECRET} sleeps.` }]),
      said('I moved to Lyon.', 1, [home('Lyon')]),
    ] as never,
  });
  expect(again.usage.tokens_in).toBe(0);
  // The other one is there, and only observations of it are hidden.
  expect(again.active_fragment_ids).toHaveLength(1);
  expect(again.active_fragment_ids).not.toContain(fresh);
  expect((await client.today()).tokens_out).toBe(before.tokens_out);
  await write(said(LAST, 8));
  await settled(url);
  return { turn: gone!, observation: porto[0]! };
};

/** Nothing of it is in any answer; what was said before it holds again. */
export const expectHidden = async (
  { url, apiKey }: { url: string; apiKey: string },
  { turn, observation }: Hidden,
): Promise<void> => {
  const client = await connect({ url, apiKey });
  const { body } = await send<{ access_token: string }>(`${url}/auth/token-exchange`, 'POST', {
    api_key: apiKey,
  });
  const all = await everything(client, url, body.access_token);
  expect(all).toContain('I moved to Lyon.');
  expect(all).toContain('I moved to Porto.');
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain('Ada lives in Porto.');
  const { facts } = expectStatus(
    await client.request<Facts>('GET', '/memory/facts?user_id=ada&attribute=home&holds=ever'),
    200,
  );
  expect(facts.map(({ value, valid_until }) => [value, valid_until])).toEqual([['Lyon', null]]);
  expectStatus(await client.request<TurnDetails>('GET', `/memory/turns/${turn}`), 404);
  for (const path of [`turns/${turn}`, `observations/${observation}`])
    expectStatus(await client.request('DELETE', `/memory/${path}`), 404);
};

/** Expects that only a role that writes may hide, and only what it sees. */
export const expectOnlyOwnersHide = async (url: string, client: Client): Promise<void> => {
  const [turn] = (await client.ingest({ scope, turns: [said('Ada sings.', 3)] as never }))
    .active_fragment_ids;
  const withKey = async (key: object) => {
    const made = expectStatus(
      await client.request<{ api_key: string }>('POST', '/me/api-keys', { name: 'n', ...key }),
      201,
    );
    return connect({ url, apiKey: made.api_key });
  };
  const reader = await withKey({ roles: ['memory:read'], user_id: 'ada' });
  expectStatus(await reader.request('DELETE', `/memory/turns/${turn}`), 403);
  const writer = await withKey({ roles: ['memory:read', 'memory:write', 'memory:erase'], user_id: 'ada' });
  expectStatus(await writer.request('DELETE', `/memory/turns/${turn}`), 403);
  const other = await withKey({ roles: ['memory:read', 'memory:curate'], user_id: 'grace' });
  expectStatus(await other.request('DELETE', `/memory/turns/${turn}`), 404);
  const { body } = await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: 'strangers' });
  const stranger = await connect({ url, apiKey: body.api_key });
  expectStatus(await stranger.request('DELETE', `/memory/turns/${turn}`), 404);
  expectStatus(await client.request('GET', `/memory/turns/${turn}`), 200);
};

/**
 * Hides a turn as a client does: a 503 says that the projections are behind, and a 404 to its repetition that
 * it is done.
 */
const hideOne = async (client: Client, id: string): Promise<void> => {
  for (let tries = 0; ; tries++) {
    const { status } = await client.request('DELETE', `/memory/turns/${id}`);
    if (status === 204 || (status === 404 && tries > 0)) return;
    expect(status).toBe(503);
  }
};

const WRITES = 100;
const TURNS = 20;

/**
 * Half of 2,000 turns are hidden while others are written and `meanwhile` runs; nothing of them is left, and
 * nothing else is lost.
 */
export const hideUnderLoad = async (
  url: string,
  client: Client,
  meanwhile: () => Promise<void>,
): Promise<void> => {
  const own = { user_id: 'grace', session_id: 'load' };
  const text = (write: number, n: number) => `Crate ${write} holds the ${n}th lantern.`;
  const instant = (write: number) => new Date(Date.UTC(2026, 0, 1, 0, write)).toISOString();
  const write = async (number: number): Promise<string[]> =>
    (
      await client.ingest({
        scope: own,
        turns: Array.from({ length: TURNS }, (_, n) => ({
          role: 'Grace',
          text: text(number, n),
          timestamp: instant(number),
          observations: [`Lantern ${n} is in crate ${number}.`],
        })),
      })
    ).active_fragment_ids;
  const written: string[][] = [];
  for (let n = 0; n < WRITES / 2; n++) written.push(await write(n));
  const hidden = new Set<string>();
  const hide = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids.filter((_, n) => n % 2 === 0)) {
      await hideOne(client, id);
      hidden.add(id);
    }
  };
  const first = written.slice();
  await Promise.all([
    meanwhile(),
    inParallel(first.length, 16, n => hide(first[n]!)),
    inParallel(WRITES / 2, 4, async n => {
      const ids = await write(WRITES / 2 + n);
      written.push(ids);
      await hide(ids);
    }),
  ]);
  await settled(url);
  const left = new Set(written.flat().filter(id => !hidden.has(id)));
  expect([hidden.size, left.size]).toEqual([1_000, 1_000]);
  for (const [list, idOf] of [
    ['turns', (item: Item) => item.id],
    ['observations', (item: Item) => item.turn_id!],
  ] as const) {
    const found = await allOf(client, list);
    expect(new Set(found.map(idOf))).toEqual(left);
  }
};

interface Item {
  id: string;
  turn_id?: string;
}

/** All pages of a list of Grace's session. */
export const allOf = async (client: Client, list: 'turns' | 'observations'): Promise<Item[]> => {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = expectStatus(
      await client.request<{ next_cursor: string | null } & Record<string, Item[]>>(
        'GET',
        `/memory/${list}?user_id=grace&session_id=load&limit=200${more}`,
      ),
      200,
    );
    items.push(...page[list]!);
    cursor = page.next_cursor;
  }
  return items;
};
