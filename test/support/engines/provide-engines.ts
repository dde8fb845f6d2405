/** A global setup of the projects `cluster` and `speed`: the engines are found, or started, once a run. */
import type { TestProject } from 'vitest/node';
import { openDocker } from './engine-containers.ts';
import { type FoundEngines, tellMissing } from './engine-urls.ts';
import { findEngines } from './find-engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engines: FoundEngines;
  }
}

/** The engines of this run: each project loads this file anew. */
const run = globalThis as { turnstoneEngines?: ReturnType<typeof findEngines> };

export default async (project: TestProject): Promise<undefined | (() => Promise<void>)> => {
  const isFirst = run.turnstoneEngines === undefined;
  run.turnstoneEngines ??= findEngines(process.env, openDocker);
  const { urls, missing, stop } = await run.turnstoneEngines;
  project.provide('engines', { urls, missing });
  if (!isFirst) return undefined;
  return async () => {
    await stop();
    const reasons = tellMissing({ missing });
    // After the summary, where it is read; in CI the suites fail and say it themselves.
    if (reasons && !process.env.CI)
      process.stderr.write(
        `Skipped: the suites of the mode cluster (test/**/*.{cluster,both}.test.ts). ${reasons}\n`,
      );
  };
};
