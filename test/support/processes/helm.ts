/** Helm for the suite of the chart: the one that `TURNSTONE_TEST_HELM` names, or the one on the path. */
import { execFileSync } from 'node:child_process';
import { describe, it } from 'vitest';

const named = process.env.TURNSTONE_TEST_HELM;

export const HELM = named ?? 'helm';

/** Why there is none; empty: there is one. One that is named has to be there. */
export const whyNoHelm = (): string => {
  try {
    execFileSync(HELM, ['version', '--short'], { stdio: 'ignore' });
    return '';
  } catch {
    if (named !== undefined) throw new Error(`TURNSTONE_TEST_HELM names ${named}, which is no helm`);
    return 'no helm on the path (.ci/nightly builds one; TURNSTONE_TEST_HELM names another)';
  }
};

/** A suite that needs helm: skipped where there is none. */
export const describeWithHelm = (name: string, body: () => void): void => {
  const reason = whyNoHelm();
  if (reason === '') describe(name, body);
  else describe.skip(name, () => it(`needs helm: ${reason}`, () => {}));
};
