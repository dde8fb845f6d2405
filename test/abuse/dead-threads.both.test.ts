/** A thread of the embedded service ends, as if for lack of memory: the service must recover by itself. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Readiness } from '../../schemas/http/service.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Client, connect, send, settled } from '../support/http/client.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { MAIN, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';

describeInBothModes('dead threads', {
  embedded: () => {
    const ENDS_THREADS = new URL('../support/processes/end-threads.ts', import.meta.url).href;

    let server: Server | undefined;
    afterEach(async () => {
      await server?.kill();
      server = undefined;
    });

    const start = async (): Promise<{ server: Server; client: Client; end(kind: string): void }> => {
      const folder = temporaryFolder();
      server = await startServer({
        command: [process.execPath, '--import', ENDS_THREADS, MAIN, 'serve'],
        environment: { END_THREADS_IN: folder },
      });
      return {
        server,
        client: await connect(server),
        end: kind => writeFileSync(join(folder, `end-${kind}`), ''),
      };
    };

    const ready = async (url: string): Promise<boolean> => (await fetch(`${url}/readyz`)).status === 200;

    describe.each(['projector', 'enricher', 'search'])('the thread of the %s ends', kind => {
      it('and is replaced: what was written meanwhile is indexed, and the service is ready again', async () => {
        const { server, client, end } = await start();
        await client.ingest({ turns: [turn(1)] });
        for (let n = 2; n < 5; n++) {
          const before = server.stderr().split('ended by a test').length;
          end(kind);
          await until('the thread ended', () => server.stderr().split('ended by a test').length > before);
          await client.ingest({ turns: [turn(n)] });
        }
        await settled(server.url);
        await until('ready again', () => ready(server.url));
        const found = await client.recall({ q: sentence(4) });
        expect(found.hits.turns.map(({ text }) => text).join()).toContain(sentence(4));
        expect(await server.stop()).toBe(0);
      });
    });

    describe('the thread that writes the log ends', () => {
      it('and the process with it, and the next one has everything that was acknowledged', async () => {
        const { server: first, client, end } = await start();
        const { active_fragment_ids } = await client.ingest({ turns: [turn(1)] });
        end('writer');
        const [status] = await once(first.child, 'exit');
        expect(status).toBe(70);
        expect(first.stderr()).toContain('the thread that writes the log ended');

        server = await startServer({ dataDir: first.dataDir });
        const { hits } = await (await connect(server)).recall({ q: sentence(1) });
        expect(hits.turns.map(({ id }) => id)).toEqual(active_fragment_ids);
      });
    });
  },
  cluster: () => {
    /**
     * A thread that searches for an API of the cluster ends, as it would for lack of memory: the process gets
     * over it by itself.
     */
    const ENDS_THREADS = new URL('../support/processes/end-threads.ts', import.meta.url).href;

    it('and is replaced: the API stays ready, writes go on, and recall says when it is back', async () => {
      const cluster = await makeCluster(engineEnvironment());
      onTestFinished(() => cluster.close(), 60_000);
      const folder = temporaryFolder();
      const api = await cluster.start('api', {
        environment: { END_THREADS_IN: folder, NODE_OPTIONS: `--import ${ENDS_THREADS}` },
      });
      const projector = await cluster.start('projector');
      const client = await cluster.client(api);
      const readiness = async () => (await send<Readiness>(`${api.url}/readyz`, 'GET')).body;
      expect((await readiness()).engines.recall).toEqual({ ok: true, detail: 'runs' });
      expect((await send<Readiness>(`${projector.url}/readyz`, 'GET')).body.engines).not.toHaveProperty(
        'recall',
      );
      for (let n = 1; n < 4; n++) {
        const before = api.stderr().split('ended by a test').length;
        writeFileSync(join(folder, 'end-search'), '');
        await until('the thread ended', () => api.stderr().split('ended by a test').length > before);
        await client.ingest({ turns: [turn(n)] });
        expect((await readiness()).ready).toBe(true);
      }
      await until('recall runs again', async () => (await readiness()).engines.recall!.ok);
      const found = await client.recall({ q: sentence(3) });
      expect(found.hits.turns.map(({ text }) => text).join()).toContain(sentence(3));
      expect(await api.stop()).toBe(0);
    });
  },
});
