/** The documentation as a site: each page is rendered on its first request and cached. */
import { posix } from 'node:path';
import type { OpenApiDocument } from '../../../../schemas/openapi.ts';
import { once } from '../request/once.ts';
import {
  addressOf,
  assetFiles,
  CONTENTS,
  pageFiles,
  readDocument,
  readScript,
  scriptFiles,
} from './files.ts';
import type { Body } from './html.ts';
import { nothingPage, page } from './layout.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import { type Section, sectionsOf } from './markdown/navigation.ts';
import { referenceOf } from './reference/operation.ts';
import { indexedOf } from './search/search-index.ts';

/** The reference of the OpenAPI document is placed after this page. */
const REFERENCE = 'docs/reference/api.md';

interface SitePage {
  /** `/docs/concepts/recall`. */
  address: string;
  html(): string;
}

interface Asset {
  address: string;
  text(): string;
  contentType: string;
}

const CONTENT_TYPES: Record<string, string> = {
  svg: 'image/svg+xml; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

const joined = (first: Body, second: Omit<Body, 'title'>): Body => ({
  title: first.title,
  html: first.html + second.html,
  headings: [...first.headings, ...second.headings],
  passages: [...first.passages, ...second.passages],
});

/** A page as it was written, for programs; links between them are right, since the paths are the files'. */
const sourceOf = (file: string): Asset => ({
  address: `/${file}`,
  text: () => readDocument(file),
  contentType: 'text/markdown; charset=utf-8',
});

const LINK = /\]\(([^)#:]+\.md)(#[^)]*)?\)/g;

/** The table of contents for a model (llmstxt.org): it may be given any page as Markdown. */
const contentsForModels = (): string => {
  const linked = readDocument(CONTENTS).replace(LINK, (_, href: string, anchor = '') => {
    const file = posix.join(posix.dirname(CONTENTS), href);
    return `](${file.startsWith('docs/') ? `/${file}` : addressOf(file)}${anchor})`;
  });
  return `${linked.trimEnd()}\n- [OpenAPI document](/openapi.json): every call, with its errors\n`;
};

export interface Site {
  pages: SitePage[];
  assets: Asset[];
  /** For a browser that asks for an address without a page. */
  nothing(): string;
}

/** `scripts`: names of the built scripts; without them the pages have neither search nor copy buttons. */
export const makeSite = (document: () => OpenApiDocument, scripts = scriptFiles()): Site => {
  const files = pageFiles();
  const assets = assetFiles();
  const served = new Set([...files, ...assets]);
  const resolve = (file: string): string | undefined => (served.has(file) ? addressOf(file) : undefined);
  const sections = once((): Section[] =>
    sectionsOf(readDocument(CONTENTS), CONTENTS).map(({ title, entries }) => ({
      title,
      entries: entries.filter(({ file }) => served.has(file)),
    })),
  );
  const bodyOf = (file: string): Body => {
    const body = renderMarkdown(readDocument(file), file, resolve);
    return file === REFERENCE ? joined(body, referenceOf(document())) : body;
  };
  const frame = { sections, hasScript: scripts.length > 0 };
  return {
    pages: files.map(file => ({
      address: addressOf(file),
      html: once(() => page(file, bodyOf(file), frame)),
    })),
    assets: [
      ...assets.map(file => ({
        address: addressOf(file),
        text: () => readDocument(file),
        contentType: CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)]!,
      })),
      ...files.filter(file => file.startsWith('docs/')).map(sourceOf),
      { address: '/llms.txt', text: contentsForModels, contentType: 'text/plain; charset=utf-8' },
      ...scripts.map(name => ({
        address: `/docs/assets/${name}`,
        text: () => readScript(name),
        contentType: CONTENT_TYPES.js!,
      })),
      {
        address: '/docs/search.json',
        text: () => JSON.stringify(files.flatMap(file => indexedOf(file, addressOf(file), bodyOf(file)))),
        contentType: 'application/json; charset=utf-8',
      },
    ],
    nothing: once(() => nothingPage(frame)),
  };
};
