import { afterEach, expect, it } from 'vitest';
import { sentence } from '../support/builders.ts';
import { accessToken, connect, inParallel, send, settled } from '../support/client.ts';
import { changeProjections } from '../support/projections-file.ts';
import { type Server, startServer } from '../support/server.ts';
import { pause, until } from '../support/wait.ts';

const environment = { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' };
const BATCHES = 160;

let running: Server[] = [];
afterEach(async () => {
  await Promise.all(running.map(server => server.kill()));
  running = [];
});
const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({ environment, ...(dataDir && { dataDir }) });
  running.push(server);
  return server;
};

/** A folder whose projections another release wrote. */
const oldFolder = async (): Promise<string> => {
  const server = await start();
  const client = await connect(server);
  await inParallel(BATCHES, 4, async batch => {
    const turns = Array.from({ length: 100 }, (_, i) => ({
      role: 'user',
      text: sentence(batch * 100 + i),
      timestamp: new Date(Date.UTC(2026, 2, 1) + (batch * 100 + i) * 1_000).toISOString(),
    }));
    await client.ingest({ turns, options: { write_passive: false } });
  });
  await settled(server.url, 60_000);
  await server.stop();
  changeProjections(server.dataDir, `UPDATE meta SET value = '5' WHERE name = 'version'`);
  return server.dataDir;
};

/**
 * Keys are made and revoked while the projections are rebuilt for a new version, and in the middle the process is
 * killed. Each call is taken the first time, and at once: a key whose revocation waits for the verification, which takes
 * minutes in a large folder, would go on working.
 */
it('answers accounts whole while it rebuilds for a new version, killed or not', async () => {
  const dataDir = await oldFolder();
  const phases = new Set<string>();
  for (const isLast of [false, true]) {
    const server = await start(dataDir);
    const token = await accessToken(server.url, server.apiKey);
    const phase = async (): Promise<string> => {
      const { body } = await send<{ engines: Record<string, { detail: string }> }>(
        `${server.url}/readyz`,
        'GET',
      );
      return /is built: ([a-z ]+)/.exec(body.engines.generations!.detail)?.[1] ?? 'promoted';
    };
    const keys = `${server.url}/me/api-keys`;
    const reviseOne = async (): Promise<void> => {
      const before = await phase();
      const { status, body } = await send<{ id: string; api_key: string }>(
        keys,
        'POST',
        { name: 'k' },
        token,
      );
      expect(status).toBe(201);
      const its = await accessToken(server.url, body.api_key);
      expect((await send(`${keys}/${body.id}`, 'DELETE', undefined, token)).status).toBe(204);
      expect((await send(`${server.url}/usage/today`, 'GET', undefined, its)).status).toBe(403);
      expect((await send(`${keys}/${body.id}`, 'DELETE', undefined, token)).status).toBe(404);
      if ((await phase()) === before) phases.add(before);
    };
    if (isLast)
      await until(
        'it is promoted',
        async () => reviseOne().then(async () => (await phase()) === 'promoted'),
        60_000,
      );
    else {
      for (let n = 0; n < 5; n++) await reviseOne();
      await pause(Math.random() * 500);
      await server.kill();
    }
  }
  expect([...phases]).toContain('verifying');
});
