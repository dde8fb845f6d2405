import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { untilReady } from '../support/http/until-ready.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { exchange, lostAnswer, refresh, withoutProjection } from './lost-answers.ts';

describeInBothModes('lost answers', {
  embedded: () => {
    let running: Server | undefined;
    afterEach(async () => {
      await running?.kill();
      running = undefined;
    });

    const at = (time: string) => ({ environment: { TURNSTONE_CLOCK: time } });

    test('a refresh whose answer was lost can be repeated minutes later, one that was delivered can not', async () => {
      const early = await startServer(at('2026-03-10T08:00:00Z'));
      running = early;
      await lostAnswer(early, early.apiKey, async () => {
        await early.stop();
        running = await startServer({ ...at('2026-03-10T08:05:00Z'), dataDir: early.dataDir });
        return running;
      });
    });

    /**
     * Another program (a backup tool) that holds a lock on the projections' file, as soon as the projector
     * lets it.
     */
    const stallProjections = (folder: string): (() => void) => {
      const files = readdirSync(folder).filter(name => /^projections-\d+\.db$/.test(name));
      const held = files.map(name => new DatabaseSync(join(folder, name), { timeout: 10_000 }));
      for (const database of held) database.exec('BEGIN IMMEDIATE');
      return () => {
        for (const database of held) database.close();
      };
    };

    test('refresh and exchange wait for the log alone: a locked projections file holds up no session', async () => {
      const server = await startServer(at('2026-03-10T08:00:00Z'));
      running = server;
      const first = await exchange(server.url, server.apiKey);
      const release = stallProjections(server.dataDir);
      const { stolen } = await withoutProjection(server.url, server.apiKey, first, 2_000);
      release();
      expect((await refresh(server.url, stolen)).status).toBe(401);
    });
  },
  cluster: () => {
    const at = (time: string) => ({ environment: { TURNSTONE_CLOCK: time } });
    const inCluster = async (body: (cluster: Cluster) => Promise<void>): Promise<void> => {
      const cluster = await makeCluster(engineEnvironment(), { TURNSTONE_AUTH_FAILURES_PER_MINUTE: '1000' });
      try {
        await body(cluster);
      } finally {
        await cluster.close();
      }
    };

    it('a refresh whose answer was lost can be repeated minutes later, one that was delivered can not', () =>
      inCluster(async cluster => {
        await cluster.start('projector');
        const early = await untilReady(cluster.start('api', at('2026-03-10T08:00:00Z')));
        await lostAnswer(early, cluster.apiKey, () =>
          untilReady(cluster.start('api', at('2026-03-10T08:05:00Z'))),
        );
      }));

    it('refresh and exchange wait for the log alone: without a projector sessions go on, on every instance', () =>
      inCluster(async cluster => {
        const projector = await cluster.start('projector');
        const api = await untilReady(cluster.start('api'));
        const other = await untilReady(cluster.start('api'));
        const first = await exchange(api.url, cluster.apiKey);
        await projector.kill();
        const { stolen } = await withoutProjection(api.url, cluster.apiKey, first, 2_000);
        await cluster.start('projector');
        await until('the other instance knows a stolen token', async () => {
          return (await refresh(other.url, stolen)).status === 401;
        });
        expect((await refresh(api.url, stolen)).status).toBe(401);
      }));
  },
});
