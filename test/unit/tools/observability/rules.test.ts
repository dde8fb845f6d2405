import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALERT_GROUPS } from '../../../../tools/observability/alerts/all.ts';
import { describeWithTool } from '../../../support/processes/promtool.ts';
import { ROOT, temporaryFolder } from '../../../support/processes/server.ts';

const FOLDER = join(ROOT, 'infra/alerts');

/** All that promtool prints, and whether it was content. */
const promtool = (args: string[], cwd = FOLDER): { ok: boolean; output: string } => {
  try {
    return { ok: true, output: execFileSync('promtool', args, { cwd, encoding: 'utf8', stdio: 'pipe' }) };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { ok: false, output: `${stdout}${stderr}` };
  }
};

describeWithTool('promtool', 'the rules for Prometheus', () => {
  it('are rules that Prometheus reads', () => {
    const { ok, output } = promtool(['check', 'rules', 'turnstone.yaml']);
    const count = ALERT_GROUPS.flatMap(({ alerts }) => alerts).length;
    expect(output).toContain(`SUCCESS: ${count} rules found`);
    expect(ok).toBe(true);
  });

  it('fire when they should, not before, and clear', () => {
    expect(promtool(['test', 'rules', 'turnstone.test.yaml'])).toMatchObject({ ok: true });
  });

  it('would be found out if one did not fire', () => {
    const folder = temporaryFolder();
    const write = (name: string, change: (text: string) => string): void =>
      writeFileSync(join(folder, name), change(readFileSync(join(FOLDER, name), 'utf8')));
    write('turnstone.yaml', text => text.replace('turnstone_ready == 0', 'turnstone_ready == 2'));
    // The test of this alert alone: all of them take seconds.
    write('turnstone.test.yaml', text => {
      const [head = '', ...tests] = text.split(/^(?= {2}- name: )/m);
      return head + tests.find(test => test.startsWith('  - name: TurnstoneNotReady\n'))!;
    });
    const { ok, output } = promtool(['test', 'rules', 'turnstone.test.yaml'], folder);
    expect(ok).toBe(false);
    expect(output).toContain('TurnstoneNotReady');
  });
});
