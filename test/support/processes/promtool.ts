/** Prometheus' own tools, for the suites that hold our rules and dashboards to them. */
import { execFileSync } from 'node:child_process';
import { describe, it } from 'vitest';

type Tool = 'promtool' | 'prometheus';

/** Why there is none; empty where there is one. */
export const whyNo = (tool: Tool): string => {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return '';
  } catch {
    return `no ${tool} on the path: apt-get install prometheus has it on Debian`;
  }
};

/**
 * A suite that needs one of them: skipped where there is none, which the last line of the run reports, and a
 * failure in `.ci/nightly`, which installs both.
 */
export const describeWithTool = (tool: Tool, name: string, body: () => void): void => {
  const reason = whyNo(tool);
  if (reason && process.env.TURNSTONE_TEST_PROMETHEUS) throw new Error(`${name} can't run: ${reason}`);
  if (reason === '') describe(name, body);
  else describe.skip(name, () => it(`needs ${tool}: ${reason}`, () => {}));
};
