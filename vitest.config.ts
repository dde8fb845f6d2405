import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[], testTimeout = 20_000) => ({
  test: { name, include, testTimeout, hookTimeout: 60_000 },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/unit/**/*.test.ts']),
      project('contracts', ['test/contracts/**/*.embedded.test.ts']),
      // On real Kafka, Elasticsearch, ClickHouse and Redis (test/support/engines.ts).
      project('cluster', ['test/**/*.cluster.test.ts'], 120_000),
      project('http', ['test/http/**/*.test.ts'], 60_000),
      project('journeys', ['test/journeys/**/*.test.ts'], 240_000),
      project('faults', ['test/faults/**/!(*.cluster).test.ts'], 240_000),
    ],
  },
});
