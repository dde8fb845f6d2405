import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { connect, settled } from '../support/http/client.ts';
import { holdClock } from '../support/processes/clock.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand, spawnCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import {
  eraseExpired,
  expectExpired,
  expireSome,
  expireUnderLoad,
  exportExpiring,
  setRetentions,
  streamOverExpiry,
} from './expiry.ts';
import { operate, swept } from './expiry-embedded.ts';
import { SECRET } from './retraction.ts';

/** Longer than the projector leaves between two sweeps, and to answers that have begun. */
const A_SWEEP_MS = 30_000;

describeInBothModes('expiry', {
  embedded: () => {
    it('streams, erases, exports and imports what expires', async () => {
      const clock = holdClock();
      const server = await startServer({ environment: clock.environment });
      const source = { ...server, clock };
      await streamOverExpiry(source);
      await eraseExpired(source);
      const { before, after, late } = await exportExpiring(source);
      await server.stop();
      const folder = temporaryFolder();
      // A turn that had not expired when it was exported has by now: it is stored as it was billed, and shown
      // by nothing.
      for (const [name, content] of Object.entries({ before, after })) {
        const file = join(folder, `${name}.jsonl`);
        writeFileSync(file, content);
        const target = await startServer({ environment: clock.environment });
        const imported = await runCommand(['import', file], {
          ...clock.commandEnvironment(),
          TURNSTONE_DATA_DIR: target.dataDir,
        });
        expect(imported).toMatchObject({ status: 0, stderr: '' });
        await settled(target.url);
        const there = await connect(target);
        const { body: list } = await there.request<{ turns: { id: string; text: string }[] }>(
          'GET',
          '/memory/turns?user_id=eve&session_id=carried',
        );
        expect(list.turns.map(({ text }) => text)).toEqual(['I last.']);
        const { body: turn } = await there.request('GET', `/memory/turns/${list.turns[0]!.id}`);
        expect(turn).toMatchObject({ expires_at: late });
        const { hits } = await there.recall({ q: `What of the ${SECRET}?`, scope: { user_id: 'eve' } });
        expect(JSON.stringify(hits)).not.toContain(SECRET);
        await operate(clock, target.dataDir, 'verify');
        await target.stop();
      }
    });

    it('hides what has expired from every answer, after a kill and a rebuild too', async () => {
      const clock = holdClock();
      const { environment } = clock;
      const dataDir = temporaryFolder();
      let server = await startServer({ dataDir, environment });
      const { apiKey } = server;
      const world = () => ({ url: server.url, apiKey, clock });
      await setRetentions(world());
      const command = await runCommand(['orgs', 'set-retention', 'local', '--days', '365'], {
        TURNSTONE_DATA_DIR: dataDir,
      });
      expect([command.status, command.stdout]).toEqual([
        0,
        expect.stringMatching(/kept for ever, from .* on 365 days/),
      ]);
      const expired = await expireSome(world());
      await expectExpired(world(), expired);
      const billed = await (await connect(world())).today();
      await server.kill();

      for (const name of readdirSync(dataDir))
        if (name.startsWith('projections')) rmSync(join(dataDir, name));
      server = await startServer({ dataDir, environment });
      expect((await (await connect(world())).today()).tokens_in).toBe(billed.tokens_in);
      await expectExpired(world(), expired);
      await operate(clock, dataDir, 'verify');
      await swept(clock, dataDir);
      await expectExpired(world(), expired);
      await operate(clock, dataDir, 'verify');
      await server.stop();
    });
  },
  cluster: () => {
    let cluster: Cluster;
    let api: Server;
    const clock = holdClock();
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), {
        ...clock.environment,
        TURNSTONE_SIGNUP: 'open',
        TURNSTONE_QUOTA_TOKENS_IN: '0',
      });
      [api] = await Promise.all([
        cluster.start('api'),
        cluster.start('projector'),
        cluster.start('enricher'),
      ]);
    }, 300_000);
    afterAll(() => cluster?.close());
    const operate = async (...args: string[]): Promise<void> => {
      const { status, stdout, stderr } = await runCommand(args, {
        ...cluster.environment,
        ...clock.commandEnvironment(),
      });
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    };

    /** Passes time on until no generation holds words of what has expired. */
    const swept = (): Promise<void> => {
      clock.advance(A_SWEEP_MS);
      return until(
        'what has expired is swept',
        async () => {
          const place = `${cluster.environment.TURNSTONE_ELASTICSEARCH_URL}/${cluster.environment.TURNSTONE_NAMESPACE}-recall-*`;
          const words = { terms: { kind: ['turn', 'said', 'extracted', 'mention'] } };
          const query = { bool: { filter: [words, { range: { expires_at: { lte: clock.now() } } }] } };
          const answer = await fetch(`${place}/_count`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query }),
          });
          const { count } = (await answer.json()) as { count: number };
          return count === 0;
        },
        120_000,
      );
    };

    it('hides what has expired from every answer, after a replay too', async () => {
      const world = { url: api.url, apiKey: cluster.apiKey, clock };
      const client = await cluster.client(api);
      await setRetentions(world);
      const expired = await expireSome(world);
      await expectExpired(world, expired);
      const billed = await client.today();
      await operate('verify');
      await operate('replay', 'recall');
      await operate('verify');
      expect((await client.today()).tokens_in).toBe(billed.tokens_in);
      await expectExpired(world, expired);
      await swept();
      await expectExpired(world, expired);
      await operate('verify');
    }, 300_000);

    it('streams, erases and exports what expires', async () => {
      const world = { url: api.url, apiKey: cluster.apiKey, clock };
      await streamOverExpiry(world);
      await eraseExpired(world);
      await exportExpiring(world);
      await operate('verify');
    }, 300_000);

    it('hides thousands of turns during writes and a replay, leaves nothing of them, and loses nothing else', async () => {
      const world = { url: api.url, apiKey: cluster.apiKey, clock };
      // A process of its own goes by the clock as it is at each moment, as a machine's would.
      const replay = async (): Promise<void> => {
        const ended = await spawnCommand(['replay', 'recall'], cluster.environment);
        expect(ended).toMatchObject({ status: 0 });
      };
      await expireUnderLoad(world, await cluster.client(api), replay);
      await operate('verify');
      await swept();
      await operate('verify');
    }, 600_000);
  },
});
