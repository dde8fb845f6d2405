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
    for (const path of ['', '/start', '/operate', '/reference/api']) {
      const tab = await world.browser.open(`${world.server.url}/docs${path}`, { scheme, width });
      expect([path, await violations(tab.page), tab.faults()]).toEqual([path, [], []]);
      await tab.close();
    }
  });
});
