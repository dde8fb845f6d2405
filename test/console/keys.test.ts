import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessToken, send } from '../support/http/client.ts';
import { untilDefined } from '../support/wait.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { signIn, startWorld, type World } from './support/world.ts';

interface Split {
  split: { shares: { key_id: string; tokens_in: number }[] };
}

describeInBrowser('the keys', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  const create = async (body: object): Promise<{ id: string; api_key: string }> =>
    (await world.ask<{ id: string; api_key: string }>('/me/api-keys', body)).body;

  /** The status of a sign-in with a key. */
  const signInWith = async (api_key: string): Promise<number> =>
    (await send(`${world.server.url}/auth/token-exchange`, 'POST', { api_key })).status;

  it.each(LOOKS)('tell what they used, and are rotated with a grace period (%s)', async (look, how) => {
    const name = `app ${look}`;
    const { id, api_key } = await create({ name, roles: ['memory:write', 'memory:read'] });
    const token = await accessToken(world.server.url, api_key);
    const question = { scope: { org_id: 'local' }, q: 'When did Ben fix the roof?' };
    expect((await send(`${world.server.url}/recall`, 'POST', question, token)).status).toBe(200);

    const share = await untilDefined('its usage is split', async () => {
      const { body } = await world.ask<Split>('/usage/summary?by=key');
      return body.split.shares.find(({ key_id }) => key_id === id);
    });
    const tab = await world.signedIn('/keys', how);
    const { page } = tab;
    const rows = page.getByRole('listitem').filter({ hasText: name });
    await rows.getByText('Tokens this month').waitFor();
    await rows.getByText(new RegExp(`^${share.tokens_in} in, [\\d,]+ out$`)).waitFor();
    await page.getByRole('button', { name: `Rotate ${name}` }).click();
    await expectSound(tab, `rotate-${look}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    await page.getByRole('button', { name: `Rotate ${name}` }).click();
    await page.getByLabel('The former key still works for').selectOption({ label: 'an hour' });
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('heading', { name: `${name} was rotated` }).waitFor();
    await page.getByText('The former key still works for an hour').waitFor();
    const secret = await page.getByLabel('Secret of the key').inputValue();
    expect(secret).not.toBe(api_key);
    expect([await signInWith(secret), await signInWith(api_key)]).toEqual([200, 200]);
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.first().getByText('never').count()).toBe(0);
    await expectSound(tab, `rotated-${look}`);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(secret);
    await page
      .getByRole('button', { name: `Rotate ${name}` })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('Another key took its place already, or it was revoked.').waitFor();
    await tab.close();
  });

  it('show the new secret also where the key that signed in is rotated at once', async () => {
    const { api_key } = await create({ name: 'self', roles: ['keys:manage'] });
    const tab = await world.browser.open(`${world.server.url}/console/keys`);
    const { page } = tab;
    await signIn(tab, api_key);
    await page.getByRole('button', { name: 'Rotate self' }).click();
    await page.getByLabel('The former key still works for').selectOption({ label: 'not at all' });
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('The former key no longer works.').waitFor();
    const secret = await page.getByLabel('Secret of the key').inputValue();
    await expect.poll(() => signInWith(api_key), { interval: 1_000, timeout: 5_000 }).not.toBe(200);
    expect(await page.getByLabel('Secret of the key').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await signInWith(secret)).toBe(200);
    await tab.close();
  });

  it('offer no rotation of what the key that signed in may not make', async () => {
    await create({ name: 'stronger', roles: ['audit:read'] });
    const { api_key } = await create({ name: 'weaker', roles: ['keys:manage'] });
    const tab = await world.browser.open(`${world.server.url}/console/keys`);
    await signIn(tab, api_key);
    await tab.page.getByRole('button', { name: 'Rotate weaker' }).waitFor();
    expect(await tab.page.getByRole('button', { name: 'Rotate stronger' }).count()).toBe(0);
    await tab.close();
  });
});
