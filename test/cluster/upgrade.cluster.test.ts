/**
 * The topics that today's build wrote and that its SIGKILL left, taken over by a build in which one event has
 * a version more (test/support/next-build), in the order of an upgrade: a projector and an enricher, then an
 * API beside the one of before, with kills, and with a client that writes to both as soon as it can.
 */
import { expect, it, onTestFinished } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { accessToken, connect, settled } from '../support/http/client.ts';
import { NEXT_BUILD } from '../support/next-build/environment.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { spawnCommand } from '../support/processes/command-line.ts';
import type { Server } from '../support/processes/server.ts';
import {
  expectAnswers,
  expectNewcomer,
  expectNewWrites,
  expectOrganization,
} from '../support/upgrade/check.ts';
import { startNewcomer } from '../support/upgrade/newcomer.ts';
import { CLOCK, secondOrganization, tell } from '../support/upgrade/world.ts';
import { until } from '../support/wait.ts';

/**
 * The same build again, in the next month: what its answers bill is none of the month that is held against
 * the next build's.
 */
const NEXT_MONTH = { TURNSTONE_CLOCK: '2026-11-02T09:00:00Z' };
/** Long after the topics were written: claims, tokens and days are over. */
const LATER = { TURNSTONE_CLOCK: '2027-03-01T09:00:00Z' };

describeOnEngines('an upgrade', () => {
  it('answers as before and goes on, with kills, and with APIs of both builds at once', async () => {
    const cluster = await makeCluster(engineEnvironment(), { TURNSTONE_CLOCK: CLOCK });
    onTestFinished(async () => {
      await cluster.close();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });
    const before = await cluster.start('all');
    const keys = [
      { org: 'acme', apiKey: cluster.apiKey },
      { org: 'beta', apiKey: await secondOrganization(cluster.environment) },
    ];
    let again: Server | undefined;
    const organizations = await tell(keys, before, async () => {
      again = await cluster.start('all', { environment: NEXT_MONTH });
      return again;
    });
    await again!.kill();
    const [acme] = organizations;

    const next = { environment: { ...LATER, ...NEXT_BUILD } };
    const operate = async (...args: string[]): Promise<string> => {
      const run = () => spawnCommand(args, { ...cluster.environment, ...next.environment });
      let ended = await run();
      // After a kill another process makes the pass: the command says so, and is run again.
      for (let i = 0; i < 3 && ended.stderr.includes('is being read anew'); i++) ended = await run();
      expect(ended, ended.stdout + ended.stderr).toMatchObject({ status: 0 });
      return ended.stdout;
    };
    expect(await operate('migrate')).toContain('everything exists already');

    const oldApi = await cluster.start('api', { environment: LATER });
    let apis = [oldApi];
    let turn = 0;
    const newcomer = startNewcomer(() => apis[turn++ % apis.length]!.url, acme!.apiKey);
    onTestFinished(newcomer.abandon);
    const more = (writes: number): Promise<void> => {
      const enough = newcomer.acknowledged().length + writes;
      return until('more is acknowledged', () => newcomer.acknowledged().length >= enough, 120_000);
    };
    await more(10);
    const projector = await cluster.start('projector', next);
    await cluster.start('enricher', next);
    let api = await cluster.start('api', next);
    apis = [oldApi, api];
    await more(10);
    await api.kill();
    api = await cluster.start('api', next);
    apis = [oldApi, api];
    await more(10);
    apis = [api];
    await oldApi.stop();
    await projector.kill();
    await more(10);
    await cluster.start('projector', next);
    await newcomer.stop();
    expect(newcomer.faults()).toEqual([]);

    await settled(api.url, 120_000);
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
  }, 600_000);
});
