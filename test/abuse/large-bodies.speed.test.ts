import { afterAll, beforeAll, describe } from 'vitest';
import { connect, expectStatus, send } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { largeBodyTests, type World } from './large-bodies.ts';

let server: Server;
let world: World;
beforeAll(async () => {
  server = await startServer({ environment: { TURNSTONE_QUOTA_TOKENS_IN: '0' } });
  const { url, apiKey } = server;
  const { api_key } = expectStatus(
    await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: 'good' }),
    201,
  );
  world = { url, apiKey, good: await connect({ url, apiKey: api_key }) };
});
afterAll(() => server?.stop());

describe('a tenant with large bodies, embedded', () => largeBodyTests(() => world));
