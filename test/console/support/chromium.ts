import { describe, it } from 'vitest';
import { chromium, WITHOUT_CHROMIUM } from './find-chromium.ts';

/** A suite that needs the browser: skipped where there is none, and a failure where CI says there must be. */
export const describeInBrowser = (name: string, body: () => void): void => {
  if (chromium === undefined && process.env.CI) throw new Error(`${name} can't run. ${WITHOUT_CHROMIUM}`);
  if (chromium !== undefined) describe(name, body);
  else describe.skip(name, () => it(`needs a browser. ${WITHOUT_CHROMIUM}`, () => {}));
};
