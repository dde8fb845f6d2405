import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, temporaryFolder } from '../../support/processes/server.ts';

/** The output for these results of vitest's reporter `json`. */
const counted = (...files: object[]): string => {
  const path = join(temporaryFolder(), 'results.json');
  writeFileSync(path, JSON.stringify({ testResults: files }));
  const output = execFileSync(process.execPath, [join(ROOT, '.ci/count.cjs'), path], { cwd: ROOT });
  return output
    .toString()
    .replaceAll(path, 'results.json')
    .replaceAll(/(\.\.\/)+/g, '');
};
const test = (fullName: string, ...failureMessages: string[]) => ({
  fullName,
  status: failureMessages.length === 0 ? 'passed' : 'failed',
  failureMessages,
});
const file = (name: string, status: string, message: string, ...assertionResults: object[]) => ({
  name: `${ROOT}${name}`,
  startTime: 1_000,
  endTime: 13_300,
  status,
  message,
  assertionResults,
});

it('the count names how long each file took, and each test that failed, with the first line of its failure', () => {
  const failing = test('a clock goes', '\u001b[31mAssertionError\u001b[39m: 1 is not 2\n    at here');
  expect(counted(file('test/a.test.ts', 'failed', '', test('a clock stands'), failing))).toBe(
    '    12 s  test/a.test.ts\nfailed: test/a.test.ts > a clock goes\n    AssertionError: 1 is not 2\n1 passed, 1 failed\n',
  );
});

it('the count names files that failed without a test that did: one not loaded, one whose hook failed', () => {
  const skipped = { ...test('b'), status: 'skipped' };
  const files = [
    file('test/a.test.ts', 'failed', 'Cannot find x\nat y'),
    file('test/b.test.ts', 'failed', '', skipped),
  ];
  expect(counted(...files)).toBe(
    '    12 s  test/a.test.ts\n    12 s  test/b.test.ts\n' +
      'failed: test/a.test.ts\n    Cannot find x\nfailed: test/b.test.ts\n    no reason was told\n0 passed, 2 failed\n',
  );
});

it('a run without tests counts as a failure', () => {
  expect(counted()).toMatch(/^failed: .*no results\n0 passed, 1 failed\n$/);
});
