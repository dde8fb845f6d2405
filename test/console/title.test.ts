import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../support/http/client.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { signIn, startWorld, type World } from './support/world.ts';

const ODD = '100%25 a/b?x=1&y#2';

describeInBrowser('titles that a key with memory:curate gives to sessions', () => {
  let world: World;
  const store = async (user_id: string, session_id: string): Promise<void> => {
    const turns = [{ role: 'user', text: 'Good.', timestamp: '2026-02-03T18:00:00Z' }];
    const body = { scope: { org_id: 'local', user_id, session_id }, turns };
    expectStatus(await world.ask('/ingestion/memory', body), 202);
  };
  beforeAll(async () => {
    world = await startWorld({});
    for (const [look] of LOOKS) for (const session of ['one', ODD]) await store(`titles ${look}`, session);
    await store('titles again', 'one');
    for (const session of ['one', '..']) await store('titles reads', session);
  });
  afterAll(() => world?.close());
  const explorer = (user: string): string => `/explorer?${new URLSearchParams({ user })}`;

  it.each(LOOKS)('are given, changed and removed in the list (%s)', async (look, how) => {
    const tab = await world.signedIn(explorer(`titles ${look}`), how);
    const { page } = tab;
    const entry = (session: string) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('button', { name: `Title ${session}`, exact: true }) });
    const one = entry('one');
    const button = one.getByRole('button', { name: 'Title one' });
    const isFocused = () => button.evaluate(element => element === document.activeElement);
    await button.click();
    const title = one.getByLabel('Title', { exact: false }).and(page.getByRole('textbox'));
    await title.fill('The move to Lyon');
    await expectSound(tab, `title-session-${look}`);
    await page.keyboard.press('Escape');
    await title.waitFor({ state: 'detached' });
    expect(await isFocused()).toBe(true);
    expect(await one.getByRole('link').textContent()).not.toContain('Lyon');

    await button.click();
    await title.fill('The move to Lyon');
    await page.keyboard.press('Enter');
    await one.getByRole('link', { name: 'The move to Lyon' }).waitFor();
    expect(await isFocused()).toBe(true);
    expect(await page.getByRole('status').textContent()).toBe('The title was saved.');
    await expectSound(tab, `session-titled-${look}`);

    await entry(ODD).getByRole('button').click();
    await entry(ODD).getByRole('textbox').fill(`Title of ${ODD}`);
    await entry(ODD).getByRole('button', { name: 'Save' }).click();
    await entry(ODD)
      .getByRole('link', { name: `Title of ${ODD}` })
      .waitFor();

    await page.reload();
    await one.getByRole('link', { name: 'The move to Lyon' }).waitFor();
    await entry(ODD)
      .getByRole('link', { name: `Title of ${ODD}` })
      .waitFor();
    await button.click();
    expect(await title.inputValue()).toBe('The move to Lyon');
    await title.fill('');
    await one.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The title was removed.').waitFor();
    expect(await one.getByRole('link').textContent()).not.toContain('Lyon');
    await page.reload();
    await one.waitFor();
    expect(await one.getByRole('link').textContent()).not.toContain('Lyon');
    await tab.close();
  });

  it('a refusal is shown in the form, which tries again', async () => {
    const tab = await world.signedIn(explorer('titles again'));
    const { page } = tab;
    await page.getByRole('button', { name: 'Title one' }).click();
    const form = page.getByRole('form', { name: 'Title of one' });
    const title = form.getByRole('textbox');
    await title.evaluate(input => input.removeAttribute('maxlength'));
    await title.fill('x'.repeat(257));
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Title must have at most 256 characters.').first().waitFor();
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    await expectSound(tab, 'title-fault');
    const busy = { status: 503, body: JSON.stringify({ message: 'The projections are behind.' }) };
    await page.route(
      '**/memory/sessions/*',
      async route => {
        // It was titled all the same.
        await route.fetch();
        await route.fulfill(busy);
      },
      { times: 1 },
    );
    await title.fill('The move to Lyon');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The projections are behind.').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'The move to Lyon' }).waitFor();
    await tab.close();
  });

  it('another key does not, and no key names a session that no path can', async () => {
    const tab = await world.signedIn(explorer('titles reads'));
    await tab.page.getByRole('button', { name: 'Title one' }).waitFor();
    expect(await tab.page.getByRole('button', { name: /^Title/ }).count()).toBe(1);
    await tab.close();

    const body = { name: 'reads', roles: ['memory:read'], user_id: 'titles reads' };
    const created = await world.ask<{ api_key: string }>('/me/api-keys', body);
    const other = await world.browser.open(`${world.server.url}/console${explorer('titles reads')}`);
    await signIn(other, expectStatus(created, 201).api_key);
    await other.page.getByRole('link', { name: /^one/ }).waitFor();
    expect(await other.page.getByRole('button', { name: /^Title/ }).count()).toBe(0);
    await other.close();
  });
});
