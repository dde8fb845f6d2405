import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleEndpoints } from '../../services/surfaces/http/console.ts';
import { startApp, type TestApp } from '../support/http/app.ts';
import { expectRefusal } from '../support/http/refusal.ts';

const INDEX = '<!doctype html><title>Console</title>';
const SCRIPT = `export const words = ${JSON.stringify('words '.repeat(200))};`;

let app: TestApp;
let unbuilt: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'turnstone-console-'));
beforeAll(async () => {
  mkdirSync(join(folder, 'built/assets'), { recursive: true });
  writeFileSync(join(folder, 'built/index.html'), INDEX);
  writeFileSync(join(folder, 'built/assets/index-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'built/assets/index-1a2b.css'), 'p{}');
  writeFileSync(join(folder, 'built/favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'secret.txt'), 'not yours');
  app = await startApp({ pages: consoleEndpoints(join(folder, 'built')) });
  unbuilt = await startApp({ pages: consoleEndpoints(join(folder, 'nothing')) });
});
afterAll(async () => {
  await app.close();
  await unbuilt.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers = {}) => app.call('GET', path, { token: null, headers });

describe('the console', () => {
  test.each(['/console', '/console/', '/console/explorer?user=a%2Fb', '/console/ask', '/console/a/b/c'])(
    '%s answers the page, never from a cache unasked',
    async path => {
      const { status, text, headers } = await get(path);
      expect([status, text]).toEqual([200, INDEX]);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-cache');
    },
  );

  test('/ leads there, and says so to who follows nothing', async () => {
    const { status, text, headers } = await get('/');
    expect([status, headers.get('location')]).toEqual([303, '/console']);
    for (const place of ['/console', '/docs', '/openapi.json']) expect(text).toContain(place);
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.headers.get('location')]).toEqual([308, '/console/favicon.svg']);
    expect((await get('/console/favicon.svg')).text).toBe('<svg/>');
  });

  test('may ask its own host alone, and run nothing but its own files', async () => {
    for (const path of ['/console', '/console/assets/index-1a2b.js']) {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each([
    ['/console/assets/index-1a2b.js', 'text/javascript; charset=utf-8', SCRIPT],
    ['/console/assets/index-1a2b.css', 'text/css; charset=utf-8', 'p{}'],
  ])('%s is kept for good: its name changes with what it holds', async (path, type, content) => {
    const { status, text, headers } = await get(path);
    expect([status, text, headers.get('content-type')]).toEqual([200, content, type]);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('is sent gzipped to who takes it, and as it is to who does not', async () => {
    const path = '/console/assets/index-1a2b.js';
    const small = await get(path, { 'accept-encoding': 'gzip' });
    expect([small.headers.get('content-encoding'), small.text]).toEqual(['gzip', SCRIPT]);
    expect(Number(small.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 4);
    const plain = await get(path, { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, SCRIPT]);
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
  });

  test.each([
    '/console/assets/index-gone.js',
    '/console/assets/',
    '/console/robots.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/..%2f..%2fsecret.txt',
    '/consoles',
  ])('%s is a 404 as every other', async path => {
    expectRefusal(await get(path), 404);
  });

  test('takes no other method', async () => {
    expectRefusal(await app.call('POST', '/console', { body: {}, token: null }), 405);
  });

  test('that is not built says with which command it is', async () => {
    const { status, text, headers } = await unbuilt.call('GET', '/console', { token: null });
    expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(text).toContain('<code>npm run build:console</code>');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
