import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessToken, send } from '../support/http/client.ts';
import { until } from '../support/wait.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { signIn, startWorld, type World } from './support/world.ts';

interface Split {
  tokens_in: number;
  tokens_out: number;
  split: { shares: { user_id: string }[]; erased: { tokens_in: number }; pending: { tokens_in: number } };
}

const numbered = (text: string): number => Number(text.replaceAll(',', ''));

describeInBrowser('the usage page', () => {
  let world: World;
  let erased = 0;
  beforeAll(async () => {
    world = await startWorld({ example: true });
    for (const [user_id, text] of [
      ['big', 'I talk a lot, about beans, kettles, rivers and maps, and then about the beans again.'],
      ['small', 'I do not.'],
      ['gone', 'Nobody will know that I was here.'],
    ])
      await world.ask('/ingestion/memory', {
        scope: { org_id: 'local', user_id, session_id: 's' },
        turns: [{ role: 'user', text, timestamp: '2026-01-05T08:00:00Z' }],
      });
    for (let i = 0; i < 4; i++)
      await world.ask('/recall', { scope: { org_id: 'local', user_id: 'small' }, q: 'Do I not?' });
    const token = await accessToken(world.server.url, world.server.apiKey);
    await send(`${world.server.url}/memory?user_id=gone`, 'DELETE', undefined, token);
    await until('all is split', async () => {
      const { body } = await world.ask<Split>('/usage/today?by=user');
      erased = body.split.erased.tokens_in;
      return erased > 0 && body.split.pending.tokens_in === 0;
    });
  });
  afterAll(() => world?.close());

  it.each(LOOKS)(
    'splits by user, session and key, by choices that are in the address (%s)',
    async (look, how) => {
      const tab = await world.signedIn('/usage', how);
      const { page } = tab;
      const table = page.getByRole('region', { name: 'Tokens by user' });
      await table.getByRole('link', { name: 'big' }).waitFor();
      await expectSound(tab, `usage-${look}`);
      const rows = table.locator('tbody tr');
      const values = async (column: number): Promise<number[]> =>
        (await rows.locator(`td:nth-child(${column})`).allTextContents()).map(numbered);
      const total = numbered((await table.locator('tfoot td').last().textContent())!);
      const together = await values(4);
      expect(together.reduce((sum, one) => sum + one, 0)).toBe(total);
      const named = together.slice(0, await rows.getByRole('link').count());
      expect(named.length).toBeGreaterThan(2);
      expect(named).toEqual(named.toSorted((a, b) => b - a));
      expect(await rows.getByRole('link').first().textContent()).not.toContain('small');
      const gone = rows.filter({ hasText: 'Erased or expired users and sessions' });
      expect(numbered((await gone.locator('td').first().textContent())!)).toBe(erased);
      expect(await page.content()).not.toContain('>gone<');

      await page.getByRole('button', { name: 'Tokens out' }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('out');
      const out = (await values(3)).slice(0, named.length);
      expect(out).toEqual(out.toSorted((a, b) => b - a));
      expect(await rows.getByRole('link').first().textContent()).toContain('small');
      await page.getByLabel('By', { exact: true }).selectOption('session');
      await page
        .getByRole('region', { name: 'Tokens by session' })
        .getByRole('link', { name: 's' })
        .first()
        .waitFor();
      const today = new Date().toISOString().slice(0, 10);
      await page.getByLabel(/^Day/).selectOption(today);
      await page.getByRole('region', { name: 'Tokens by session' }).waitFor();
      await expectSound(tab, `usage-session-${look}`);
      await page.getByLabel('By', { exact: true }).selectOption('key');
      const keys = page.getByRole('region', { name: 'Tokens by key' });
      await keys.locator('tbody tr').first().waitFor();
      await page.reload();
      await keys.locator('tbody bdi').first().waitFor();
      expect(await page.getByLabel(/^Day/).inputValue()).toBe(today);
      await expectSound(tab, `usage-key-${look}`);
      await page.goBack();
      await page.getByRole('region', { name: 'Tokens by session' }).waitFor();
      await page.getByLabel('Month').selectOption({ index: 3 });
      await page.getByText('No usage in this month.').waitFor();
      await tab.close();
    },
  );

  it.each(['/usage?by=session', '/webhooks', '/keys', '/ask'])('fits every width (%s)', async path => {
    const tab = await world.signedIn(path);
    await tab.page.getByRole('link', { name: 'Settings' }).waitFor();
    await tab.page.waitForLoadState('networkidle');
    for (const width of [390, 720, 900, 1_100, 1_216, 1_217, 1_920]) {
      await tab.page.setViewportSize({ width, height: 900 });
      await expectSound(tab, `width-${width}${path.replace(/\W/g, '-')}`);
    }
    await tab.close();
  });

  it('is closed to a key without its role', async () => {
    const { body } = await world.ask<{ api_key: string }>('/me/api-keys', {
      name: 'reads',
      roles: ['memory:read'],
    });
    const tab = await world.browser.open(`${world.server.url}/console/usage`);
    await signIn(tab, body.api_key);
    await tab.page.getByText("This key can't see usage; it needs the role usage:read.").waitFor();
    await tab.close();
  });
});
