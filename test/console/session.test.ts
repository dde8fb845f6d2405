import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser } from './support/chromium.ts';
import { signIn, startWorld, type World } from './support/world.ts';

/** The files of pages that are fetched ahead. */
const PAGES = ['ask', 'audit', 'compare', 'keys', 'settings', 'users-page'];

describeInBrowser('who is signed in', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  const stored = (page: Page) =>
    page.evaluate(() => ({
      local: JSON.stringify({ ...localStorage }),
      session: JSON.stringify({ ...sessionStorage }),
      cookies: document.cookie,
    }));

  it('keeps the tokens in this tab alone, and the key nowhere', async () => {
    const asked: string[] = [];
    const tab = await world.browser.open(`${world.server.url}/console`);
    const { page } = tab;
    page.on('request', request => asked.push(request.url()));
    await signIn(tab, world.server.apiKey);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys of local' }).waitFor();

    const { local, session, cookies } = await stored(page);
    expect([local, cookies, await page.context().cookies()]).toEqual(['{}', '', []]);
    const { access_token, refresh_token } = JSON.parse(JSON.parse(session)['turnstone.tokens']);
    expect(session).not.toContain(world.server.apiKey);
    expect(await page.content()).not.toContain(access_token);
    for (const url of [...asked, page.url()])
      for (const secret of [world.server.apiKey, access_token, refresh_token])
        expect(url).not.toContain(secret);

    await page.reload();
    await page.getByRole('heading', { name: 'Keys of local' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${world.server.url}/console`);
    await other.getByLabel('API key').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await stored(page)).toEqual({ local: '{}', session: '{}', cookies: '' });
    expect(tab.faults()).toEqual([]);
    await tab.close();
  });

  const spoilTokens = (page: Page, change: Record<string, string>) =>
    page.evaluate(change => {
      const tokens = JSON.parse(sessionStorage.getItem('turnstone.tokens')!);
      sessionStorage.setItem('turnstone.tokens', JSON.stringify({ ...tokens, ...change }));
    }, change);

  it('renews a token that the service refuses, once for all calls', async () => {
    const tab = await world.signedIn();
    const { page } = tab;
    let renewals = 0;
    page.on('request', request => {
      if (request.url().endsWith('/auth/refresh')) renewals += 1;
    });
    await spoilTokens(page, { access_token: 'no.such.token' });
    await page.reload();
    await page.getByRole('meter').first().waitFor();
    expect(renewals).toBe(1);
    expect((await stored(page)).session).not.toContain('no.such.token');
    await tab.close();
  });

  it('asks to sign in again when there is nothing left to renew with', async () => {
    const tab = await world.signedIn();
    const { page } = tab;
    await spoilTokens(page, { access_token: 'no.such.token', refresh_token: 'nor.this.one' });
    await page.reload();
    await page.getByText('Your session has ended. Sign in again to continue.').waitFor();
    expect((await stored(page)).session).toBe('{}');
    await tab.close();
  });

  it('goes from the key to an answer and its conversation without a mouse', async () => {
    const tab = await world.browser.open(`${world.server.url}/console/ask`);
    const { page } = tab;
    const { keyboard } = page;
    /** Tab until the focus is on what is named so. */
    const tabTo = async (name: RegExp, key = 'Tab'): Promise<void> => {
      for (let i = 0; i < 40; i++) {
        await keyboard.press(key);
        const focused = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement | null;
          return (
            at?.getAttribute('aria-label') ??
            (at as HTMLInputElement)?.labels?.[0]?.textContent ??
            at?.textContent ??
            ''
          );
        });
        if (name.test(focused)) return;
      }
      throw new Error(`Tab does not lead to ${name}`);
    };
    await page.getByLabel('API key').waitFor();
    await keyboard.type(world.server.apiKey);
    await keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: 'Ask' });
    await heading.waitFor();
    await expect.poll(() => heading.evaluate(one => one === document.activeElement)).toBe(true);
    await tabTo(/^Skip to content$/, 'Shift+Tab');
    await keyboard.press('Enter');
    await tabTo(/^Question$/);
    await keyboard.type('Where did Grace find a flat?');
    await keyboard.press('Enter');
    await page.locator('.hits li').first().waitFor();
    await tabTo(/^Open conversation$/);
    await keyboard.press('Enter');
    await page.locator('.turn.target').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.said')?.textContent);
    await expect.poll(focused).toContain('flat');
    const led = await focused();
    await keyboard.press('PageDown');
    await expect.poll(focused).toBe('Is it the one above the bakery?');
    await keyboard.press('PageUp');
    await expect.poll(focused).toBe(led);
    await tabTo(/^Time in the session$/, 'Shift+Tab');
    await keyboard.press('ArrowRight');
    expect(tab.faults()).toEqual([]);
    await tab.close();
  });

  it('says in words what a key may not do', async () => {
    const created = await world.ask<{ api_key: string }>('/me/api-keys', {
      name: 'usage only',
      roles: ['usage:read'],
    });
    const tab = await world.browser.open(`${world.server.url}/console`);
    await signIn(tab, created.body.api_key);
    await tab.page.getByRole('meter').first().waitFor();
    await tab.page.getByRole('link', { name: 'Users' }).click();
    await tab.page.getByText('This key is not allowed to do that').waitFor();
    await tab.page.getByText('The credential lacks the role memory:read.').waitFor();
    await tab.page.getByRole('link', { name: 'Ask' }).click();
    await tab.page.getByText("This key can't ask; it needs the role memory:read.").waitFor();
    await tab.page.getByRole('link', { name: 'Keys' }).click();
    await tab.page.getByText("This key can't see or create keys; it needs the role keys:manage.").waitFor();
    expect(await tab.page.getByRole('alert').count()).toBe(0);
    await tab.screenshot('no-keys');
    await tab.close();
  });

  it('signs out whoever revokes the key that they signed in with', async () => {
    const roles = ['keys:manage', 'usage:read'];
    const created = await world.ask<{ api_key: string }>('/me/api-keys', { name: 'own', roles });
    const tab = await world.browser.open(`${world.server.url}/console/keys`);
    const { page } = tab;
    await signIn(tab, created.body.api_key);
    await page.getByRole('button', { name: 'Revoke own' }).click();
    let revoke!: () => void;
    const held = new Promise<void>(resolve => {
      revoke = resolve;
    });
    await page.route('**/me/api-keys/*', route => held.then(() => route.continue()));
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoking …' }).waitFor();
    revoke();
    await page.getByText('The key that you signed in with was revoked.').waitFor();
    expect((await stored(page)).session).toBe('{}');
    await tab.close();
  });

  it('shows the session of a turn that is not kept', async () => {
    const query = new URLSearchParams({ user: 'family', session: '2026-04', turn: `trn_${'0'.repeat(32)}` });
    const tab = await world.signedIn(`/explorer?${query}`);
    await tab.page.getByText('The linked turn is not stored. This is its session.').waitFor();
    await tab.page.getByText('I fixed the roof of the shed yesterday').waitFor();
    await tab.close();
  });

  it('has every page once somebody is signed in, also when the service stops then', async () => {
    const tab = await world.signedIn();
    const { page } = tab;
    // The feed stays open, so that the network is never idle.
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)))
      .toEqual(expect.arrayContaining(PAGES.map(name => expect.stringContaining(`/assets/${name}-`))));
    await page.route('**/console/**', route => route.abort());
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByRole('heading', { name: 'Ask', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys of local' }).waitFor();
    await tab.close();
  });

  it.each([
    ['gone', (route: Route) => route.abort()],
    ['upgraded', (route: Route) => route.fulfill({ status: 404, body: '{}' })],
  ])('tries again a page that could not be loaded while the service was %s', async (_, refuse) => {
    const tab = await world.browser.open(`${world.server.url}/console`);
    const { page } = tab;
    const files = /\/console\/assets\/ask-/;
    await page.route(files, refuse);
    await signIn(tab, world.server.apiKey);
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByText('The service is not responding, or it was upgraded.').waitFor();
    await tab.screenshot('not-loaded');
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys of local' }).waitFor();
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The service is not responding, or it was upgraded.').waitFor();
    await page.unroute(files);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Ask', exact: true }).waitFor();
    // With its style sheet.
    expect(await page.locator('.question').evaluate(one => getComputedStyle(one).display)).toBe('flex');
    await tab.close();
  });

  describe('a duplicated tab', () => {
    const tokensOf = (page: Page): Promise<string> =>
      page.evaluate(() => sessionStorage.getItem('turnstone.tokens')!);
    /** As the browser does it: with a copy of what the tab keeps. */
    const duplicate = async (page: Page, tokens: string): Promise<Page> => {
      const other = await page.context().newPage();
      await other.addInitScript(tokens => {
        if (sessionStorage.length === 0) sessionStorage.setItem('turnstone.tokens', tokens);
      }, tokens);
      await other.goto(`${world.server.url}/console`);
      await other.getByRole('meter').first().waitFor();
      return other;
    };
    /** Shows the keys, whose first call is refused as one with a token that is too old. */
    const renew = async (page: Page): Promise<void> => {
      const before = await tokensOf(page);
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.route('**/me/api-keys', route => route.fulfill({ status: 401, body: '{}' }), { times: 1 });
      await page.getByRole('link', { name: 'Keys' }).click();
      await page.locator('.key').first().waitFor();
      expect(await tokensOf(page)).not.toBe(before);
    };

    it('goes on beside the first, whichever of them renews the tokens', async () => {
      const { page } = await world.signedIn();
      const other = await duplicate(page, await tokensOf(page));
      await renew(page);
      await renew(page);
      await expect.poll(() => tokensOf(other)).toBe(await tokensOf(page));
      await renew(other);
      await renew(other);
      await renew(page);
      await page.context().close();
    });

    it('that slept is given the tokens that its own were renewed to', async () => {
      const { page } = await world.signedIn();
      const old = JSON.parse(await tokensOf(page));
      await renew(page);
      await renew(page);
      const other = await duplicate(page, JSON.stringify({ ...old, access_token: 'too.old.now' }));
      await expect.poll(() => tokensOf(other)).toBe(await tokensOf(page));
      await renew(page);
      await page.context().close();
    });
  });

  it('works in a browser that keeps nothing', async () => {
    const tab = await world.browser.open('about:blank');
    const { page } = tab;
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('Access is denied.', 'SecurityError');
          },
        });
    });
    await page.goto(`${world.server.url}/console/keys`);
    await signIn(tab, world.server.apiKey);
    await page.getByRole('button', { name: /^Colour theme: system/ }).click();
    await page.getByRole('button', { name: /^Colour theme: light/ }).waitFor();
    expect(tab.faults()).toEqual([]);
    await tab.close();
  });

  it('says which cap is reached, and when it resets', async () => {
    const poor = await startWorld({ environment: { TURNSTONE_QUOTA_TOKENS_IN: '3' } });
    const tab = await poor.signedIn('/ask');
    await tab.page.getByLabel('Question').fill('Which of the many words of this question are too many?');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByText("Today's cap on tokens in has been reached").waitFor();
    await tab.page.getByText(/0 of 3 tokens have been used\. The cap resets on .*, 00:00 UTC\./).waitFor();
    await tab.screenshot('quota');
    await tab.close();
    await poor.close();
  });

  it('says that the service is gone, and goes on when it is back', async () => {
    const tab = await world.signedIn('/explorer');
    const { page } = tab;
    await page.getByRole('link', { name: 'family' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'family' }).click();
    await page.getByText('The service is unreachable').waitFor();
    await tab.screenshot('offline');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Grace' }).first().waitFor();
    await tab.close();
  });
});
