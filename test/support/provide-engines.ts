/** The global setup of the project `cluster`: the engines are found, or started, once a run. */
import type { TestProject } from 'vitest/node';
import { openDocker } from './engine-containers.ts';
import { type FoundEngines, tellMissing } from './engine-urls.ts';
import { findEngines } from './find-engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engines: FoundEngines;
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const { urls, missing, stop } = await findEngines(process.env, openDocker);
  project.provide('engines', { urls, missing });
  return async () => {
    await stop();
    const reasons = tellMissing({ missing });
    // After the summary, where it is read; in CI the suites fail and say it themselves.
    if (reasons && !process.env.CI)
      process.stderr.write(`Skipped: the cluster suites (test/**/*.cluster.test.ts). ${reasons}\n`);
  };
};
