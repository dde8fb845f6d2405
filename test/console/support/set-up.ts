/**
 * The global setup of the project `console`: the page is built if its sources are newer, and a missing
 * browser is named last.
 */
import build from '../../support/processes/build-when-changed.ts';
import { chromium, WITHOUT_CHROMIUM } from './find-chromium.ts';

export default (): (() => void) => {
  if (chromium !== undefined) build();
  return () => {
    // After the summary, where it is read; in CI the suites fail and say it themselves.
    if (chromium === undefined && !process.env.CI)
      process.stderr.write(`Skipped: the console's suites (test/console). ${WITHOUT_CHROMIUM}\n`);
  };
};
