import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { expectStatus } from '../support/http/client.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

/** The steps that are ticked. */
const done = (page: Page): Promise<string[]> => page.locator('.steps > li.done strong').allTextContents();

describeInBrowser('the first visit', () => {
  let world: World | undefined;
  const empty = async (): Promise<World> => {
    world = await startWorld({});
    return world;
  };
  afterEach(async () => {
    await world?.close();
    world = undefined;
  });

  it('stores a turn that is typed, gets it back, and ticks its steps', async () => {
    const tab = await (await empty()).signedIn('/');
    const { page } = tab;
    await page.getByRole('heading', { name: 'Nothing is stored yet' }).waitFor();
    expect(await done(page)).toEqual(['Sign in']);
    await page.getByLabel('Something somebody said').fill('Our boat is called Ondina.');
    await page.keyboard.press('Enter');
    await page.getByLabel('What you want to know').fill('What is our boat called?');
    expect(await done(page)).toEqual(['Sign in', 'Store what somebody said']);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Our boat is called Ondina.').waitFor();
    expect(await done(page)).toEqual(['Sign in', 'Store what somebody said', 'Get it back']);
    await expectSound(tab, 'first-visit-done');
    await tab.close();
  });

  it('loads a sample, and sees what is stored from elsewhere', async () => {
    const { signedIn, ask } = await empty();
    const tab = await signedIn('/users', { width: 390, scheme: 'dark' });
    const { page } = tab;
    await page.getByRole('heading', { name: 'Nothing is stored yet' }).waitFor();
    await expectSound(tab, 'first-visit-390');
    const other = await signedIn('/');
    await page.getByRole('button', { name: 'Load a sample' }).click();
    await page.getByRole('link', { name: 'family' }).waitFor();
    await other.page.getByRole('heading', { name: 'The first steps' }).waitFor();
    expect(await done(other.page)).toEqual(['Sign in', 'Store what somebody said']);
    const { body } = await ask<{ turns: unknown[] }>('/memory/turns?user_id=family');
    expect(body.turns).toHaveLength(7);
    expectStatus(await ask('/me/api-keys', { name: 'program', roles: ['memory:read'] }), 201);
    await tab.close();
    await other.close();
  });
});
