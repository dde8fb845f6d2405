import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { addressOf, CONTENTS, SCRIPT } from './files.ts';
import { type Body, escapeHtml } from './html.ts';
import type { Entry, Section } from './markdown/navigation.ts';
import { STYLE } from './style.ts';

/** Allows the style, and scripts, images and requests of this server; no forms, frames or other hosts. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const START: Entry = { file: CONTENTS, label: 'Overview' };

/**
 * The navigation entry of a page: its own, or that of the nearest list above it, as for a decision record.
 */
const listedAs = (file: string, sections: readonly Section[]): string => {
  const files = new Set(sections.flatMap(({ entries }) => entries.map(entry => entry.file)));
  if (files.has(file)) return file;
  for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder))
    if (files.has(`${folder}/README.md`)) return `${folder}/README.md`;
  return file;
};

const navigation = (current: string, { headings }: Body, sections: readonly Section[]): string => {
  const listed = listedAs(current, sections);
  const inside = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
    .join('');
  const item = ({ file, label }: Entry): string => {
    const isCurrent = file === listed;
    const mark = isCurrent ? ` aria-current="${file === current ? 'page' : 'true'}"` : '';
    const list = file === current && file !== CONTENTS && inside ? `<ul>${inside}</ul>` : '';
    return `<li><a href="${addressOf(file)}"${mark}>${escapeHtml(label)}</a>${list}</li>`;
  };
  const lists = sections.map(
    ({ title, entries }) => `<h2>${escapeHtml(title)}</h2><ul>${entries.map(item).join('')}</ul>`,
  );
  return `<ul>${item(START)}</ul>${lists.join('')}`;
};

const neighbours = (current: string, sections: readonly Section[]): string => {
  const all = [START, ...sections.flatMap(({ entries }) => entries)];
  const at = all.findIndex(({ file }) => file === listedAs(current, sections));
  if (at < 0) return '';
  const link = (entry: Entry | undefined, rel: string, word: string): string =>
    entry
      ? `<a class="${rel}" rel="${rel}" href="${addressOf(entry.file)}"><span>${word}</span>${escapeHtml(entry.label)}</a>`
      : '';
  return `<nav class="turn" aria-label="Pages before and after">${link(all[at - 1], 'prev', 'Previous')}${link(all[at + 1], 'next', 'Next')}</nav>`;
};

interface Frame {
  sections: () => readonly Section[];
  /** Whether the scripts were built: without them nothing promises what only they can do. */
  hasScript: boolean;
}

/** Shown by the script. */
const SEARCH = '<button type="button" data-search hidden>Search <kbd>/</kbd></button>';

const framed = (
  title: string,
  content: string,
  contents: string,
  hasScript: boolean,
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/console/favicon.svg" type="image/svg+xml">
<title>${escapeHtml(title)}</title><style>${STYLE}</style>${hasScript ? `<script type="module" blocking="render" src="${SCRIPT}"></script>` : ''}</head>
<body><a class="skip" href="#content">Skip to the text</a>
<header><a href="/docs">Turnstone</a><nav aria-label="Site"><a href="/docs/start">Start</a><a href="/docs/reference/api">API</a><a href="/console">Console</a></nav>${hasScript ? SEARCH : ''}</header>
<div class="columns"><nav class="contents" tabindex="0" aria-label="Documentation"><details><summary>Contents</summary>
${contents}</details></nav>
<main id="content" tabindex="-1">${content}</main></div></body></html>
`;

/** A whole page: the content with the navigation around it. */
export const page = (file: string, body: Body, { sections, hasScript }: Frame): string =>
  framed(
    file === CONTENTS ? 'Turnstone documentation' : `${body.title} · Turnstone`,
    body.html + neighbours(file, sections()),
    navigation(file, body, sections()),
    hasScript,
  );

const NOTHING = `<h1>No page has this address</h1>
<p>It may have moved. The contents lead to every page, and the <a href="/docs">overview</a> says what each is about.</p>`;

export const nothingPage = ({ sections, hasScript }: Frame): string =>
  framed(
    'No such page · Turnstone',
    NOTHING,
    navigation('', { title: '', html: '', headings: [], passages: [] }, sections()),
    hasScript,
  );
