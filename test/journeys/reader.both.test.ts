import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Client, connect } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';

const environment = { TURNSTONE_READER: 'yes' };
const NOW = 'I switched, and I take line 62 to work now.';
const LINES = [
  'I take line 14 to work every morning.',
  'The kettle is broken again.',
  'My sister takes line 9.',
  NOW,
  'It rained all night.',
];

/** Asks for the present with the reader on, once and then ten at a time. */
const expectRead = async (client: Client): Promise<void> => {
  const turns = LINES.map((text, i) => ({
    role: 'user',
    text,
    timestamp: new Date(Date.UTC(2026, 0, 1 + 7 * i)).toISOString(),
  }));
  await client.ingest({ scope: { user_id: 'ada', session_id: 's' }, turns });
  const ask = () => client.recall({ scope: { user_id: 'ada' }, q: 'Which line do I take to work?' });
  const answer = await ask();
  expect(answer).not.toHaveProperty('degraded');
  expect(answer.hits.turns[0]).toMatchObject({ content: NOW });
  const many = await Promise.all(Array.from({ length: 10 }, ask));
  for (const { hits } of many) expect(hits.turns[0]).toMatchObject({ content: NOW });
};

describeInBothModes('the reader', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer({ environment });
    });
    afterAll(() => server?.stop());

    it('takes part in a question for the present', async () => expectRead(await connect(server)));
  },
  cluster: () => {
    let cluster: Cluster;
    let api: Server;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), environment);
      [api] = await Promise.all([cluster.start('api'), cluster.start('projector')]);
    }, 300_000);
    afterAll(() => cluster?.close());

    it('takes part in a question for the present', async () => expectRead(await cluster.client(api)));
  },
});
