import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus, settled } from '../support/http/client.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { signIn, startWorld, type World } from './support/world.ts';

const home = (value: string, day: string) => ({
  role: 'Ines',
  text: `Send it to ${value}.`,
  timestamp: `2026-${day}T09:00:00Z`,
  observations: [{ text: `Ines lives in ${value}.`, attribute: 'home', value }],
});

describeInBrowser('what a key with memory:curate hides', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({});
    for (const [look] of LOOKS) {
      const body = {
        scope: { org_id: 'local', user_id: `ines ${look}`, session_id: 'one' },
        turns: [home('Lyon', '01-05'), home('Porto', '02-05'), home('Faro', '03-05')],
        options: { write_passive: false },
      };
      expectStatus(await world.ask('/ingestion/memory', body), 202);
    }
    await settled(world.server.url, 60_000);
  });
  afterAll(() => world?.close());

  const conversation = (look: string): string =>
    `/explorer?${new URLSearchParams({ user: `ines ${look}`, session: 'one' })}`;
  const facts = (look: string): string => `/facts?${new URLSearchParams({ user: `ines ${look}` })}`;

  it.each(LOOKS)('a fact, so that the one before holds; then a turn (%s)', async (look, how) => {
    const tab = await world.signedIn(facts(look), how);
    const { page } = tab;
    const hide = page.getByRole('button', { name: 'Hide home: Faro' });
    await hide.click();
    await expectSound(tab, `hide-fact-${look}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await hide.evaluate(button => button === document.activeElement)).toBe(true);
    await hide.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await page.getByText('“Ines lives in Faro.” was hidden.').waitFor();
    await page.getByRole('button', { name: 'Hide home: Porto' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status');
    await expectSound(tab, `hidden-fact-${look}`);

    await page.goto(`${world.server.url}/console${conversation(look)}`);
    const porto = page.getByRole('article').filter({ hasText: 'Send it to Porto.' });
    await porto.getByRole('button', { name: 'Details' }).click();
    await expectSound(tab, `turn-details-${look}`);
    await porto.getByRole('button', { name: 'Hide this turn' }).click();
    await expectSound(tab, `hide-turn-${look}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await page.getByText('1 turn was hidden.').waitFor();
    const said = page.locator('.turn .said');
    await expect.poll(() => said.allTextContents()).toEqual(['Send it to Lyon.', 'Send it to Faro.']);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('feed');
    await expectSound(tab, `hidden-turn-${look}`);
    await page.reload();
    await expect.poll(() => said.allTextContents()).toEqual(['Send it to Lyon.', 'Send it to Faro.']);
    await page.goto(`${world.server.url}/console${facts(look)}`);
    await page.getByRole('button', { name: 'Hide home: Lyon' }).waitFor();
    await tab.close();
  });

  it('a failure is shown in the dialog, which tries again; what is gone already was hidden', async () => {
    const user_id = 'ines again';
    const { active_fragment_ids } = expectStatus(
      await world.ask<{ active_fragment_ids: string[] }>('/ingestion/memory', {
        scope: { org_id: 'local', user_id, session_id: 'one' },
        turns: [home('Lyon', '01-05')],
        options: { write_passive: false },
      }),
      202,
    );
    const tab = await world.signedIn(
      `/explorer?${new URLSearchParams({ user: user_id, session: 'one', turn: active_fragment_ids[0]! })}`,
    );
    const { page } = tab;
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Hide this turn' }).click();
    const busy = { status: 503, body: JSON.stringify({ message: 'The projections are behind.' }) };
    await page.route(
      '**/memory/turns/*',
      async route => {
        // It was hidden all the same.
        await route.fetch();
        await route.fulfill(busy);
      },
      { times: 1 },
    );
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Hide' });
    await confirm.click();
    await page.getByRole('dialog').getByText('The projections are behind.').waitFor();
    await confirm.click();
    await page.getByText('This session has no turns').waitFor();
    expect(tab.faults()).toEqual([]);
    await tab.close();
  });

  it('another key does not', async () => {
    const roles = ['memory:read'];
    const user_id = 'ines reads';
    const scope = { org_id: 'local', user_id, session_id: 'one' };
    const stored = { scope, turns: [home('Lyon', '01-05')], options: { write_passive: false } };
    expectStatus(await world.ask('/ingestion/memory', stored), 202);
    const created = await world.ask<{ api_key: string }>('/me/api-keys', { name: 'reads', roles, user_id });
    const tab = await world.browser.open(
      `${world.server.url}/console/facts?${new URLSearchParams({ user: user_id })}`,
    );
    const { page } = tab;
    await signIn(tab, expectStatus(created, 201).api_key);
    await page.getByText('1 fact holds').waitFor();
    expect(await page.getByRole('button', { name: /^Hide/ }).count()).toBe(0);
    await page.goto(
      `${world.server.url}/console/explorer?${new URLSearchParams({ user: user_id, session: 'one' })}`,
    );
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('Link:').waitFor();
    expect(await page.getByRole('button', { name: /^Hide/ }).count()).toBe(0);
    await tab.close();
  });
});
