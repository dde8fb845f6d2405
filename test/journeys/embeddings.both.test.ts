import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { wordsInFolder } from '../support/files/find-words.ts';
import {
  type Client,
  connect,
  expectStatus,
  metric,
  send,
  settled,
  withoutFreshness,
} from '../support/http/client.ts';
import {
  type EmbeddingServer,
  embeddingReplies,
  startEmbeddingServer,
} from '../support/http/embedding-server.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { forgetProjections } from '../support/worlds/generations.ts';
import {
  ask,
  askInTime,
  embedded,
  environmentOf,
  expectAskedBefore,
  expectDegraded,
  expectFound,
  explained,
  KEY,
  QUESTION,
  WORDS,
  write,
} from './embeddings.ts';
import { makeServiceWithModel, operate, type ServiceWithModel } from './embeddings-embedded.ts';

describeInBothModes('embeddings', {
  embedded: () => {
    let service: ServiceWithModel;
    let endpoint: EmbeddingServer;
    beforeEach(async () => {
      service = await makeServiceWithModel();
      endpoint = service.endpoint;
    });
    afterEach(() => service.close());

    describe('an embedding model', () => {
      it('finds what is meant in other words, and is given each turn and each question once', async () => {
        let server = await service.start({ dataDir: temporaryFolder() });
        let client = await connect(server);
        await write(client);
        await embedded(server.url);
        await expectFound(client);
        const first = await askInTime(client);
        await ask(client);
        const texts = endpoint.texts();
        expect(new Set(texts).size).toBe(texts.length);
        const [kettle, coffee] = ['Hadrian has brought a kettle', 'My aunt has brought the coffee'];
        expect(texts).toContain(`passage: ${kettle} from the village.`);
        expect(texts).toContain(
          `passage: Ada: ${kettle} from the village.\nBen: ${coffee} from the village.`,
        );
        expect(texts).toContain(`query: ${QUESTION}`);
        for (const { headers } of endpoint.requests) expect(headers.authorization).toBe(`Bearer ${KEY}`);
        expect(await metric(server.url, 'turnstone_embeddings_turns_given_up')).toBe(0);
        expect(await operate(server.dataDir, 'verify')).toContain('no differences');

        // A replay takes what the log has.
        for (const forget of [false, true]) {
          await server.stop();
          if (forget) forgetProjections(server.dataDir);
          const { apiKey } = server;
          server = { ...(await service.start({ dataDir: server.dataDir })), apiKey };
          client = await connect(server);
          await embedded(server.url);
          expect(withoutFreshness(await askInTime(client))).toEqual(withoutFreshness(first));
        }
        expect(endpoint.texts().filter(text => text.startsWith('passage: '))).toHaveLength(11);
        expect(server.stdout() + server.stderr()).not.toMatch(new RegExp([KEY, ...WORDS].join('|')));
      });

      it('is given no words that are not to be enriched, and no turn that is not recalled', async () => {
        const server = await service.start();
        const client = await connect(server);
        await write(client, ['A secret hound.'], 0, { options: { write_passive: false } });
        await write(client, ['A forgotten hound.'], 1, { options: { write_active: false } });
        await write(client, ['A known hound.'], 2);
        await embedded(server.url);
        expect(endpoint.texts()).toEqual(['passage: A known hound.']);
      });

      it('is done without while it fails, and nothing that it should have read is lost', async () => {
        const server = await service.start();
        const client = await connect(server);
        await write(client);
        await embedded(server.url);
        await expectDegraded(client, endpoint);

        endpoint.reply(() => embeddingReplies.status(503));
        await write(client, ['My hound is called Comet.'], 100);
        await until(
          'it says that it waits',
          async () => {
            const { status, body } = await send<{ engines: Record<string, { detail: string }> }>(
              `${server.url}/readyz`,
              'GET',
            );
            expect(status).toBe(200);
            return JSON.stringify(body).includes('waits for the embedding model: HTTP 503');
          },
          60_000,
        );
        expect(await metric(server.url, 'turnstone_embeddings_waiting')).toBe(1);
        // The facts of the turn do not wait.
        await settled(server.url);
        endpoint.reply(embeddingReplies.embeds);
        await until(
          'it has read it',
          () => endpoint.texts().some(text => text.endsWith('My hound is called Comet.')),
          90_000,
        );
        await embedded(server.url);
        expect(server.stdout() + server.stderr()).not.toMatch(new RegExp([KEY, ...WORDS, 'Comet'].join('|')));
      });

      it('leaves nothing of whoever is erased', async () => {
        const server = await service.start();
        const client = await connect(server);
        await write(client);
        await embedded(server.url);
        expectStatus(await client.request('DELETE', '/memory?user_id=ada'), 200);
        expect(await operate(server.dataDir, 'verify')).toContain('no differences');
        expect(await operate(server.dataDir, 'export', '--org', 'local')).not.toContain('turn.embedded');
        await server.stop();
        expect(wordsInFolder(server.dataDir, WORDS)).toEqual({});
      });
    });

    it('takes no part where none is configured', async () => {
      const server = await startServer();
      const client = await connect(server);
      await write(client);
      await settled(server.url);
      expect(await explained(client)).toMatchObject({ degraded: undefined, byModel: undefined });
      await expect(metric(server.url, 'turnstone_embeddings_requests')).rejects.toThrow();
      await server.stop();
    });
  },
  cluster: () => {
    let endpoint: EmbeddingServer;
    let cluster: Cluster;
    let api: Server;
    let projector: Server;
    let enricher: Server;
    let client: Client;
    beforeAll(async () => {
      endpoint = await startEmbeddingServer();
      cluster = await makeCluster(engineEnvironment(), environmentOf(endpoint));
      [api, projector, enricher] = await Promise.all([
        cluster.start('api'),
        cluster.start('projector'),
        cluster.start('enricher'),
      ]);
      client = await cluster.client(api);
    }, 300_000);
    afterAll(async () => {
      await cluster?.close();
      await endpoint?.close();
    });
    const operateCluster = async (environment: object, ...args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await runCommand(args, { ...cluster.environment, ...environment });
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
      return stdout;
    };

    it('is served, done without, changed by a replay, rolled back, and forgets who is erased', async () => {
      await write(client);
      await embedded(enricher.url, projector.url);
      await expectFound(client);
      await operateCluster({}, 'verify');
      await expectDegraded(client, endpoint);

      const both = environmentOf(endpoint, 'model-b,model-a');
      await Promise.all([api, enricher].map(server => server.stop()));
      [api, enricher] = await Promise.all([
        cluster.start('api', { environment: both }),
        cluster.start('enricher', { environment: both }),
      ]);
      client = await cluster.client(api);
      await expectFound(client);
      expect(await operateCluster(both, 'generations')).toMatch(/recall .*serving .*model-a/);
      await embedded(enricher.url, projector.url);
      await expectAskedBefore(client, 'model-b');
      await operateCluster(both, 'replay', 'recall');
      expect(await operateCluster(both, 'generations')).toMatch(/recall .*serving .*model-b/);
      await until('the new model is asked', async () => {
        await explained(client);
        return endpoint.texts('model-b').includes(`query: ${QUESTION}`);
      });
      await expectFound(client);
      await operateCluster(both, 'rollback', 'recall');
      expect(await operateCluster(both, 'generations')).toMatch(/recall .*serving .*model-a/);
      await expectFound(client);

      expectStatus(await client.request('DELETE', '/memory?user_id=ada'), 200);
      await operateCluster(both, 'verify');
      expect(await operateCluster(both, 'export', '--org', 'acme')).not.toContain('turn.embedded');
    }, 600_000);
  },
});
