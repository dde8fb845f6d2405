import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

  it('can be used soon', async () => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const tab = await world.browser.open('about:blank');
      const began = performance.now();
      await tab.page.goto(`${world.server.url}/console`, { waitUntil: 'commit' });
      await tab.page.locator('#api-key:focus').waitFor();
      times.push(performance.now() - began);
      await tab.close();
    }
    times.sort((a, b) => a - b);
    console.log(`interactive: ${times.map(ms => ms.toFixed(0)).join(', ')} ms`);
    expect(times[2]).toBeLessThan(INTERACTIVE_MS);
  });
});
