import { afterAll, beforeAll, describe } from 'vitest';
import { connect } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { signUp } from '../support/worlds/newcomers.ts';
import { erasureTests, type World } from './erasures.ts';

describe('erasures, in one process', () => {
  let server: Server;
  let world: World;
  beforeAll(async () => {
    server = await startServer();
    const { client: hostile } = await signUp(server.url, 'hostile');
    world = { url: server.url, good: await connect(server), hostile };
  });
  afterAll(() => server?.kill());

  erasureTests(() => world);
});
