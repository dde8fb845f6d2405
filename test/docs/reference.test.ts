import { expect, it } from 'vitest';
import { describeConfig } from '../../core/config.ts';
import { readDocument } from '../support/files/documents.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { commandsPage, configurationPage, REFERENCE_PAGES } from './reference-pages.ts';

it.each(Object.entries(REFERENCE_PAGES))(
  '%s is what its declarations say: else run npm run docs:reference',
  (file, page) => {
    expect(readDocument(file)).toBe(page());
  },
);

it('the page of variables has each that `turnstone config` prints, with its default, and says what it is', () => {
  const lines = [
    ...configurationPage().matchAll(
      /^- `((?:TURNSTONE|OTEL)_\w+)`(?:, `_FILE`)?(?: \((?:`(.*?)`)?.*?\))?: (.*)$/gm,
    ),
  ];
  const described = lines.map(([, name, text = '']) => [name, text]);
  const own = describeConfig({});
  expect(described.slice(0, own.length)).toEqual(own.map(({ name, text }) => [name, text]));
  for (const [, name, , about] of lines) expect(about, name).toMatch(/\w/);
});

it('the page of commands has each that `turnstone --help` lists', async () => {
  const { stdout } = await runCommand(['--help']);
  const listed = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name]) => name,
  );
  const shown = [...commandsPage().matchAll(/^## `turnstone ([a-z-]+)/gm)].map(([, name]) => name);
  expect(shown).toEqual(listed.filter(name => name !== 'help'));
});
