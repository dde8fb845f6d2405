import { it } from 'vitest';
import { connect, settled } from '../support/http/client.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { answersAsOf } from '../support/worlds/as-of-journey.ts';

// Switched off: the window's mask (domain/search/segments/run.ts) ignores asOf → four turns of 11:00, not
// two.
it('answers as of an instant with what it answered then', async () => {
  const dataDir = temporaryFolder();
  await answersAsOf(async clock => {
    const server = await startServer({ dataDir, environment: { TURNSTONE_CLOCK: clock } });
    return {
      client: await connect(server),
      url: server.url,
      apiKey: server.apiKey,
      settled: () => settled(server.url),
      stop: server.stop,
    };
  });
});
