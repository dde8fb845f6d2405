/** The browser to walk through the console in: Debian's Chromium, or one that the environment names. */
import { accessSync, constants } from 'node:fs';
import { type Browser, chromium as driver } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const isThere = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const chromium = [process.env.CHROMIUM ?? [], PLACES].flat().find(isThere);

export const WITHOUT_CHROMIUM = `No Chromium at ${PLACES.join(', ')} or where CHROMIUM names one.`;

/** As root, which has no sandbox, and with the small /dev/shm of a container. */
export const launchChromium = (): Promise<Browser> =>
  driver.launch({
    executablePath: chromium!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
