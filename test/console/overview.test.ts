import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../support/http/client.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

describeInBrowser('the overview of a memory', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
    await world.ask('/recall', { scope: { org_id: 'local' }, q: 'When did Ben fix the roof?' });
  });
  afterAll(() => world?.close());

  describe.each(LOOKS)('%s', (look, how) => {
    it('counts what was said, learnt and asked by day', async () => {
      const tab = await world.signedIn('/', how);
      const { page } = tab;
      const turns = page.getByRole('region', { name: 'Turns stored' });
      await expect
        .poll(async () => {
          await page.getByRole('button', { name: 'Refresh the memory' }).click();
          return Number((await turns.locator('.figure').textContent())?.replaceAll(',', ''));
        })
        .toBeGreaterThanOrEqual(7);
      await page
        .getByRole('region', { name: 'Confidence of a recall, in the middle' })
        .locator('.figure', { hasText: /\d\.\d to/ })
        .waitFor();
      await expectSound(tab, `memory-${look}`);
      await page.getByLabel('Days', { exact: true }).selectOption('7');
      await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('7');
      await page.getByText('Show the days as a table').click();
      const days = page.getByRole('region', { name: 'Counts per day' }).locator('tbody tr');
      await expect.poll(() => days.count()).toBe(7);
      await page.reload();
      expect(await page.getByLabel('Days', { exact: true }).inputValue()).toBe('7');
      await tab.close();
    });

    it('shows what was said last, and what is said meanwhile', async () => {
      const tab = await world.signedIn('/', how);
      const { page } = tab;
      const recent = page.getByRole('list', { name: 'Last active conversations' });
      await recent.scrollIntoViewIfNeeded();
      await recent.getByText('Ben: Grace said that she will show us the telescope.').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      const text = `The kettle is broken again, says ${look}.`;
      const turns = [{ role: 'Robin', text, timestamp: new Date().toISOString() }];
      const body = { scope: { org_id: 'local', user_id: 'robin', session_id: look }, turns };
      expectStatus(await world.ask('/ingestion/memory', body), 202);
      const live = page.getByRole('list', { name: 'Written just now' });
      await live.getByText(text).waitFor();
      await expectSound(tab, `activity-${look}`);
      await live.getByRole('link', { name: text }).click();
      await page.locator('.turn.target').getByText(text).waitFor();
      await tab.close();
    });
  });
});
