import { it } from 'vitest';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';
import { proveAMonth } from './statement.ts';

// Switched off: `projectUsage` of erased turns in services/use-cases/transfer/chunk.ts → the export proves 19 events less.
it('states what a month billed, and an export proves it, whatever was erased since', async () => {
  const dataDir = temporaryFolder();
  let server: Server | undefined;
  let apiKey = '';
  await proveAMonth({
    org: 'local',
    environment: { TURNSTONE_DATA_DIR: dataDir },
    replay: ['all'],
    at: async instant => {
      await server?.stop();
      server = await startServer({ dataDir, environment: { TURNSTONE_CLOCK: instant } });
      apiKey ||= server.apiKey;
      return { url: server.url, apiKey };
    },
  });
  await server?.stop();
}, 120_000);
