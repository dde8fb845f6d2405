import { afterAll, it } from 'vitest';
import { type Server, startServer } from '../support/processes/server.ts';
import { checkIdleFeeds } from './idle-feeds.ts';

let server: Server | undefined;
afterAll(() => server?.kill());

it('idle streams of one organization cost nothing while another writes', async () => {
  server = await startServer();
  await checkIdleFeeds({ url: server.url, pid: server.child.pid! });
});
