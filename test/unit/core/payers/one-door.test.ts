import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');

/** The sources of a folder that name the plain log's append, which has no payer. */
const unpaid = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .filter(path =>
      /Pick<\s*(Event|Polled|Shared)Log,[^>]*'append'/.test(readFileSync(join(ROOT, folder, path), 'utf8')),
    )
    .map(path => join(folder, path));

it('gives the plain log to no use case but the import of an operator, and to no surface', () => {
  expect([
    ...unpaid('services/use-cases'),
    ...unpaid('services/surfaces'),
    ...unpaid('services/compose'),
  ]).toEqual(['services/use-cases/transfer/import.ts']);
});
