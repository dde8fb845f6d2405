import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { signIn, startWorld, type World } from './support/world.ts';

/** Returns the label, or else the id, of the element that the keyboard is at. */
const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null;
    return at?.getAttribute('aria-label') ?? at?.id;
  });

/** As the page writes it, with the sign of mathematics. */
const signedNumber = (text: string): number => Number(text.replace('−', '-'));

describeInBrowser('the console', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  describe.each(LOOKS)('%s', (look, how) => {
    it('signs in, and tells the day, the month and the state of the service', async () => {
      const tab = await world.browser.open(`${world.server.url}/console`, how);
      const { page } = tab;
      expect(await page.title()).toBe('Sign in · Turnstone');
      await page.getByLabel('API key').fill('ts_nobody');
      await page.keyboard.press('Enter');
      await page.getByText('The service does not know this key.').waitFor();
      await expectSound(tab, `sign-in-${look}`);

      await signIn(tab, world.server.apiKey);
      expect(await page.title()).toBe('Overview · Turnstone');
      const tokensIn = page.getByRole('meter', { name: 'Tokens in, share of the daily cap' });
      expect(Number(await tokensIn.getAttribute('value'))).toBeGreaterThan(80);
      const chart = page.getByRole('img', { name: /^Tokens in and out per day/ });
      await chart.hover();
      await page
        .locator('.legend')
        .getByText(/^on \d+ \w+ \d{4}$/)
        .waitFor();
      const ready = page.getByRole('region', { name: 'Engines' });
      await ready.getByText('ready', { exact: true }).waitFor();
      for (const name of ['Indexing backlog', 'Extraction backlog', 'Dead letters'])
        await expect
          .poll(async () => {
            // The page itself may still have an event on its way: following the feed is audited.
            await page.getByRole('button', { name: 'Refresh the service' }).click();
            return page.getByRole('region', { name }).locator('.figure').textContent();
          })
          .toBe('0');
      await page.getByText('Show as a table').click();
      const days = page.getByRole('table').locator('tbody tr');
      expect(await days.count()).toBe(new Date().getUTCDate());
      await expectSound(tab, `overview-${look}`);

      // The month before the last: on the first of a month, the last one may not be signed yet.
      for (let month = 0; month < 2; month++) {
        await page.getByRole('button', { name: 'Previous month' }).click();
        await page.getByText('No usage in this month.').first().waitFor();
      }
      await expectSound(tab, `statement-${look}`);
      const downloaded = page.waitForEvent('download');
      await page.getByRole('button', { name: /^Signed statement of / }).click();
      expect((await downloaded).suggestedFilename()).toMatch(/^\d{4}-\d{2}\.jws$/);
      await page.getByRole('button', { name: 'Previous month' }).focus();
      for (let i = 0; i < 30; i++) await page.keyboard.press('Enter');
      expect(await focused(page)).toBe('Previous month');
      await tab.close();
    });

    it('leads from the users to a conversation, with what was made of each turn beside it', async () => {
      const tab = await world.signedIn('/explorer', how);
      const { page } = tab;
      await page.getByRole('link', { name: 'family' }).waitFor();
      await expectSound(tab, `users-${look}`);
      await page.getByRole('link', { name: 'family' }).click();
      await page.getByRole('link', { name: 'Conversations' }).click();
      await page.getByRole('link', { name: /^2026-04/ }).waitFor();
      expect(await page.title()).toBe('\u2068family\u2069: Conversations · Turnstone');
      await expectSound(tab, `sessions-${look}`);
      await page.getByRole('link', { name: /^2026-04/ }).click();
      const turns = page.getByRole('article');
      await turns.nth(1).waitFor();
      expect(await turns.locator('.said').allTextContents()).toEqual([
        'I fixed the roof of the shed yesterday, the leak is gone.',
        'Good! Then the bicycles can move back in.',
      ]);
      const facts = turns.first().getByRole('list', { name: 'Facts from this turn' });
      await facts.getByText('Ben fixed the roof of the shed on 10 April 2026').waitFor();
      await turns.first().getByText('Details').click();
      await turns
        .first()
        .getByText(/^Recorded .* UTC\.$/)
        .waitFor();
      await expectSound(tab, `conversation-${look}`);
      await tab.close();
    });

    it('answers a question, and shows where the answer was said', async () => {
      const tab = await world.signedIn('/ask', how);
      const { page } = tab;
      await page.getByLabel('Question').fill('When did Ben fix the roof?');
      await page.keyboard.press('Enter');
      await page
        .getByRole('status')
        .filter({ hasText: /^\d+ hits, very likely answered$/ })
        .waitFor();
      const first = page.locator('.hits li').first();
      expect(await first.locator('.said').textContent()).toBe(
        'I fixed the roof of the shed yesterday, the leak is gone.',
      );
      const score = await first.locator('.score').textContent();
      expect(Number(score?.replace('Score ', ''))).toBeGreaterThan(0.1);
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
      await page.getByText('Filters').click();
      const made = first.getByRole('group');
      expect(await made.getByRole('list').first().isVisible()).toBe(false);
      await first.getByText('Score breakdown').focus();
      await page.keyboard.press('Enter');
      const aspects = made.locator('.aspects > li');
      await aspects.getByText('Similar meaning', { exact: true }).waitFor();
      const logOdds = (await aspects.locator('> .log-odds').allTextContents()).map(signedNumber);
      expect(logOdds.length).toBeGreaterThan(2);
      expect(logOdds.map(Math.abs)).toEqual(logOdds.map(Math.abs).sort((a, b) => b - a));
      const sentence = made.getByText(`a probability of ${score?.replace('Score ', '')}: the score.`);
      const [, base, all] = /starts at (\S+); (\S+) from/.exec((await sentence.textContent())!)!;
      expect(signedNumber(base!)).toBeLessThan(0);
      // Each is told with two digits.
      const total = logOdds.reduce((sum, one) => sum + one, 0);
      expect(Math.abs(total - signedNumber(all!))).toBeLessThan(0.04);
      await expectSound(tab, `ask-${look}`);

      await first.getByRole('link', { name: 'Open conversation' }).click();
      await page.locator('.turn.target').waitFor();
      expect(await page.locator('.turn.target .said').textContent()).toContain('I fixed the roof');
      await expectSound(tab, `target-${look}`);
      await page.goBack();
      await page.locator('.hits li').first().waitFor();
      await tab.close();
    });

    it('makes a key, shows it once, and revokes it', async () => {
      const tab = await world.signedIn('/keys', how);
      const { page } = tab;
      const name = `reader ${look}`;
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('A key needs a name.').waitFor();
      await page.getByRole('textbox', { name: /^Name / }).fill(name);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: `${name} was created` }).waitFor();
      const secret = await page.getByLabel('Secret of the key').inputValue();
      expect(secret).toMatch(/^ts_/);
      await page.getByRole('button', { name: 'Copy the secret' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
      await page.getByRole('button', { name: `Revoke ${name}` }).waitFor();
      await expectSound(tab, `new-key-${look}`);

      await page.getByRole('button', { name: 'I have copied it' }).click();
      expect(await page.content()).not.toContain(secret);
      expect(await focused(page)).toBe('key-name');
      await page.getByRole('button', { name: `Revoke ${name}` }).click();
      await expectSound(tab, `revoke-${look}`);
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(await focused(page)).toMatch(`Revoke ${name} (ts_`);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await focused(page)).toMatch(`Revoke ${name} (ts_`);
      await page.getByRole('button', { name: `Revoke ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText(`${name} was revoked.`).waitFor();
      await page.getByRole('button', { name: `Revoke ${name}` }).waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('keys-of');
      await tab.close();
    });
  });

  it('answers a path that no page has', async () => {
    const tab = await world.signedIn('/nowhere');
    await tab.page.getByText('This page does not exist').waitFor();
    await expectSound(tab, 'not-found');
    await tab.close();
  });
});

describeInBrowser('the console of a service that has nothing', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({});
  });
  afterAll(() => world?.close());

  it('tells the first step', async () => {
    const tab = await world.signedIn();
    await tab.page.getByText('From a shell').click();
    await tab.page.getByText('npm run turnstone -- ingest docs/example.jsonl').waitFor();
    await expectSound(tab, 'empty-overview');
    await tab.page.getByRole('link', { name: 'Users' }).click();
    await tab.page.getByRole('heading', { name: 'Nothing is stored yet' }).waitFor();
    await expectSound(tab, 'empty-explorer');
    await tab.page.getByRole('link', { name: 'Ask' }).click();
    await tab.page.getByRole('heading', { name: 'Ask' }).waitFor();
    await tab.page.getByRole('heading', { name: 'Nothing is stored yet' }).waitFor();
    await tab.page.getByLabel('Question').fill('Where does Grace live?');
    await tab.page.keyboard.press('Enter');
    await tab.page
      .getByRole('status')
      .filter({ hasText: /^Nothing found$/ })
      .waitFor();
    await expectSound(tab, 'empty-ask');
    await tab.close();
  });
});
