/**
 * The topics that the last release wrote and that its SIGKILL left (test/support/last-release/make.ts says how), under
 * today's code: migrated and read by processes that are killed meanwhile, with a client that writes as soon as it can. The
 * stores are empty: their former content is not part of the fixture. Switched off by hand: reading `turn.recorded` 2 → no
 * turns; the settings of the topic `keys` in `migrate` → the projector waits for ever.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { accessToken, connect, metric, settled } from '../support/client.ts';
import { clusterEnvironment, makeProcesses } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { dropNamespaceOfKilled } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines.ts';
import {
  expectAnswers,
  expectNewcomer,
  expectNewWrites,
  expectOrganization,
} from '../support/last-release/check.ts';
import { startNewcomer } from '../support/last-release/newcomer.ts';
import { restoreInstallationKey, restoreTopics } from '../support/last-release/restore.ts';
import { cleanEnvironment, MAIN, ROOT } from '../support/server.ts';
import { until } from '../support/wait.ts';

/** Starts `turnstone migrate` and kills it when it has said so many lines, or lets it end before. */
const migrateKilledAfter = async (environment: Record<string, string>, lines: number): Promise<string> => {
  const child = spawn(process.execPath, [MAIN, 'migrate'], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > lines) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  return said;
};

describeOnEngines('the topics of the last release', () => {
  it('answer as they did and go on, with kills of migrate, the api and the projector', async () => {
    const environment = await clusterEnvironment(engineEnvironment(), {
      TURNSTONE_INSTALLATION_KEY: restoreInstallationKey(),
    });
    const config = clusterConfig({ namespace: environment.TURNSTONE_NAMESPACE! });
    const { start, close } = makeProcesses(environment);
    onTestFinished(async () => {
      await close();
      await dropNamespaceOfKilled(config);
    }, 60_000);
    const operate = async (...args: string[]): Promise<string> => {
      const ended = await runCommand(args, environment);
      expect(ended, ended.stdout + ended.stderr).toMatchObject({ status: 0 });
      return ended.stdout;
    };
    const { organizations, records } = await restoreTopics(config);
    const [acme] = organizations;

    expect(await migrateKilledAfter(environment, 1)).not.toContain('done');
    expect(await operate('migrate')).toContain('done');
    expect(await operate('migrate')).toContain('everything exists already');

    // The order of an upgrade: projector and enricher first.
    let projector = await start('projector');
    await start('enricher');
    // It is a member of the group, or about to be.
    await projector.kill();
    let api = await start('api');
    const newcomer = startNewcomer(() => api.url, acme!.apiKey);
    onTestFinished(newcomer.abandon);
    const more = (writes: number): Promise<void> => {
      const enough = newcomer.acknowledged().length + writes;
      return until('more is acknowledged', () => newcomer.acknowledged().length >= enough, 60_000);
    };
    await more(1);
    await api.kill();
    api = await start('api');
    projector = await start('projector');
    await until('it has projected some', async () => {
      const lag = await metric(projector.url, 'turnstone_projector_lag_events');
      return lag < records;
    });
    await projector.kill();
    await more(10);
    await start('projector');
    await more(10);
    await newcomer.stop();
    expect(newcomer.faults()).toEqual([]);

    await settled(api.url, 60_000);
    for (const then of organizations) await expectOrganization(api.url, then);
    const client = await connect(
      { url: api.url, apiKey: acme!.apiKey },
      await accessToken(api.url, acme!.apiKey),
    );
    await expectNewcomer(client, newcomer.acknowledged());
    await operate('verify');
    await operate('replay', 'recall');
    for (const then of organizations) {
      const own = await connect({ url: api.url, apiKey: then.apiKey });
      await expectAnswers(own, then);
      await expectNewWrites(own, then);
    }
    expect(JSON.parse(await operate('dead-letters', 'list', '--json'))).toEqual([]);
  });
});
