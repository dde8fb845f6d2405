/** The looks in which pages are walked, and what holds of each page in all of them. */
import { expect } from 'vitest';
import { barriers } from './axe.ts';
import type { Look, Tab } from './browser.ts';

export const LOOKS: [name: string, look: Look][] = [
  ['light', { scheme: 'light' }],
  ['dark', { scheme: 'dark' }],
  ['narrow', { scheme: 'light', width: 360, height: 740 }],
];

/**
 * Expects of a page as it stands that nobody is kept out of it, nothing lies beyond its edge, and it did
 * nothing it may not.
 */
export const expectSound = async (tab: Tab, name: string): Promise<void> => {
  await tab.screenshot(name);
  const beyond = await tab.page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([name, await barriers(tab.page), beyond, tab.faults()]).toEqual([name, [], 0, []]);
};
