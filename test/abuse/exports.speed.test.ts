import { afterAll, it } from 'vitest';
import { accessToken, connect } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { checkExports } from './exports.ts';

let server: Server | undefined;
afterAll(() => server?.kill());

it('an export reads its own part of the log, a few at a time, and delays nobody', async () => {
  server = await startServer({ environment: { TURNSTONE_QUOTA_TOKENS_IN: '0' } });
  const { url, apiKey, child } = server;
  const token = await accessToken(url, apiKey);
  const client = await connect({ url, apiKey }, token);
  await checkExports({ url, pid: child.pid!, isEnriched: true }, { client, token });
});
