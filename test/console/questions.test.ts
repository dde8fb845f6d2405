import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

const ROOF = 'When did Ben fix the roof?';
const GRACE = 'Where does Grace live?';

const ask = async (page: Page, question: string): Promise<void> => {
  await page.getByLabel('Question').fill(question);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: question }).waitFor();
};
/** The questions of the recalls that the page made, in their order. */
const recallsOf = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', request => {
    if (request.url().endsWith('/recall')) asked.push(request.postDataJSON().q);
  });
  return asked;
};
const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }));

describeInBrowser('questions', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  it('are in the address: Back shows the one before without asking again, a reload asks it again', async () => {
    const tab = await world.signedIn('/ask');
    const { page } = tab;
    const asked = recallsOf(page);
    await page.getByLabel('User').fill('family');
    await page.getByLabel('deep').check();
    await ask(page, ROOF);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      q: ROOF,
      user: 'family',
      mode: 'deep',
    });
    await page.getByLabel('active').check();
    await ask(page, GRACE);
    await page.goBack();
    await page.getByRole('heading', { name: ROOF }).waitFor();
    expect(await page.getByLabel('Question').inputValue()).toBe(ROOF);
    expect(await page.getByLabel('deep').isChecked()).toBe(true);
    expect(asked).toEqual([ROOF, GRACE]);
    await page.goForward();
    await page.getByRole('heading', { name: GRACE }).waitFor();
    expect(asked).toEqual([ROOF, GRACE]);
    await page.reload();
    await page.getByRole('heading', { name: GRACE }).waitFor();
    expect(asked).toEqual([ROOF, GRACE, GRACE]);
    expect(tab.faults()).toEqual([]);
    await tab.close();
  });

  it('of a link are filled in, and asked when somebody says so', async () => {
    const tab = await world.signedIn(
      `/ask?${new URLSearchParams({ q: GRACE, user: 'family', in: '2026-03' })}`,
    );
    const { page } = tab;
    const asked = recallsOf(page);
    // Signing in came first: from here on every call is seen.
    await page.reload();
    await expect.poll(() => page.getByLabel('Question').inputValue()).toBe(GRACE);
    await page.waitForTimeout(500);
    await page.getByText('Filters').click();
    expect(await page.getByLabel('Session').inputValue()).toBe('2026-03');
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('heading', { name: GRACE }).waitFor();
    expect(asked).toEqual([GRACE]);
    await tab.close();
  });

  it('are listed and saved in this browser; signing out forgets those that are not saved', async () => {
    const tab = await world.signedIn('/ask');
    const { page } = tab;
    await ask(page, ROOF);
    await page.getByRole('button', { name: 'Save question' }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await ask(page, GRACE);
    await page.getByText('Saved and earlier questions (2)').click();
    await page.getByRole('list', { name: 'Asked before' }).getByText(GRACE).waitFor();
    await page.getByRole('list', { name: 'Saved' }).getByRole('link', { name: ROOF }).click();
    await page.getByRole('heading', { name: ROOF }).waitFor();
    await expectSound(tab, 'kept-questions');
    // The questions, and neither an answer nor a key.
    expect(await stored(page)).toContain('q=Where+does+Grace+live');
    expect(await stored(page)).not.toContain('fixed the roof of the shed');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await stored(page)).not.toContain('Grace');
    expect(await stored(page)).toContain('q=When+did+Ben+fix');
    await tab.close();
  });

  it('folds weak hits away, and puts facts under their turn', async () => {
    const tab = await world.signedIn('/ask');
    const { page } = tab;
    await ask(page, ROOF);
    const first = page.locator('.hits > li').first();
    await first.getByRole('list', { name: 'Facts from this turn' }).getByText('Ben fixed the roof').waitFor();
    const shown = await page.locator('.hits > li').count();
    const more = page.getByRole('button', { name: /^Show \d+ weaker hits$/ });
    const weak = Number(/\d+/.exec((await more.textContent())!)![0]);
    await more.click();
    expect(await page.locator('.hits > li').count()).toBe(shown + weak);
    await tab.close();
  });

  describe.each(LOOKS)('%s', (look, how) => {
    it('are compared side by side, in the address', async () => {
      const tab = await world.signedIn('/ask', how);
      const { page } = tab;
      await ask(page, ROOF);
      await page.getByRole('link', { name: 'Compare' }).click();
      const side = (name: string) => page.getByRole('region', { name: `Question ${name}` });
      await side('A').locator('.hits > li').first().waitFor();
      await page.getByText('the first hit is the same').waitFor();
      await side('B').getByLabel('Question').fill(GRACE);
      await side('B').getByLabel('deep').check();
      await page.keyboard.press('Enter');
      await page.getByText('the first hit differs').waitFor();
      await side('A')
        .getByText('only here')
        .or(side('A').getByText(/\d+ there/))
        .first()
        .waitFor();
      await expectSound(tab, `compare-${look}`);
      const address = new URL(page.url()).searchParams;
      expect(new URLSearchParams(address.get('b')!).get('mode')).toBe('deep');
      await page.goBack();
      await page.getByText('the first hit is the same').waitFor();
      expect(await side('B').getByLabel('Question').inputValue()).toBe(ROOF);
      await tab.close();
    });
  });
});
