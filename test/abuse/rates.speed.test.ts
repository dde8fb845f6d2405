import { afterAll, beforeAll, describe } from 'vitest';
import { type Server, startServer } from '../support/processes/server.ts';
import { LIMITS, rateTests, type World } from './rates.ts';

let server: Server;
let world: World;
beforeAll(async () => {
  server = await startServer({ environment: LIMITS });
  world = { urls: [server.url], apiKey: server.apiKey };
});
afterAll(() => server?.stop());

describe('callers that call too often, embedded', () => rateTests(() => world));
