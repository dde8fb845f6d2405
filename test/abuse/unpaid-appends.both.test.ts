import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { withLogAndKeys } from '../support/engines/cluster-log.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, engineEnvironment } from '../support/engines/engines.ts';
import { openTestRedis, redisKeys } from '../support/engines/redis.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { type Kept, SMALL_BUDGETS, unpaidAppendTests, type World } from './unpaid-appends.ts';

/** Counts the rows of these tables in a file of the data folder. */
const rowsIn = (dataDir: string, file: string, tables: string): number => {
  const database = new DatabaseSync(join(dataDir, file), { readOnly: true });
  try {
    return database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?")
      .all(tables)
      .reduce(
        (sum, { name }) => sum + Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()!.n),
        0,
      );
  } finally {
    database.close();
  }
};

const commanded = async (args: string[], environment: Record<string, string>): Promise<void> => {
  const { status, stdout, stderr } = await runCommand(args, environment);
  expect(status, stdout + stderr).toBe(0);
};

describeInBothModes('appends that nobody pays for', {
  embedded: () => {
    describe('appends that nobody pays for, embedded', () => {
      let server: Server;
      let world: World;
      beforeAll(async () => {
        server = await startServer({ environment: SMALL_BUDGETS });
        const { dataDir, url } = server;
        const kept = async (): Promise<Kept> => ({
          records: rowsIn(dataDir, 'log.db', '*/[0-9]*'),
          keys: rowsIn(dataDir, 'keys.db', 'keys'),
          rows: rowsIn(dataDir, 'projections-1.db', 'fragments'),
        });
        const elsewhere = async (): Promise<string> => {
          await server.kill();
          server = await startServer({ dataDir, environment: SMALL_BUDGETS });
          world = { ...world, url: server.url };
          return server.url;
        };
        const operator = (...args: string[]) => commanded(args, { TURNSTONE_DATA_DIR: dataDir });
        world = { url, kept, elsewhere, operator };
      });
      afterAll(() => server?.stop());

      unpaidAppendTests(() => world);
    });
  },
  cluster: () => {
    let cluster: Cluster;
    let server: Server;
    let world: World;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), SMALL_BUDGETS);
      server = await cluster.start('all');
      const { namespace } = cluster;
      const kept = () =>
        withLogAndKeys(cluster, async ({ log }): Promise<Kept> => {
          const ends = Object.entries(await log.ends());
          const sum = (isKeys: boolean): number =>
            ends.reduce((all, [name, end]) => all + (name.startsWith('keys/') === isKeys ? end : 0), 0);
          const redis = await openTestRedis(clusterConfig({ namespace }));
          const rows = (await redisKeys(redis, namespace)).length;
          redis.disconnect();
          return { records: sum(false), keys: sum(true), rows };
        });
      const elsewhere = async (): Promise<string> => (await cluster.start('api')).url;
      const operator = (...args: string[]) => commanded(args, cluster.environment);
      world = { url: server.url, kept, elsewhere, operator };
    });
    afterAll(async () => {
      await cluster?.close();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });

    unpaidAppendTests(() => world);
  },
});
