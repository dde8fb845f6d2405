import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/wait.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { signIn, startWorld, type World } from './support/world.ts';

describeInBrowser('the audit log', () => {
  let world: World;
  let reader = '';
  beforeAll(async () => {
    world = await startWorld({ example: true });
    const created = await world.ask<{ api_key: string }>('/me/api-keys', {
      name: 'reads',
      roles: ['memory:read'],
    });
    reader = created.body.api_key;
    await until('the entry is there', async () => {
      const { body } = await world.ask<{ entries: unknown[] }>('/audit?action=keys.create');
      return body.entries.length > 0;
    });
  });
  afterAll(() => world?.close());

  it.each(LOOKS)('tells who did what, by filters that are in the address (%s)', async (look, how) => {
    const tab = await world.signedIn('/audit', how);
    const { page } = tab;
    const entries = page.getByRole('region', { name: 'Entries' });
    await entries.getByText('created a key').first().waitFor();
    await expectSound(tab, `audit-${look}`);
    await page.getByLabel('Action').selectOption({ label: 'created a key' });
    await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('keys.create');
    await expect.poll(() => entries.getByText('signed in').count()).toBe(0);
    await page.getByLabel('From').fill('2031-01-01');
    await page.getByText('No entries.').waitFor();
    await page.reload();
    await page.getByText('No entries.').waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe('2031-01-01');
    await tab.close();
  });

  it('is closed to a key without its role', async () => {
    const tab = await world.browser.open(`${world.server.url}/console/audit`);
    await signIn(tab, reader);
    await tab.page.getByText("This key can't read the audit log; it needs the role audit:read.").waitFor();
    await expectSound(tab, 'no-audit');
    await tab.close();
  });
});
