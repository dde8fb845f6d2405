/**
 * `npm start` runs this first: builds what its sources are newer than. The service serves the console, and
 * the examples import the client. An installation builds neither, so that it runs no script of ours.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const BUILDS: [built: string, sources: string[], command: string[]][] = [
  ['console/dist/index.html', ['console/{src,public}/**/*.*', 'console/*.*'], ['tools/build/console.ts']],
  [
    'clients/typescript/dist/index.js',
    ['clients/typescript/src/**/*.ts'],
    ['node_modules/typescript/bin/tsc', '-p', 'clients/typescript'],
  ],
];

const modified = (file: string): number => statSync(`${ROOT}${file}`).mtimeMs;

for (const [built, sources, command] of BUILDS) {
  const isCurrent =
    existsSync(`${ROOT}${built}`) &&
    globSync(sources, { cwd: ROOT }).every(source => modified(source) <= modified(built));
  // Without development dependencies there is no compiler; the console's build says itself that there is no
  // Vite.
  if (!isCurrent && existsSync(`${ROOT}${command[0]}`))
    execFileSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' });
}
