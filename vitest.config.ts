import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const CLUSTER = 'test/**/*.cluster.test.ts';
const OUTAGES = 'test/cluster/outages/*.test.ts';
const SPEED = 'test/**/*.speed.test.ts';
/** Those that judge memory and readiness, but no duration: other suites may run beside them. */
const MEMORY = 'test/abuse/largest-writes.*test.ts';
/** Run by the project of their folder in the mode embedded, and by the project `cluster` on engines. */
const BOTH = 'test/**/*.both.test.ts';
const SLOW = 'test/**/*.slow.test.ts';

/** Resolves our packages to their sources, not to their last builds. */
const alias = {
  '@turnstone/client': new URL('./clients/typescript/src/index.ts', import.meta.url).pathname,
  ...Object.fromEntries(
    Object.entries({
      'anthropic-memory-tool': 'anthropic-memory-tool',
      langchain: 'langchain-typescript',
      mastra: 'mastra',
      'openai-agents': 'openai-agents',
      'vercel-ai-sdk': 'vercel-ai-sdk',
    }).map(([name, folder]) => [
      `@turnstone/${name}`,
      new URL(`./integrations/${folder}/src/index.ts`, import.meta.url).pathname,
    ]),
  ),
};

/**
 * V8's baseline compiler can leave a stale pointer on the stack, which garbage collection follows: "Worker
 * exited unexpectedly", and the file that ran has no result. Until Node 24 has V8's fix:
 * https://github.com/nodejs/node/issues/62393.
 */
const execArgv = ['--no-sparkplug'];

/**
 * Threads and processes that tests start take up compiled code by the variable alone: a service in a test's
 * own process starts with half the work.
 */
const { directory } = enableCompileCache();
if (directory) process.env.NODE_COMPILE_CACHE ??= directory;

/**
 * The folders of a run, which goes when it ends: Vitest ends its workers without their exit handlers, and so
 * do tests that kill what they start. The name is short, since a socket's path is.
 */
const ours = 'tt-';
if (!process.env.TMPDIR?.includes(`/${ours}`)) {
  const folder = mkdtempSync(join(tmpdir(), ours));
  // Elasticsearch, which tests start below it, runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

const WITHOUT_ENGINES = { mode: 'embedded' as const, engines: { urls: {}, missing: {} } };

/**
 * Tests wait for conditions, on machines that may have much else to do: only what never ends takes so long.
 */
const PATIENT = { testTimeout: 240_000, hookTimeout: 240_000 };

/** Heavy files, which leave each other room: one that waits, and one that computes. */
const TWO_AT_A_TIME = { maxWorkers: 2, sequence: { groupOrder: 1 } };

const project = (name: string, globalSetup: string[] = []) => ({
  resolve: { alias },
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    exclude: [CLUSTER, SPEED, SLOW],
    provide: WITHOUT_ENGINES,
    globalSetup,
    ...PATIENT,
  },
});

/**
 * A project of `npm test`: a process for each worker, not for each file, since reloading the sources takes
 * longer than the tests.
 */
const quick = (name: string, globalSetup?: string[]) => {
  const { resolve, test } = project(name, globalSetup);
  return { resolve, test: { ...test, isolate: false } };
};

const NAMES_MISSING_PROMTOOL = ['test/support/processes/provide-promtool.ts'];
const NAMES_MISSING_PYTHON = ['test/support/processes/provide-python.ts'];
/** Documents, examples and integrations run our packages as they are built. */
const BUILDS_CLIENT = ['test/support/processes/build-when-changed.ts'];
const NAMES_MISSING_HELM = ['test/support/processes/provide-helm.ts'];
const BUILDS_CONSOLE = ['test/console/support/set-up.ts'];
const FINDS_ENGINES = ['test/support/engines/provide-engines.ts'];

export default defineConfig({
  test: {
    // The suites wait more than they compute: one worker more than the cores of a small machine.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      // Run by `npm test`; package.json names them, too.
      quick('unit', NAMES_MISSING_PROMTOOL),
      quick('contracts'),
      quick('http'),
      quick('journeys'),
      quick('docs', [...NAMES_MISSING_PYTHON, ...BUILDS_CLIENT]),
      quick('clients'),
      // Processes of their own: it plays with the time and the chance of the one that it runs in.
      project('simulator'),
      // Run by `npm run test:all` as well; .ci/run names them, too.
      project('examples', [...NAMES_MISSING_PYTHON, ...BUILDS_CLIENT]),
      // Each with the real package that it is for, and a model of the test's own.
      project('integrations', BUILDS_CLIENT),
      // A real embedding model, from a package.
      project('models', NAMES_MISSING_PYTHON),
      project('faults'),
      // Attackers and unlucky operators. Its *.cluster.test.ts run with the project cluster; its assertions
      // on time and processor time are in the project speed.
      project('abuse'),
      // Tests that take minutes, write thousands of turns under load, or install packages.
      {
        resolve: { alias },
        test: {
          name: 'slow',
          include: [SLOW],
          globalSetup: [...NAMES_MISSING_PYTHON, ...NAMES_MISSING_HELM, ...BUILDS_CLIENT],
          ...PATIENT,
        },
      },
      // On real Kafka, Elasticsearch, ClickHouse and Redis. Beside the embedded suites, since it waits for
      // engines half of its time; a process for each worker, as its files share clusters (sharedCluster).
      {
        test: {
          name: 'cluster',
          include: [CLUSTER, BOTH],
          exclude: [OUTAGES],
          globalSetup: FINDS_ENGINES,
          provide: { mode: 'cluster' as const },
          isolate: false,
          ...PATIENT,
        },
      },
      // In a real Chromium, after the suites above: pages beside many others are slow.
      {
        test: {
          name: 'console',
          include: ['test/console/**/*.test.ts'],
          exclude: [SPEED],
          globalSetup: BUILDS_CONSOLE,
          ...TWO_AT_A_TIME,
          ...PATIENT,
        },
      },
      // With engines of their own, which they kill, after the suites above: beside them, those lost their
      // connection to Redis for seconds.
      {
        test: {
          name: 'outages',
          include: [OUTAGES],
          provide: WITHOUT_ENGINES,
          ...TWO_AT_A_TIME,
          ...PATIENT,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'memory',
          include: [MEMORY],
          globalSetup: FINDS_ENGINES,
          ...TWO_AT_A_TIME,
          ...PATIENT,
        },
      },
      // Durations are asserted only while no other suite runs: last, one file at a time.
      {
        resolve: { alias },
        test: {
          name: 'speed',
          include: [SPEED],
          exclude: [MEMORY],
          globalSetup: [...BUILDS_CONSOLE, ...FINDS_ENGINES],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...PATIENT,
        },
      },
    ].map(({ test, ...others }) => ({ ...others, test: { ...test, execArgv } })),
  },
});
