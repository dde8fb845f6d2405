import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { wordsInFolder } from '../support/files/find-words.ts';
import { connect, settled } from '../support/http/client.ts';
import { holdClock } from '../support/processes/clock.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { expectShut, fill, remove, WORDS } from './organization-deletion.ts';

const OPEN = { TURNSTONE_SIGNUP: 'open' };
const scope = { user_id: 'ada', session_id: 's' };
const turns = [{ role: 'user' as const, text: 'I stay in Lyon.', timestamp: '2026-01-05T10:00:00Z' }];
const ERASED_WITHIN_MS = 90_000;

describeInBothModes('the deletion of an organization', {
  embedded: () => {
    it('shuts it at once and erases it, also where the process died in between, and nobody else', async () => {
      const clock = holdClock();
      const dataDir = temporaryFolder();
      const environment = { ...clock.environment, ...OPEN };
      let server = await startServer({ dataDir, environment });
      const { apiKey } = server;
      const staying = await connect(server);
      await staying.ingest({ scope: { org_id: 'any', ...scope }, turns });
      const owner = await fill(server.url);
      expect(Object.values(wordsInFolder(dataDir, WORDS)).flat()).toEqual(expect.arrayContaining([WORDS[0]]));
      await remove(owner, clock);
      // Nothing is erased yet.
      await server.kill();
      server = await startServer({ dataDir, environment });
      await expectShut({ ...owner, url: server.url });
      await until(
        'nothing of it is left',
        () => Object.keys(wordsInFolder(dataDir, WORDS)).length === 0,
        ERASED_WITHIN_MS,
      );
      await server.stop();

      for (const name of readdirSync(dataDir))
        if (name.startsWith('projections')) rmSync(join(dataDir, name));
      server = await startServer({ dataDir, environment });
      await settled(server.url);
      await expectShut({ ...owner, url: server.url });
      expect(wordsInFolder(dataDir, WORDS)).toEqual({});
      const { hits } = await (await connect({ url: server.url, apiKey })).recall({ q: 'Who stays in Lyon?' });
      expect(JSON.stringify(hits)).toContain('Lyon');
      const verified = await runCommand(['verify'], {
        ...clock.commandEnvironment(),
        TURNSTONE_DATA_DIR: dataDir,
      });
      expect(verified).toMatchObject({ status: 0 });
      await server.stop();
    }, 240_000);
  },
  cluster: () => {
    let cluster: Cluster;
    let api: Server;
    const clock = holdClock();
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), { ...clock.environment, ...OPEN });
      [api] = await Promise.all([
        cluster.start('api'),
        cluster.start('projector'),
        cluster.start('enricher'),
      ]);
    }, 300_000);
    afterAll(() => cluster?.close());

    /** The documents of an organization in the recall index. */
    const documentsOf = async (org: string): Promise<number> => {
      const { TURNSTONE_ELASTICSEARCH_URL: url, TURNSTONE_NAMESPACE: namespace } = cluster.environment;
      const kinds = { terms: { kind: ['turn', 'said', 'extracted', 'mention', 'session', 'job'] } };
      const answer = await fetch(`${url}/${namespace}-recall-*/_count`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: { bool: { filter: [{ term: { org } }, kinds] } } }),
      });
      return ((await answer.json()) as { count: number }).count;
    };

    it('shuts it at once at every process and erases it, and nobody else', async () => {
      const staying = await cluster.client(api);
      await staying.ingest({ scope: { org_id: 'any', ...scope }, turns });
      const owner = await fill(api.url);
      expect(await documentsOf(owner.org)).toBeGreaterThan(0);
      await remove(owner, clock);
      await api.kill();
      api = await cluster.start('api');
      await expectShut({ ...owner, url: api.url });
      await until(
        'nothing of it is left',
        async () => (await documentsOf(owner.org)) === 0,
        ERASED_WITHIN_MS,
      );
      await expectShut({ ...owner, url: api.url });
      const { hits } = await (await cluster.client(api)).recall({ q: 'Who stays in Lyon?' });
      expect(JSON.stringify(hits)).toContain('Lyon');
      const verified = await runCommand(['verify'], {
        ...cluster.environment,
        ...clock.commandEnvironment(),
      });
      expect(verified).toMatchObject({ status: 0 });
    }, 300_000);
  },
});
