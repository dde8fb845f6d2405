import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const BAD = new Set(['serious', 'critical']);

/** What axe finds on the page as it stands that keeps people out, each with the first element that has it. */
export const barriers = async (page: Page): Promise<string[]> => {
  // Evaluated by the debugger, not added to the page: its policy takes no other script.
  await page.evaluate(SOURCE);
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document, { preload: false, resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => BAD.has(impact ?? ''))
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html})`);
};
