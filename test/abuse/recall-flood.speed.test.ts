import { afterAll, it } from 'vitest';
import { settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { checkRecallFlood } from './recall-flood.ts';

let server: Server | undefined;
afterAll(() => server?.kill());

it('an organization that floods recalls delays no other, which is refused nothing', async () => {
  server = await startServer({
    environment: { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
  });
  const { url } = server;
  await checkRecallFlood(url, () => settled(url, 120_000));
});
