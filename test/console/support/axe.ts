import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const BAD = new Set(['serious', 'critical']);

const violationsOf = async (page: Page): Promise<AxeResults['violations']> => {
  // Evaluated by the debugger, not added to the page: its policy takes no other script.
  await page.evaluate(SOURCE);
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document, { preload: false, resultTypes: ['violations'] })",
  );
  return violations;
};

const told = ({ id, help, nodes }: AxeResults['violations'][number]): string =>
  `${id}: ${help} (${nodes[0]?.html})`;

/**
 * Returns what axe finds on the page as it stands, also what is only tiresome, each with the first element
 * that has it.
 */
export const violations = async (page: Page): Promise<string[]> => (await violationsOf(page)).map(told);

/** Returns those of the violations that keep people out. */
export const barriers = async (page: Page): Promise<string[]> =>
  (await violationsOf(page)).filter(({ impact }) => BAD.has(impact ?? '')).map(told);
