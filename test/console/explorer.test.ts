import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tab } from './support/browser.ts';
import { describeInBrowser } from './support/chromium.ts';
import { LONG_SESSION, longTurn, startWorld, type World } from './support/world.ts';

const { user, session, turns } = LONG_SESSION;
const LAST = turns - 1;
const PATH = `/explorer?${new URLSearchParams({ user, session })}`;
/** Turns that the browser may hold at once: a screen, what is around it, and room for flat ones. */
const MOST_ROWS = 60;
/** A page takes this long where a test slows it. */
const LATENCY_MS = 300;
/** Other tests on the machine stretch single steps: the usual one and 95 % are held, the longest is told. */
const USUAL_STEP_MS = 50;
const SLOW_STEP_MS = 100;

describeInBrowser('a session of 10,000 turns', () => {
  let world: World;
  let tab: Tab;
  let page: Page;
  beforeAll(async () => {
    world = await startWorld({ long: true });
    tab = await world.signedIn(PATH);
    page = tab.page;
    await page.getByText('(0)', { exact: false }).first().waitFor();
  });
  afterAll(async () => {
    await tab?.close();
    await world?.close();
  });

  /** The numbers of the turns that the browser holds, in the order in which they stand. */
  const held = (): Promise<number[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.row')]
        .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
        .map(row => Number(/\((\d+)\)$/.exec(row.querySelector('.said')?.textContent ?? '')?.[1])),
    );

  const expectUnbroken = async (): Promise<void> => {
    await expect.poll(async () => (await held()).length).toBeGreaterThan(5);
    const numbers = await held();
    expect(numbers.length).toBeLessThanOrEqual(MOST_ROWS);
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
  };

  const scrollOnce = (by: number): Promise<void> =>
    page.evaluate(async by => {
      const feed = document.querySelector('.turns')!;
      feed.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
      feed.scrollBy(0, by);
      // The frame that shows it, and what that frame has set off.
      for (let i = 0; i < 2; i++) await new Promise(resolve => requestAnimationFrame(resolve));
    }, by);

  /** Scrolls as a wheel does; returns the milliseconds of the page's thread for each step, sorted. */
  const scroll = async (by: number, times: number): Promise<number[]> => {
    const debuggerOf = await page.context().newCDPSession(page);
    await debuggerOf.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async (): Promise<number> => {
      const { metrics } = await debuggerOf.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
    };
    const steps: number[] = [];
    for (let i = 0; i < times; i++) {
      const before = await worked();
      await scrollOnce(by);
      steps.push((await worked()) - before);
    }
    await debuggerOf.detach();
    return steps.sort((a, b) => a - b);
  };

  it('begins with the first turn, and marks how long it goes on', async () => {
    expect((await held())[0]).toBe(0);
    await expectUnbroken();
    const line = page.getByRole('slider', { name: 'Time in the session' });
    expect(await line.getAttribute('aria-valuetext')).toBe('5 January 2026, 08:00 UTC');
  });

  it('stays smooth and unbroken while somebody scrolls through it', async () => {
    const steps = await scroll(400, 200);
    const [median, slow, longest] = [steps[100]!, steps[190]!, steps.at(-1)!];
    console.log(
      `explorer: a step of 400 pixels takes ${median.toFixed(1)} ms, 95 % ${slow.toFixed(1)}, at most ${longest.toFixed(1)}`,
    );
    await expect.poll(async () => (await held())[0]).toBeGreaterThan(500);
    await expectUnbroken();
    expect(median).toBeGreaterThan(0);
    expect(median).toBeLessThan(USUAL_STEP_MS);
    expect(slow).toBeLessThan(SLOW_STEP_MS);
  });

  it('goes to another time by the keyboard, and grows from there in both directions', async () => {
    const line = page.getByRole('slider', { name: 'Time in the session' });
    await line.focus();
    await page.keyboard.press('End');
    await expect.poll(held).toContain(LAST);
    await expectUnbroken();
    await page.getByText('The last turn is loaded.').waitFor();

    for (let i = 0; i < 40; i++) await scrollOnce(-300);
    await expect.poll(async () => (await held())[0]).toBeLessThan(LAST - 60);
    await expectUnbroken();

    await line.focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('PageDown');
    await expect.poll(async () => (await held())[0]).toBeLessThan(LAST / 1.5);
    await expectUnbroken();
    for (let i = 0; i < 40; i++) await scrollOnce(-300);
    await expectUnbroken();
    await tab.screenshot('long-session');
  });

  /** Holds every page of turns back, as a slow network does. */
  const slowly = async (then: () => Promise<void>): Promise<void> => {
    const pages = /\/memory\/turns\?/;
    await page.route(pages, async route => {
      await new Promise(resolve => setTimeout(resolve, LATENCY_MS));
      await route.continue().catch(() => undefined);
    });
    await then();
    await page.unroute(pages);
  };

  it('counts every press of a key, and keeps what was there until the next run is', async () => {
    const line = page.getByRole('slider', { name: 'Time in the session' });
    const told: (string | null)[] = [];
    const heights = new Set<number>();
    await line.press('Home');
    await expect.poll(async () => (await held())[0]).toBe(0);
    await slowly(async () => {
      const box = page.locator('.turns');
      for (let i = 0; i < 8; i++) {
        await line.press('PageUp');
        for (let part = 0; part < 3; part++) {
          await page.waitForTimeout(LATENCY_MS / 3);
          told.push(await line.inputValue());
          heights.add((await box.boundingBox())!.height);
          expect((await held()).length).toBeGreaterThan(5);
        }
      }
      await expect.poll(async () => (await held())[0]).toBeGreaterThan(LAST * 0.75);
    });
    expect([...new Set(told)]).toEqual(['100', '200', '300', '400', '500', '600', '700', '800']);
    expect([...heights]).toHaveLength(1);
    await expectUnbroken();
    expect(await line.inputValue()).toBe('800');
  });

  it('keeps the focus on a turn that is scrolled away', async () => {
    await page.getByRole('article').nth(2).focus();
    const focused = () =>
      page.evaluate(() => document.activeElement!.querySelector(':scope > .said')?.textContent);
    const before = await focused();
    for (let i = 0; i < 20; i++) await scrollOnce(300);
    expect(before).toMatch(/\(\d+\)$/);
    expect(await focused()).toBe(before);
    await page.getByRole('slider', { name: 'Time in the session' }).focus();
    await scrollOnce(300);
    await expectUnbroken();
  });

  it('keeps what was there when another time can not be loaded', async () => {
    const before = await held();
    const pages = /\/memory\/turns\?/;
    await page.route(pages, route => route.abort());
    const line = page.getByRole('slider', { name: 'Time in the session' });
    await line.press('PageDown');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await held()).toEqual(before);
    await page.unroute(pages);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => (await held())[0]).toBeLessThan(LAST * 0.75);
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
  });

  it('is where it was when the page is loaded again', async () => {
    const line = page.getByRole('slider', { name: 'Time in the session' });
    await line.press('Home');
    for (let i = 0; i < 3; i++) await line.press('PageUp');
    // The first turn after three tenths of its 118 days. Until its page is shown, the slider tells the tenths
    // themselves.
    await page.waitForURL(/&at=2026-02-09T18%3A00/);
    const told = () => line.getAttribute('aria-valuetext');
    await expect.poll(told).toBe('9 February 2026, 18:00 UTC');
    await page.reload();
    await page.locator('.row').first().waitFor();
    await expect.poll(told).toBe('9 February 2026, 18:00 UTC');
    await expectUnbroken();
  });

  it('begins with the turn that a link names', async () => {
    const { body } = await world.ask<{ turns: { id: string }[] }>(
      `/memory/turns?${new URLSearchParams({ user_id: user, session_id: session, since: longTurn(4_321).timestamp, limit: '1' })}`,
    );
    await page.goto(`${world.server.url}/console${PATH}&turn=${body.turns[0]!.id}`);
    await page.locator('.turn.target').waitFor();
    expect(await page.locator('.turn.target .said').textContent()).toMatch(/\(4321\)$/);
    await expect.poll(held).toContain(4_320);
    await expectUnbroken();
    const box = await page.locator('.turn.target').boundingBox();
    expect(box!.y).toBeLessThan(500);

    // Three steps back of a thousandth of the session, to a run that holds the named turn too: it stays where
    // it is led.
    await page.getByRole('slider', { name: 'Time in the session' }).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
    await expect.poll(held).toContain(4_289);
    await page.waitForTimeout(1_000);
    expect(await held()).toContain(4_289);
    expect(tab.faults()).toEqual([]);
  });
});
