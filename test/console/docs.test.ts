/** The documentation's pages: the service serves them too, and nobody is to be kept out of them either. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { describeInBrowser } from './support/chromium.ts';
import { startWorld, type World } from './support/world.ts';

describeInBrowser('the documentation', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({});
  });
  afterAll(() => world?.close());

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('has nothing that axe would mend, %s, %i pixels wide', async (scheme, width) => {
    // The contents, blocks of code, tables with a corner that says nothing, and the reference.
    for (const path of ['', '/start', '/guides/prompts', '/operate', '/reference/api']) {
      const tab = await world.browser.open(`${world.server.url}/docs${path}`, { scheme, width });
      expect([path, await violations(tab.page), tab.faults()]).toEqual([path, [], []]);
      await tab.close();
    }
  });

  it('finds by words with a typing error, from the keyboard alone, and leads to the passage', async () => {
    const { page, faults, close } = await world.browser.open(`${world.server.url}/docs`);
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('quarantin');
    const first = page.getByRole('dialog').getByRole('link').first();
    await first.waitFor();
    expect(await page.getByRole('dialog').locator('mark').count()).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);
    const address = await first.getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${address}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('zeppelinkapitän');
    await page.getByText('Nothing found for').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(faults()).toEqual([]);
    await close();
  });

  it('copies commands without their prompts and output', async () => {
    const { page, faults, close } = await world.browser.open(`${world.server.url}/docs/start`);
    const block = page.locator('.code', { hasText: 'When did Ben fix the roof?" --kinds' });
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'turnstone recall "When did Ben fix the roof?" --kinds turn --top-k 1',
    );
    expect(faults()).toEqual([]);
    await close();
  });

  it('shows one language of several, the one that was chosen last, by the keyboard too', async () => {
    const { page, faults, close } = await world.browser.open(`${world.server.url}/docs/guides/prompts`);
    const shown = () => page.getByRole('tabpanel').first().textContent();
    expect(await shown()).toContain('turnstone recall');
    await page.getByRole('tab', { name: 'Python' }).first().click();
    expect(await shown()).toContain('from turnstone_client import Turnstone');
    await page.reload();
    expect(await shown()).toContain('from turnstone_client import Turnstone');
    await page.getByRole('tab', { name: 'Python' }).first().focus();
    await page.keyboard.press('ArrowLeft');
    expect(await shown()).toContain('@turnstone/client');
    expect(faults()).toEqual([]);
    await close();
  });
});
