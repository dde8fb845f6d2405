/** One suite for both sets of engines: the project that runs a *.both.test.ts says in which mode it does. */
import { describe, inject } from 'vitest';
import { describeOnEngines } from './engines.ts';

export type Mode = 'embedded' | 'cluster';

declare module 'vitest' {
  interface ProvidedContext {
    mode: Mode;
  }
}

export const describeInBothModes = (name: string, suites: Record<Mode, () => void>): void => {
  if (inject('mode') === 'embedded') describe(`${name}, embedded`, suites.embedded);
  else describeOnEngines(`${name}, in the cluster`, suites.cluster);
};
