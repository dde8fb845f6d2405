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

describeInBrowser('what a key with memory:curate corrects', () => {
  let world: World;
  const write = async (user_id: string): Promise<void> => {
    const body = {
      scope: { org_id: 'local', user_id, session_id: 'one' },
      turns: [home('Lyon', '01-05'), home('Pforto', '02-05')],
      options: { write_passive: false },
    };
    expectStatus(await world.ask('/ingestion/memory', body), 202);
  };
  beforeAll(async () => {
    world = await startWorld({});
    for (const [look] of LOOKS) await write(`ines ${look}`);
    for (const user of ['ines again', 'ines reads']) await write(user);
    await settled(world.server.url, 60_000);
  });
  afterAll(() => world?.close());

  const conversation = (user: string): string => `/explorer?${new URLSearchParams({ user, session: 'one' })}`;
  const facts = (user: string): string => `/facts?${new URLSearchParams({ user })}`;

  it.each(LOOKS)(
    'a fact in its row, which then says so in the history and beside its turn (%s)',
    async (look, how) => {
      const tab = await world.signedIn(facts(`ines ${look}`), how);
      const { page } = tab;
      const open = page.getByRole('button', { name: 'Correct home: Pforto' });
      const form = page.getByRole('form', { name: 'Correct: Ines lives in Pforto.' });
      const value = form.getByLabel('Value');
      await open.click();
      await expect.poll(() => value.evaluate(field => field === document.activeElement)).toBe(true);
      await expectSound(tab, `correct-fact-${look}`);
      await form.getByRole('button', { name: 'Correct' }).click();
      await form.getByText('Nothing was changed yet.').waitFor();
      await page.keyboard.press('Escape');
      await form.waitFor({ state: 'detached' });
      expect(await open.evaluate(button => button === document.activeElement)).toBe(true);

      await open.click();
      await value.fill('Porto');
      await form.getByLabel('Since').fill('2026-02-01');
      await page.keyboard.press('Enter');
      await page.getByText('Corrected: it says “Ines lives in Porto.” now.').waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status');
      await page.getByRole('button', { name: 'Correct home: Porto' }).waitFor();
      const rows = async () =>
        (
          await page.getByRole('region', { name: 'Facts about Ines' }).locator('tbody tr').allInnerTexts()
        ).map(row => row.replace(/\s+/g, ' ').trim());
      expect(await rows()).toEqual([
        'home Porto since 1 February 2026 no turn (supplied by the client) Correct Hide',
      ]);
      await expectSound(tab, `corrected-fact-${look}`);
      await page.getByLabel('Show what held before').check();
      const [, ...held] = await rows();
      expect(held).toEqual([
        expect.stringMatching(/^Pforto 5 February 2026 corrected turn .* Hide$/),
        expect.stringMatching(/^Lyon until 1 February 2026 no longer turn .* Correct Hide$/),
      ]);
      expect(held[0]).not.toContain('Correct ');

      await page.goto(`${world.server.url}/console${conversation(`ines ${look}`)}`);
      const corrected = page.getByRole('article').filter({ hasText: 'Send it to Pforto.' });
      await corrected.getByText('corrected').waitFor();
      await corrected.getByRole('button', { name: 'Details' }).click();
      await corrected.getByText('Link:').waitFor();
      expect(await corrected.getByRole('button', { name: /^Correct/ }).count()).toBe(0);
      const lyon = page.getByRole('article').filter({ hasText: 'Send it to Lyon.' });
      await lyon.getByRole('button', { name: 'Details' }).click();
      await lyon.getByRole('button', { name: 'Correct: Ines lives in Lyon.' }).click();
      await expectSound(tab, `correct-in-turn-${look}`);
      const sentence = lyon.getByLabel('Sentence');
      await sentence.press('Home');
      await sentence.pressSequentially('In 2026, ');
      await page.keyboard.press('Enter');
      await page.getByText('Corrected: it says “In 2026, Ines lives in Lyon.” now.').waitFor();
      await lyon.getByText('corrected').waitFor();
      await expectSound(tab, `corrected-in-turn-${look}`);
      await tab.close();
    },
  );

  it('a refusal is shown in the form, which tries again; what was done meanwhile is not done twice', async () => {
    const tab = await world.signedIn(facts('ines again'));
    const { page } = tab;
    await page.getByRole('button', { name: 'Correct home: Pforto' }).click();
    const form = page.getByRole('form');
    await form.getByLabel('Sentence').fill('Ines lives elsewhere.');
    await form.getByRole('button', { name: 'Correct' }).click();
    await form
      .getByText(/^Value is missing/)
      .first()
      .waitFor();
    await expectSound(tab, 'correct-fault');
    await form.getByLabel('Sentence').fill('');
    await form.getByLabel('Value').fill('Porto');
    const busy = { status: 503, body: JSON.stringify({ message: 'The projections are behind.' }) };
    await page.route(
      '**/memory/observations/*',
      async route => {
        // It was corrected all the same.
        await route.fetch();
        await route.fulfill(busy);
      },
      { times: 1 },
    );
    await form.getByRole('button', { name: 'Correct' }).click();
    await form.getByText('The projections are behind.').waitFor();
    await form.getByRole('button', { name: 'Correct' }).click();
    await page.getByText('Corrected: it says “Ines lives in Porto.” now.').waitFor();
    await page.getByText('1 fact holds, 2 no longer do.').waitFor();
    await tab.close();
  });

  it('another key does not', async () => {
    const body = { name: 'reads', roles: ['memory:read'], user_id: 'ines reads' };
    const created = await world.ask<{ api_key: string }>('/me/api-keys', body);
    const tab = await world.browser.open(`${world.server.url}/console${facts('ines reads')}`);
    const { page } = tab;
    await signIn(tab, expectStatus(created, 201).api_key);
    await page.getByText('1 fact holds').waitFor();
    expect(await page.getByRole('button', { name: /^Correct/ }).count()).toBe(0);
    await page.goto(`${world.server.url}/console${conversation('ines reads')}`);
    await page.getByRole('button', { name: 'Details' }).first().click();
    await page.getByText('Link:').waitFor();
    expect(await page.getByRole('button', { name: /^Correct/ }).count()).toBe(0);
    await tab.close();
  });
});
