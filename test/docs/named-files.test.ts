import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/processes/server.ts';

const ROOMS =
  'schemas|domain|projections|core|infra|services|console|clients|integrations|examples|test|tools|docs|\\.ci';
/** A path of the repository in code marks, with what it ends in: a file, a folder, or a pattern. */
const NAMED = new RegExp(`\`((?:${ROOMS})/[\\w./*{},-]+)\``, 'g');

/** Made by a build, a test or a script. */
const MADE = ['console/dist/', 'test/console/screenshots/', 'infra/.env'];

/** The comparison names files of others, and a decision those of its day. */
const documents = ['CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })].filter(
  path => !/\/decisions\/|comparison/.test(path),
);

describe('the files that documents name', () => {
  it.each(documents)('exist: %s', path => {
    const named = [...readFileSync(join(ROOT, path), 'utf8').matchAll(NAMED)].map(match => match[1]!);
    const missing = named.filter(
      name =>
        !MADE.includes(name) &&
        !existsSync(join(ROOT, name)) &&
        globSync(name.replace(/\/$/, ''), { cwd: ROOT }).length === 0,
    );
    expect(missing).toEqual([]);
  });

  /** Switched off by hand: an entry of the architecture names another file → it is listed. */
  it('exist where a list in the architecture names them without their folder', () => {
    const text = readFileSync(join(ROOT, 'docs/internals/architecture.md'), 'utf8');
    const named = [...text.matchAll(/`([\w-]+\.(?:ts|py|lua))`/g)].map(match => match[1]!);
    expect(named.length).toBeGreaterThan(20);
    const sources = globSync(`{${ROOMS.replaceAll('|', ',').replace('\\', '')}}/**/*.{ts,py,lua}`, {
      cwd: ROOT,
      exclude: path => path.endsWith('node_modules'),
    });
    const names = new Set(sources.map(path => basename(path)));
    expect(named.filter(name => !names.has(name))).toEqual([]);
  });

  it('have the functions of the ways in the architecture', () => {
    const text = readFileSync(join(ROOT, 'docs/internals/architecture.md'), 'utf8');
    const hops = [...text.matchAll(/`([\w/.-]+\.ts)` `(\w+)`/g)].filter(([, file]) => file!.includes('/'));
    expect(hops.length).toBeGreaterThan(40);
    const without = hops.filter(
      ([, file, name]) => !new RegExp(`\\b${name}\\b`).test(readFileSync(join(ROOT, file!), 'utf8')),
    );
    expect(without.map(([hop]) => hop)).toEqual([]);
  });
});
