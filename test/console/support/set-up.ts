/** The global setup of the project `console`: the page is built if its sources are newer, and a missing browser is named last. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../support/processes/server.ts';
import { chromium, WITHOUT_CHROMIUM } from './find-chromium.ts';

const BUILD = join(ROOT, 'tools/build/when-changed.ts');

export default (): (() => void) => {
  if (chromium !== undefined) execFileSync(process.execPath, [BUILD], { stdio: 'inherit' });
  return () => {
    // After the summary, where it is read; in CI the suites fail and say it themselves.
    if (chromium === undefined && !process.env.CI)
      process.stderr.write(`Skipped: the console's suites (test/console). ${WITHOUT_CHROMIUM}\n`);
  };
};
