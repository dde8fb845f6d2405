import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

const open = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
};
const options = (page: Page, group?: string) =>
  (group === undefined ? page : page.getByRole('group', { name: group })).getByRole('option');

describeInBrowser('the search over everything', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  describe.each(LOOKS)('%s', (look, how) => {
    it('opens on Ctrl-K, finds as one types, and leads there by the keyboard', async () => {
      const tab = await world.signedIn('/keys', how);
      const { page } = tab;
      await page.getByRole('heading', { name: 'Keys of local' }).waitFor();
      const button = page.getByRole('button', { name: /^Search/ });
      await button.focus();
      await open(page);
      await options(page).getByText('Audit log').waitFor();
      await expectSound(tab, `search-${look}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await button.evaluate(one => one === document.activeElement)).toBe(true);

      await button.click();
      await page.keyboard.type('fam');
      await options(page, 'Users').getByText('family').waitFor();
      await expectSound(tab, `search-user-${look}`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'family' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Keys of local' }).waitFor();
      await tab.close();
    });

    it('finds what was said, in which conversation, and whom it names', async () => {
      const tab = await world.signedIn('/settings', how);
      const { page } = tab;
      await open(page);
      await page.keyboard.type('roof');
      await options(page, 'Turns').getByText('I fixed the roof of the shed yesterday').waitFor();
      await options(page, 'Conversations').getByText('2026-04').first().waitFor();
      await expectSound(tab, `search-words-${look}`);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Grace');
      await options(page, 'Names').getByText('Grace', { exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor();
      await tab.close();
    });
  });

  it('has commands, those of a user on their page, and one that asks', async () => {
    const tab = await world.signedIn(`/users?${new URLSearchParams({ user: 'family' })}`);
    const { page } = tab;
    await page.getByRole('heading', { level: 1, name: 'family' }).waitFor();
    await open(page);
    await page.keyboard.type('context');
    await options(page, 'Pages and commands').getByText('Context for a prompt of family').click();
    await page.getByRole('slider', { name: 'Budget' }).waitFor();

    await open(page);
    await page.keyboard.type('dark colours');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Colour theme: dark/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');

    await open(page);
    await page.keyboard.type('When did Ben fix the roof?');
    await page.keyboard.press('Enter');
    await page.locator('.hits .said').first().waitFor();
    expect(await page.locator('.hits .said').first().textContent()).toContain('I fixed the roof');
    expect(new URL(page.url()).searchParams.get('user')).toBe('family');
    expect(tab.faults()).toEqual([]);
    await tab.close();
  });

  it('moves through the options with the arrows, round and round', async () => {
    const tab = await world.signedIn('/settings');
    const { page } = tab;
    await open(page);
    const box = page.getByRole('combobox', { name: 'Search everything' });
    const active = () =>
      box.evaluate(
        one => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent,
      );
    await options(page).getByText('Audit log').waitFor();
    const first = await active();
    await page.keyboard.press('ArrowUp');
    const last = await active();
    expect(last).toContain('family');
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe(first);
    await page.keyboard.press('ArrowDown');
    expect(await active()).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe(first);
    await tab.close();
  });

  it('says which lists could not be searched, and offers the rest', async () => {
    const tab = await world.signedIn('/settings');
    const { page } = tab;
    await page.route('**/memory/turns?*', route => route.abort());
    await open(page);
    await page.keyboard.type('roof');
    await page.getByText(/1 list could not be searched\.$/).waitFor();
    await options(page, 'Conversations').first().waitFor();
    await tab.close();
  });
});
