import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { untilReady } from '../support/http/until-ready.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import {
  comingsAndGoings,
  commandShowsEntries,
  erasureLeavesEntries,
  everyOperationLeavesItsEntry,
  pagesAndFilters,
  readsAreNoFreeAppend,
  tableIsTheContractOfAudit,
  type World,
} from './audit.ts';

const suite = (start: () => Promise<World & { stop: () => Promise<unknown> }>) => () => {
  let world: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world?.stop());

  test('the table says which operations leave an entry', tableIsTheContractOfAudit);

  test('every operation leaves the entry that its row says, and no words', () =>
    everyOperationLeavesItsEntry(world));

  test('sign-ins, first uses, refused ones and operators are entries', () => comingsAndGoings(world));

  test('a caller who reads or is refused again and again leaves an entry an hour', () =>
    readsAreNoFreeAppend(world));

  test('the command shows the entries as a table and as JSON', () => commandShowsEntries(world));

  test('the erasure of a user leaves its id in entries, and no words', () => erasureLeavesEntries(world));

  test('entries are paged, newest first, and filtered', () => pagesAndFilters(world));
};

const commanded =
  (environment: Record<string, string>) =>
  async (...args: string[]): Promise<void> =>
    expect(await runCommand(args, environment)).toMatchObject({ status: 0, stderr: '' });

describeInBothModes('the audit log', {
  embedded: suite(async () => {
    const server: Server = await startServer();
    const operator = commanded({ TURNSTONE_DATA_DIR: server.dataDir });
    return { url: server.url, apiKey: server.apiKey, operator, org: 'local', stop: server.stop };
  }),
  cluster: suite(async () => {
    const cluster: Cluster = await makeCluster(engineEnvironment());
    const server: Server = await untilReady(cluster.start('all'));
    const operator = commanded(cluster.environment);
    return { url: server.url, apiKey: cluster.apiKey, operator, org: 'acme', stop: () => cluster.close() };
  }),
});
