import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const CLUSTER = 'test/**/*.cluster.test.ts';
const OUTAGES = 'test/cluster/outages/*.test.ts';
const SPEED = 'test/**/*.speed.test.ts';

/** Resolves the client to its sources, not to its last build. */
const alias = {
  '@turnstone/client': new URL('./clients/typescript/src/index.ts', import.meta.url).pathname,
};

/**
 * V8's baseline compiler can leave a stale pointer on the stack, which garbage collection follows: "Worker exited unexpectedly", and
 * the file that ran has no result. Until Node 24 has V8's fix: https://github.com/nodejs/node/issues/62393.
 */
const execArgv = ['--no-sparkplug'];

const project = (name: string, include: string[], testTimeout = 20_000, globalSetup: string[] = []) => ({
  resolve: { alias },
  test: { name, include, exclude: [CLUSTER, SPEED], testTimeout, hookTimeout: 60_000, globalSetup },
});

/** A process for each worker, not for each file: reloading the sources takes longer than the tests. */
const UNIT = {
  resolve: { alias },
  test: {
    name: 'unit',
    include: ['test/unit/**/*.test.ts'],
    exclude: [SPEED],
    isolate: false,
    testTimeout: 20_000,
  },
};

const NAMES_MISSING_PYTHON = ['test/support/provide-python.ts'];
const BUILDS_CONSOLE = ['test/console/support/set-up.ts'];
const FINDS_ENGINES = ['test/support/provide-engines.ts'];

export default defineConfig({
  test: {
    // The suites wait more than they compute, and the default leaves a core idle: half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      UNIT,
      project('contracts', ['test/contracts/**/*.embedded.test.ts']),
      project('http', ['test/http/**/*.test.ts'], 60_000),
      project('journeys', ['test/journeys/**/*.test.ts'], 240_000),
      project('docs', ['test/docs/**/*.test.ts'], 480_000, NAMES_MISSING_PYTHON),
      project('clients', ['test/clients/**/*.test.ts'], 120_000, NAMES_MISSING_PYTHON),
      project('examples', ['test/examples/**/*.test.ts'], 120_000, NAMES_MISSING_PYTHON),
      // A real embedding model, from a package.
      project('models', ['test/models/**/*.test.ts'], 240_000, NAMES_MISSING_PYTHON),
      project('faults', ['test/faults/**/*.test.ts'], 240_000),
      // What an attacker or an unlucky operator does. Its *.cluster.test.ts run with the project cluster, and what it asserts
      // of time and of processor time is in the project speed.
      project('abuse', ['test/abuse/**/*.test.ts'], 240_000),
      // In a real Chromium, one file at a time: pages in parallel slow each other down.
      {
        test: {
          name: 'console',
          include: ['test/console/**/*.test.ts'],
          exclude: [SPEED],
          globalSetup: BUILDS_CONSOLE,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // On real Kafka, Elasticsearch, ClickHouse and Redis, which share the machine: two files at a time, after the
      // embedded suites.
      {
        test: {
          name: 'cluster',
          include: [CLUSTER],
          exclude: [OUTAGES],
          globalSetup: FINDS_ENGINES,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      // With engines of their own, which they kill. Alone and one file at a time: in parallel, the suites above lost their
      // connection to Redis for seconds.
      {
        test: {
          name: 'outages',
          include: [OUTAGES],
          provide: { engines: { urls: {}, missing: {} } },
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      // Durations are asserted only while no other suite runs: last, one file at a time.
      {
        resolve: { alias },
        test: {
          name: 'speed',
          include: [SPEED],
          globalSetup: [...BUILDS_CONSOLE, ...FINDS_ENGINES],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ].map(({ test, ...others }) => ({ ...others, test: { ...test, execArgv } })),
  },
});
