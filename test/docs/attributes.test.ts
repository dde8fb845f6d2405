import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ATTRIBUTES } from '../../projections/facts/attributes.ts';
import { readDocument } from '../support/documents.ts';
import { ROOT } from '../support/server.ts';

const FILE = 'docs/facts.md';
const SECTION = /(?<=<!-- attributes -->\n)[\s\S]*?(?=<!-- \/attributes -->)/;

const HOLDS = { one: 'one value', several: 'several' };

const rows = ATTRIBUTES.map(({ name, holds, is }) => [
  name.endsWith('_') ? `\`${name}…\`` : `\`${name}\``,
  HOLDS[holds],
  is,
]);

/** Columns as wide as their widest cell, as the other tables of the documents are. */
const table = (all: readonly string[][]): string => {
  const widths = [0, 1, 2].map(column => Math.max(...all.map(row => row[column]!.length)));
  const line = (cells: readonly string[], pad = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, pad)).join(' | ')} |`;
  const [heading, ...rest] = all;
  return [line(heading!), line(['', '', ''], '-'), ...rest.map(row => line(row))].join('\n');
};

/** With `UPDATE_DOCS` set, the table is written into the document. */
it('the table of attributes is that of the service', () => {
  const expected = `\n${table([['attribute', 'holds', 'what it is'], ...rows])}\n\n`;
  const source = readDocument(FILE);
  if (process.env.UPDATE_DOCS)
    writeFileSync(
      join(ROOT, FILE),
      source.replace(SECTION, () => expected),
    );
  else expect(SECTION.exec(source)?.[0]).toBe(expected);
});
