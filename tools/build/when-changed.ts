/**
 * `npm start` runs this first: builds what its sources are newer than. The service serves the console, and
 * the examples import the client and an integration. An installation builds none, so that it runs no script
 * of ours.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Build = [built: string, sources: string[], command: string[]];

/** Compiles a package's `src/` to its `dist/`, which has the file `main`. */
const compiled = (folder: string, main: string): Build => [
  `${folder}/dist/${main}.js`,
  [`${folder}/src/**/*.ts`],
  ['node_modules/typescript/bin/tsc', '-p', folder],
];

const BUILDS: Build[] = [
  [
    'console/dist/docs/main.js',
    ['console/{src,docs,public}/**/*.*', 'console/*.*'],
    ['tools/build/console.ts'],
  ],
  compiled('clients/typescript', 'index'),
  // After the client, whose types they take.
  compiled('integrations/anthropic-memory-tool', 'index'),
  compiled('integrations/langchain-typescript', 'index'),
  compiled('integrations/mastra', 'index'),
  compiled('integrations/openai-agents', 'index'),
  compiled('integrations/openai-proxy', 'main'),
  compiled('integrations/vercel-ai-sdk', 'index'),
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
