/**
 * `npm run fit:reader -- FILE...`: fits the reader from the training chats, and writes it
 * (domain/reader/reader.bin) and what it says of all that it was told nothing of, data sets of FILE among it
 * (readings.json). `npm run fit:present` has to follow. Needs Python 3.11 or later and its package index;
 * half an hour on two cores.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeReadings } from './write-readings.ts';
import { writeStories } from './write-stories.ts';

/** The authors whose chats the reader is not told of: it is measured and weighed by them. */
const LEFT_OUT = ['young', 'elders'];

const here = fileURLToPath(new URL('.', import.meta.url));
const weights = fileURLToPath(new URL('../../../domain/reader/reader.bin', import.meta.url));
const card = weights.replace(/bin$/, 'json');
const files = process.argv.slice(2).map(file => resolve(file));
if (files.length === 0) throw new Error('usage: npm run fit:reader -- FILE...');
const folder = mkdtempSync(join(tmpdir(), 'turnstone-fit-reader-'));
const python = join(folder, 'python', 'bin', 'python');
const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd: here, stdio: 'inherit' });
};

try {
  run('python3', '-m', 'venv', join(folder, 'python'));
  run(python, '-m', 'pip', 'install', '--quiet', '--no-deps', '-r', 'requirements.txt');
  const stories = join(folder, 'stories.jsonl');
  writeStories(stories);
  const fitted = join(folder, 'reader.pickle');
  run(python, 'fit.py', stories, fitted, '--without', LEFT_OUT.join(','));
  run(python, 'pack.py', fitted, stories, weights);
  writeReadings(weights, LEFT_OUT, files);
  run(
    process.execPath,
    fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome')),
    'format',
    '--write',
    card,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
