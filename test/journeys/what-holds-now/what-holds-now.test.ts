import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Client, connect } from '../../support/http/client.ts';
import { type Server, startServer } from '../../support/processes/server.ts';
import { STORIES } from './stories.ts';
import { check, tell } from './tell.ts';

// Switched off: byWhatHolds returns the ranking as it is → twelve stories have the old value first.
describe('what holds now, embedded', () => {
  let server: Server;
  let client: Client;
  beforeAll(async () => {
    server = await startServer();
    client = await connect(server);
  });
  afterAll(() => server?.stop());

  for (const [i, story] of STORIES.entries())
    it(story.name, async () => {
      await tell(client, `story-${i}`, story);
      await check(client, `story-${i}`, story);
    });
});
