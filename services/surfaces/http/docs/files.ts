/** The files of the repository that are served as pages, and their addresses. */
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository, or the package's `dist/` with the same files and paths (tools/build/build.ts). */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const PAGES = [
  'docs/**/*.md',
  '{README,CHANGELOG,CONTRIBUTING,SECURITY}.md',
  'clients/*/README.md',
  'integrations/README.md',
  'examples/README.md',
];
const ASSETS = ['docs/**/*.{svg,jsonl}'];

/** Built of console/docs by tools/build/console.ts; there are none where Vite is not installed. */
const SCRIPTS = 'console/dist/docs/';
export const SCRIPT = '/docs/assets/main.js';

/** The table of contents; GitHub shows it for the folder. */
export const CONTENTS = 'docs/README.md';

const list = (patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).toSorted();

/** Paths within the repository, with slashes. */
export const pageFiles = (): string[] => list(PAGES);
export const assetFiles = (): string[] => list(ASSETS);

/** Names of the built scripts; empty if they were not built. */
export const scriptFiles = (): string[] =>
  list([`${SCRIPTS}*.js`]).map(file => posix.basename(file.replaceAll('\\', '/')));
export const readScript = (name: string): string => readDocument(SCRIPTS + name);

export const readDocument = (file: string): string => readFileSync(posix.join(ROOT, file), 'utf8');

/**
 * `docs/concepts/recall.md` → `/docs/concepts/recall`, `docs/concepts/README.md` → `/docs/concepts`,
 * `docs/README.md` → `/docs`; files outside `docs/` keep their folder: `SECURITY.md` → `/docs/security`,
 * `clients/python/README.md` → `/docs/clients/python`.
 */
export const addressOf = (file: string): string => {
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '');
  const isFolder = file.includes('/') && posix.basename(path) === 'README';
  const page = isFolder ? posix.dirname(path) : path;
  return posix.join('/docs', file.startsWith('docs/') ? page : page.toLowerCase());
};
