import { afterAll, beforeAll, describe } from 'vitest';
import { connect } from '../support/client.ts';
import { type Server, startServer } from '../support/server.ts';
import { openEndpointTests, type World } from './open-endpoints.ts';

let server: Server;
let world: World;
beforeAll(async () => {
  server = await startServer();
  world = { url: server.url, good: await connect(server) };
});
afterAll(() => server?.stop());

describe('a caller without a token, embedded', () => openEndpointTests(() => world));
