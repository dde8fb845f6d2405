import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/http/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const get = (path: string) => app.call('GET', path, { token: null });

/** Every page, found by the links of the pages before it. */
const crawled = async (): Promise<Map<string, string>> => {
  const pages = new Map<string, string>();
  const waiting = ['/docs'];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const { status, text, headers } = await get(path);
    expect(status, path).toBe(200);
    pages.set(path, text);
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    for (const [, href = ''] of text.matchAll(/<a [^>]*?href="(\/docs[^"#]*)/g)) waiting.push(href);
  }
  return pages;
};

describe('the documentation', () => {
  test('is reached whole from /docs, and no link or anchor in it is dead', async () => {
    const pages = await crawled();
    const files = globSync('docs/**/*.md');
    expect(pages.size).toBeGreaterThan(files.length);
    const dead: string[] = [];
    const shown = new Set<string>();
    for (const [path, text] of pages) {
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="(\/docs[^"]*|#[^"]*)"/g)) {
        const [page = '', anchor] = href.split('#', 2);
        const target = pages.get(page || path) ?? '';
        if (anchor && !target.includes(` id="${anchor}"`)) dead.push(`${path}: ${href}`);
      }
      for (const [, src = ''] of text.matchAll(/<img [^>]*?src="([^"]*)"/g)) {
        shown.add(src);
        if ((await get(src)).status !== 200) dead.push(`${path}: ${src}`);
      }
    }
    expect(dead).toEqual([]);
    // A picture that no page shows is found by nobody.
    expect([...shown].sort()).toEqual(
      globSync('docs/**/*.svg')
        .map(file => `/${file}`)
        .sort(),
    );
  });

  test('has a table of contents for models, of pages as they were written', async () => {
    const { status, text, headers } = await get('/llms.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const links = [...text.matchAll(/\]\(([^)#]*)/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(30);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
    const facts = await get('/docs/concepts/facts.md');
    expect(facts.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(facts.text).toMatch(/^# Facts/);
  });

  test('has the same frame everywhere: one h1, landmarks, a skip link, a current page, no id twice', async () => {
    for (const [path, text] of await crawled()) {
      if (!text.startsWith('<!doctype html>')) continue;
      expect(text.match(/<h1[ >]/g), path).toHaveLength(1);
      expect(text, path).toMatch(/<a class="skip" href="#content">/);
      expect(text, path).toMatch(/<main id="content"/);
      expect(text, path).toMatch(/<title>[^<]+<\/title>/);
      expect(text, path).toMatch(/<html lang="en">/);
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, path).toBe(ids.length);
      // One script, where it was built; nothing in it is of the page.
      const rest = text.replace(
        '<script type="module" blocking="render" src="/docs/assets/main.js"></script>',
        '',
      );
      expect(rest, path).not.toMatch(/<script| on\w+="| style="|<iframe|<!--/);
    }
    expect((await get('/docs/concepts/recall')).text).toContain(
      'href="/docs/concepts/recall" aria-current="page"',
    );
    expect((await get('/docs/internals/decisions/removals/0018-erasure')).text).toContain(
      'href="/docs/internals/decisions" aria-current="true"',
    );
  });

  test('leads from each page to the one before and the one after', async () => {
    const seen = ['/docs'];
    for (let path: string | undefined = '/docs'; path; ) {
      const { text } = await get(path);
      path = /rel="next" href="([^"]*)"/.exec(text)?.[1];
      // A page that is listed twice leads back: around and around.
      expect(seen).not.toContain(path);
      if (path) seen.push(path);
    }
    const listed = [...(await get('/docs')).text.matchAll(/<li><a href="(\/docs\/[^"#]*)">/g)].map(
      ([, href]) => href!,
    );
    expect(seen.slice(1)).toEqual([...new Set(listed)]);
    expect((await get(seen[1]!)).text).toContain('rel="prev" href="/docs"');
  });

  test('its policy lets in its own style, scripts and pictures, and nothing else', async () => {
    const { text, headers } = await get('/docs/concepts/recall');
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    for (const kind of ['img-src', 'script-src', 'connect-src']) expect(policy).toContain(`${kind} 'self';`);
    expect(policy).not.toContain('unsafe');
    expect(
      (await get('/docs/internals/measurements/confidence.svg')).headers.get('content-security-policy'),
    ).toContain('sandbox');
  });

  test('what is no page is a refusal in the shape of the contract', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/concepts/nothing.md',
      '/docs/..%2fpackage.json',
      '/docs/internals/decisions/log/0000-x',
    ])
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(await app.call(method, path, { token: null }), `${method} ${path}`).toMatchObject({
          status: 404,
          json: { error: 'HTTP 404' },
        });
    expect(await app.call('POST', '/docs/concepts/recall', { token: null })).toMatchObject({ status: 405 });
    for (const path of ['/docs', '/docs/start', '/docs/internals/decisions'])
      expect((await get(`${path}/`)).headers.get('location')).toBe(path);
  });

  test('a browser that asks for no page is told so in a page, with the contents beside it', async () => {
    const { status, text, headers } = await app.call('GET', '/docs/nothing', {
      token: null,
      headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
    });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('<h1>No page has this address</h1>');
    expect(text).toContain('href="/docs/concepts/recall"');
    expect(text).not.toContain('nothing');
  });

  test('every passage that the search is given has its address, an operation and an error too', async () => {
    interface Passage {
      address: string;
      page: string;
      heading: string;
      text: string;
    }
    const { json, headers } = await get('/docs/search.json');
    const passages = json as unknown as Passage[];
    const pages = await crawled();
    for (const { address } of passages) {
      const [page = '', anchor] = address.split('#');
      // No link leads to the README, which the contents begin with.
      if (!pages.has(page)) pages.set(page, (await get(page)).text);
      expect(pages.get(page), address).toContain(
        anchor === undefined ? '<!doctype html>' : ` id="${anchor}"`,
      );
    }
    expect(passages.length).toBeGreaterThan(600);
    const found = (heading: string) => passages.find(one => one.heading === heading);
    expect(found('POST /recall')?.address).toMatch(/^\/docs\/reference\/api#op-/);
    expect(found('Error 429')?.address).toBe('/docs/reference/api#error-429');
    expect(passages.find(({ text }) => text.includes('Nothing unlikely'))?.page).toBe('Recall for a prompt');
    // A first search waits for it.
    expect(Number(headers.get('content-length'))).toBeLessThan(230_000);
  });

  test('answers HEAD with the length of the page', async () => {
    const plain = { token: null, headers: { 'accept-encoding': 'identity' } };
    const { text } = await app.call('GET', '/docs/start', plain);
    const { status, headers, text: none } = await app.call('HEAD', '/docs/start', plain);
    expect({ status, none }).toEqual({ status: 200, none: '' });
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
  });

  test('is sent small, and once', async () => {
    const { headers, text } = await get('/docs/reference/api');
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(Number(headers.get('content-length'))).toBeLessThan(Buffer.byteLength(text) / 4);
    const tag = headers.get('etag')!;
    const again = await app.call('GET', '/docs/reference/api', {
      token: null,
      headers: { 'if-none-match': `W/${tag}` },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.get('etag')).toBe(tag);
    const other = await app.call('GET', '/docs/reference/api', {
      token: null,
      headers: { 'if-none-match': '"x"' },
    });
    expect(other.text).toBe(text);
  });

  test('the reference tells what a parameter may be, and the members of what may be null', async () => {
    const { text } = await get('/docs/reference/api');
    expect(text).toContain('<code>asc</code> or <code>desc</code>');
    expect(text).toContain('<code>client</code> or <code>rules</code> or <code>llm</code>');
    expect(text).toContain('<code>next.in_force_at</code>');
    expect(text).toMatch(/<td><code>next<\/code><\/td><td>object or null<\/td>/);
  });
});
