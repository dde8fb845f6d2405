import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tab } from './support/browser.ts';
import { describeInBrowser } from './support/chromium.ts';
import { signIn, startWorld, type World } from './support/world.ts';

const MOST_BYTES = 250_000;
/** The median of five. */
const INTERACTIVE_MS = 1_500;

describeInBrowser('the first page', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  it('is light: what comes until the overview stands, gzipped', async () => {
    const tab = await world.browser.open('about:blank');
    const sizes: Promise<[string, number]>[] = [];
    tab.page.on('response', response => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/console'))
        sizes.push(response.body().then(body => [pathname, gzipSync(body).length]));
    });
    await tab.page.goto(`${world.server.url}/console`);
    await signIn(tab, world.server.apiKey);
    await tab.page.getByRole('meter').first().waitFor();
    const files = await Promise.all(sizes);
    const total = files.reduce((sum, [, size]) => sum + size, 0);
    console.log(`first page: ${(total / 1000).toFixed(0)} kB gzipped in ${files.length} files`);
    expect(files.length).toBeGreaterThan(4);
    expect(total).toBeLessThan(MOST_BYTES);
    await tab.close();
  });

  /** Milliseconds, ascending. */
  const timed = async (load: () => Promise<void>): Promise<number[]> => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const began = performance.now();
      await load();
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b);
  };
  const inWords = (times: number[]): string => `${times.map(ms => ms.toFixed(0)).join(', ')} ms`;

  it('can be used soon', async () => {
    const tabs: Tab[] = [];
    for (let i = 0; i < 5; i++) tabs.push(await world.browser.open('about:blank'));
    const left = [...tabs];
    const times = await timed(async () => {
      const { page } = left.pop()!;
      await page.goto(`${world.server.url}/console`, { waitUntil: 'commit' });
      await page.locator('#api-key:focus').waitFor();
    });
    console.log(`interactive: ${inWords(times)}`);
    expect(times[2]).toBeLessThan(INTERACTIVE_MS);
    for (const tab of tabs) await tab.close();
  });

  it('stands soon for whoever is signed in, with the chart of the month', async () => {
    const { page, close } = await world.signedIn();
    const times = await timed(async () => {
      await page.reload({ waitUntil: 'commit' });
      await page.getByRole('meter').first().waitFor();
      await page.locator('.chart canvas, .chart svg').first().waitFor();
    });
    console.log(`interactive, signed in: ${inWords(times)}`);
    expect(times[2]).toBeLessThan(INTERACTIVE_MS);
    await close();
  });
});
