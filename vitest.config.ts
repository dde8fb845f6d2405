import { defineConfig } from 'vitest/config';

const CLUSTER = 'test/**/*.cluster.test.ts';

const project = (name: string, include: string[], testTimeout = 20_000) => ({
  test: { name, include, exclude: [CLUSTER], testTimeout, hookTimeout: 60_000 },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/unit/**/*.test.ts']),
      project('contracts', ['test/contracts/**/*.embedded.test.ts']),
      project('http', ['test/http/**/*.test.ts'], 60_000),
      project('journeys', ['test/journeys/**/*.test.ts'], 240_000),
      project('faults', ['test/faults/**/*.test.ts'], 240_000),
      // On real Kafka, Elasticsearch, ClickHouse and Redis. They share those, and the machine with them: two files at
      // a time, when the embedded suites, which run beside each other as before, are done.
      {
        test: {
          name: 'cluster',
          include: [CLUSTER],
          globalSetup: ['test/support/provide-engines.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
