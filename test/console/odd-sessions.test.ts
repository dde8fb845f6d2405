import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../support/http/client.ts';
import type { Tab } from './support/browser.ts';
import { describeInBrowser } from './support/chromium.ts';
import { startWorld, type World } from './support/world.ts';

const ODD_IDS = ['100%25 a%2Fb', 'odd/user #1?x=%41&b c', '  two  spaces'];
const EVENING = '2026-02-03T18:00:00.000Z';
/** More than two pages of the list, all said at once. */
const CROWD = 450;

/** A name whose letters run from right to left, and would take the time beside it along. */
const TURNING = 'אינס מפורטו (x)';
const TALL = Array.from({ length: 150 }, (_, n) => `Verse ${n}`).join('\n');
/** More than a page of the list. */
const SESSIONS = 104;

const said = (text: string, timestamp: string, role = 'Ines') => ({ role, text, timestamp });

describeInBrowser('the explorer', () => {
  let world: World;
  let tab: Tab;
  let page: Page;

  const store = async (user_id: string, session_id: string, turns: unknown[]): Promise<void> => {
    const body = { scope: { org_id: 'local', user_id, session_id }, turns };
    expectStatus(await world.ask('/ingestion/memory', body), 202);
  };
  const pathOf = (user: string, session: string): string =>
    `/console/explorer?${new URLSearchParams({ user, session })}`;
  const go = (path: string) => page.goto(`${world.server.url}${path}`);

  beforeAll(async () => {
    world = await startWorld({});
    for (const id of ODD_IDS) await store(id, `session of ${id}`, [said(`Said by ${id}`, EVENING)]);
    await store(
      'ines',
      'crowd',
      Array.from({ length: CROWD }, (_, n) => said(`Line ${n}`, EVENING)),
    );
    await store('ines', 'growing', [said('The first', EVENING)]);
    await store('ines', 'verses', [
      said(TALL, EVENING),
      said('שלום לך.\nGood evening.', '2026-02-03T18:01:00.000Z', TURNING),
    ]);
    for (let n = 0; n < SESSIONS; n++) await store('hannah', `no. ${n}`, [said('Good.', EVENING)]);
    tab = await world.signedIn('/explorer');
    page = tab.page;
  });
  afterAll(async () => {
    await tab?.close();
    await world?.close();
  });

  it.each(ODD_IDS)('leads to the turns of a user whose id is "%s"', async id => {
    await go('/console/explorer');
    await page.locator('.entries strong', { hasText: id }).first().click();
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.locator('.entries strong', { hasText: `session of ${id}` }).click();
    await expect.poll(() => page.locator('.said').allTextContents()).toEqual([`Said by ${id}`]);
    await page.goBack();
    await page.locator('.entries strong', { hasText: `session of ${id}` }).waitFor();
    await page.reload();
    await page.locator('.entries strong', { hasText: `session of ${id}` }).waitFor();
  });

  it('begins with the turn that a link names among hundreds of the same instant', async () => {
    const scope = { user_id: 'ines', session_id: 'crowd', order: 'desc', limit: '10' };
    const { body } = await world.ask<{ turns: { id: string }[] }>(
      `/memory/turns?${new URLSearchParams(scope)}`,
    );
    const id = body.turns.at(-1)!.id;
    await go(`${pathOf('ines', 'crowd')}&turn=${id}`);
    await page.locator('.turn.target').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-current')))
      .toBe('true');
  });

  it('tells when the turn that a link names is of another session', async () => {
    const { body } = await world.ask<{ turns: { id: string }[] }>(
      `/memory/turns?${new URLSearchParams({ user_id: 'ines', session_id: 'crowd', limit: '1' })}`,
    );
    await go(`${pathOf('ines', 'growing')}&turn=${body.turns[0]!.id}`);
    await page.getByText('The linked turn belongs to another session.').waitFor();
    await page.getByText('The first').waitFor();
  });

  it('says that facts could not be loaded, and loads them when it is asked again', async () => {
    const details = /\/memory\/turns\/[^?]+$/;
    await page.route(details, route => route.abort());
    await go(pathOf('ines', 'growing'));
    await page.getByText('Some facts could not be loaded').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.unroute(details);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Details', { exact: true }).waitFor();
    await page.getByText('Some facts could not be loaded').waitFor({ state: 'detached' });
  });

  it('ends the time line with the newest turn that it has found', async () => {
    await go(pathOf('ines', 'growing'));
    await page.getByText('The last turn is loaded.').waitFor();
    await store('ines', 'growing', [said('A month later', '2026-03-03T18:00:00.000Z')]);
    await page.getByRole('button', { name: 'Check for newer turns' }).click();
    await page.getByText('A month later').waitFor();
    expect(await page.locator('.time-line span').last().textContent()).toBe('3 March 2026');
    const line = page.getByRole('slider', { name: 'Time in the session' });
    await line.press('End');
    expect(await line.getAttribute('aria-valuetext')).toBe('3 March 2026, 18:00 UTC');
  });

  it('goes on from the first entry that has come, where somebody asks for more', async () => {
    await go(`/console/explorer?${new URLSearchParams({ user: 'hannah' })}`);
    await page.getByRole('button', { name: 'Load more sessions' }).press('Enter');
    const entries = page.locator('.entries a');
    await expect.poll(() => entries.count()).toBe(SESSIONS);
    expect(await entries.nth(100).evaluate(entry => entry === document.activeElement)).toBe(true);
  });

  it('goes on where it was left, where somebody comes back to it', async () => {
    const entries = page.locator('.entries a');
    const followed = (await entries.nth(102).getAttribute('href'))!;
    await entries.nth(102).press('Enter');
    await page.getByText('Good.').waitFor();
    await page.goBack();
    await expect.poll(() => entries.count()).toBe(SESSIONS);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(followed);
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000);
  });

  it('goes through a tall turn page by page, and then to the next', async () => {
    await go(pathOf('ines', 'verses'));
    const first = page.getByRole('article').first();
    await first.focus();
    const offsets: number[] = [];
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('PageDown');
      offsets.push(await page.locator('.turns').evaluate(feed => feed.scrollTop));
      if (!(await first.evaluate(turn => turn === document.activeElement))) break;
    }
    const view = (await page.locator('.turns').boundingBox())!.height;
    expect(offsets.length).toBeGreaterThan(4);
    expect(offsets.every((at, n) => at - (offsets[n - 1] ?? 0) < view)).toBe(true);
    expect(
      await page
        .getByRole('article')
        .nth(1)
        .evaluate(turn => turn === document.activeElement),
    ).toBe(true);
  });

  it('lets no name turn what stands beside it', async () => {
    const by = page.getByRole('article').nth(1).locator('header span').first();
    const role = (await by.locator('strong').boundingBox())!;
    const at = (await by.locator('time').boundingBox())!;
    expect(role.width).toBeGreaterThan(40);
    expect(at.x).toBeGreaterThanOrEqual(role.x + role.width);
    await tab.screenshot('odd-session');
  });

  it('leaves room around the conversation on a low screen', async () => {
    await page.setViewportSize({ width: 640, height: 450 });
    const box = (await page.locator('.turns').boundingBox())!;
    expect(box.height).toBeLessThan(350);
    await page.locator('.turns').hover();
    for (let i = 0; i < 20; i++) await page.mouse.wheel(0, 2_000);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50);
    await tab.screenshot('low-screen');
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(tab.faults()).toEqual([]);
  });
});
