/**
 * A browser whose pages tell what no page of the console may do: ask another host, break its policy, log an
 * error.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../../support/processes/server.ts';
import { launchChromium } from './find-chromium.ts';

const SCREENSHOTS = join(ROOT, 'test/console/screenshots');

export interface Look {
  scheme?: 'light' | 'dark';
  width?: number;
  height?: number;
}

export interface Tab {
  page: Page;
  /** Returns what the page did that it may not, so far; a status that a test provokes is no fault. */
  faults(): string[];
  /** Takes a picture of the whole page, in test/console/screenshots/. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface Browser {
  /** A tab of its own, with nothing stored, as a person's new window. */
  open(url: string, look?: Look): Promise<Tab>;
  close(): Promise<void>;
}

/** `origin`: of the service, the only one that its pages may ask. */
export const startBrowser = async (origin: string): Promise<Browser> => {
  const browser = await launchChromium();
  mkdirSync(SCREENSHOTS, { recursive: true });

  const open: Browser['open'] = async (url, { scheme = 'light', width = 1280, height = 900 } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('request', request => {
      const asked = new URL(request.url());
      if (asked.origin !== origin && asked.protocol !== 'data:') faults.push(`asked ${asked.host}`);
    });
    page.on('pageerror', error => faults.push(`threw ${error.message}`));
    page.on('console', message => {
      // A refused call is told as an error by the browser itself; a test that provokes it looks at the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(`logged ${message.text()}`);
    });
    await page.exposeFunction('tellViolation', (what: string) => faults.push(`broke its policy: ${what}`));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        (window as unknown as { tellViolation(what: string): void }).tellViolation(
          `${violatedDirective} ${blockedURI}`,
        );
      });
    });
    await page.goto(url);
    return {
      page,
      faults: () => [...faults],
      screenshot: async name => {
        await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
      },
      close: () => context.close(),
    };
  };
  return { open, close: () => browser.close() };
};
