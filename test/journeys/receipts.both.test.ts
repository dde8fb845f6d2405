import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReceiptAnswer } from '../../schemas/http/receipts.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { wordsInFolder } from '../support/files/find-words.ts';
import { accessToken, type Client, connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { turn } from '../support/worlds/builders.ts';
import {
  ASKED,
  expectErased,
  expectOnlyAskersRead,
  expectSame,
  judgeHits,
  keepReceipts,
} from './receipts.ts';

describeInBothModes('receipts', {
  embedded: () => {
    it('keeps what was answered, after a restart, a replay and an erasure too', async () => {
      const environment = { TURNSTONE_SIGNUP: 'open' };
      let server = await startServer({ environment });
      const { apiKey, dataDir } = server;
      const operate = async (...args: string[]): Promise<void> => {
        const { status, stdout, stderr } = await runCommand(args, { TURNSTONE_DATA_DIR: dataDir });
        expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
      };
      let client = await connect(server);
      const receipts = await keepReceipts(server.url, client);
      await expectOnlyAskersRead(server.url, client, receipts);
      await judgeHits(server.url, client, receipts);
      const token = await accessToken(server.url, apiKey);
      const exported = await fetch(`${server.url}/export`, { headers: { authorization: `Bearer ${token}` } });
      const text = await exported.text();
      expect(text).toContain('recall.metered');
      expect(text).not.toMatch(/receipt|sealed/);
      await operate('replay', 'all');
      await operate('verify');
      await expectSame(client, receipts);
      await server.kill();

      server = await startServer({ dataDir, environment });
      client = await connect({ url: server.url, apiKey });
      await expectSame(client, receipts);
      await expectErased(client, receipts);
      await operate('verify');
      await server.stop();
      // A question is nowhere in plaintext, at no time.
      expect(wordsInFolder(dataDir, [ASKED])).toEqual({});
    });

    it('keeps it for 90 days', async () => {
      const at = (clock: string, dataDir?: string) =>
        startServer({ ...(dataDir && { dataDir }), environment: { TURNSTONE_CLOCK: clock } });
      const first = await at('2026-01-01T12:00:00Z');
      const { dataDir, apiKey } = first;
      const client = await connect(first);
      await client.ingest({ turns: [turn(1)] });
      const { receipt_id: id } = await client.recall({ q: 'kettle', receipt: true });
      await first.stop();
      for (const [clock, status] of [
        ['2026-04-01T11:59:00Z', 200],
        ['2026-04-01T12:01:00Z', 404],
      ] as const) {
        const later = await at(clock, dataDir);
        const reader = await connect({ url: later.url, apiKey });
        expect((await reader.request<ReceiptAnswer>('GET', `/recalls/${id}`)).status).toBe(status);
        await later.stop();
      }
    });
  },
  cluster: () => {
    let cluster: SharedCluster;
    let api: Server;
    let client: Client;
    beforeAll(async () => {
      cluster = await sharedCluster(engineEnvironment());
      ({ api, owner: client } = cluster);
    }, 300_000);
    afterAll(() => cluster?.close());
    const operate = async (...args: string[]): Promise<void> => {
      const { status, stdout, stderr } = await runCommand(args, cluster.environment);
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    };

    it('keeps what was answered, after a replay, an erasure, and in another process', async () => {
      const receipts = await keepReceipts(api.url, client);
      await expectOnlyAskersRead(api.url, client, receipts);
      await judgeHits(api.url, client, receipts);
      await operate('replay', 'recall');
      await operate('verify');
      await expectSame(client, receipts);
      const other = await cluster.client(await cluster.start('api'));
      await expectSame(other, receipts);
      await expectErased(client, receipts);
      await operate('verify');
    }, 300_000);
  },
});
