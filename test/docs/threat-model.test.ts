import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/processes/server.ts';

/** The cells of each row of the page's tables, their heads left out. */
const rows = readFileSync(join(ROOT, 'docs/internals/threat-model.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !/^\| (?:what is at stake|-)/.test(line))
  .map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );

it('has a test for each threat of the threat model', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const [stake, attacker, holds, shownBy = ''] of rows) {
    const files = [...shownBy.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
    expect([attacker, holds], stake).not.toContain('');
    expect(files, stake).not.toEqual([]);
    for (const file of files) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
  }
});
