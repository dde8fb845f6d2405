/** The deletion of an organization, over HTTP. Shared by both modes. */
import { expect } from 'vitest';
import { type Caller, call, exchange, ok, signUp } from '../http/contract/kit.ts';
import { settled } from '../support/http/client.ts';
import type { HeldClock } from '../support/processes/clock.ts';
import { untilDefined } from '../support/wait.ts';

const HOUR_MS = 3_600_000;

/** Words that nobody else says. */
export const WORDS = ['quetzalfeder', 'narwhalzahn', 'obsidianfrage'];

/** Makes an organization with turns of two users, a webhook, and a receipt of somebody who said nothing. */
export const fill = async (url: string): Promise<Caller> => {
  const owner = await signUp(url, 'leaving');
  for (const [user_id, text] of [
    ['ada', `I keep a ${WORDS[0]}.`],
    ['grace', `My code name is ${WORDS[1]}.`],
  ] as const)
    await owner.ingest({
      scope: { org_id: 'any', user_id, session_id: 's' },
      turns: [{ role: 'user', text, timestamp: '2026-01-05T10:00:00Z', observations: [`Said: ${text}`] }],
      options: { session_title: `About ${text}` },
    });
  await owner.recall({
    scope: { org_id: 'any', user_id: 'eve', session_id: 'only asks' },
    q: `Who has an ${WORDS[2]}?`,
    receipt: true,
  });
  const hook = { url: 'https://example.com/', events: ['turn', 'erased'] };
  expect((await owner.send('POST', '/me/webhooks', hook)).status).toBe(201);
  await settled(url);
  return owner;
};

/** Asks, waits, and confirms: from then on nobody gets in. */
export const remove = async (owner: Caller, clock: HeldClock): Promise<void> => {
  const named = { org_id: owner.org };
  const { url } = owner;
  expect((await owner.send('POST', '/me/deletion/confirmation', named)).status).toBe(409);
  const asked = await owner.send('PUT', '/me/deletion', named);
  expect(ok<object>(asked)).toMatchObject({ state: 'asked', org_id: owner.org });
  expect(await owner.get('/me/deletion')).toEqual(ok<object>(asked));
  clock.advance(23 * HOUR_MS);
  const again = await exchange(url, owner.apiKey);
  const as = (method: string, path: string, body?: unknown) =>
    call(url, method, path, { headers: { authorization: `Bearer ${again.access_token}` }, body });
  expect((await as('POST', '/me/deletion/confirmation', named)).status).toBe(409);
  expect((await as('DELETE', '/me/deletion')).status).toBe(200);
  expect((await as('POST', '/me/deletion/confirmation', named)).status).toBe(409);
  expect((await as('PUT', '/me/deletion', named)).status).toBe(200);
  clock.advance(24 * HOUR_MS);
  const later = await exchange(url, owner.apiKey);
  // A data folder's clock is looked at once a second.
  const confirmed = await untilDefined('the deletion is due', async () => {
    const reply = await call(url, 'POST', '/me/deletion/confirmation', {
      token: later.access_token,
      body: named,
    });
    return reply.status === 409 ? undefined : reply;
  });
  expect(ok<object>(confirmed)).toMatchObject({ state: 'confirmed' });
  await expectShut(owner, later.access_token);
};

/** Whatever credential it has, the organization is answered nothing, and its id is taken. */
export const expectShut = async ({ url, org, apiKey }: Caller, token?: string): Promise<void> => {
  const keyed = await call(url, 'GET', '/memory/turns?user_id=ada', { headers: { 'x-api-key': apiKey } });
  expect(keyed.status).toBe(403);
  const exchanged = await call(url, 'POST', '/auth/token-exchange', { body: { api_key: apiKey } });
  expect(exchanged.status).toBe(403);
  if (token !== undefined) {
    const headers = { authorization: `Bearer ${token}` };
    expect((await call(url, 'GET', '/me', { headers })).status).toBe(403);
  }
  expect((await call(url, 'POST', '/signup', { body: { org_id: org } })).status).toBe(409);
};
