import { afterAll, beforeAll, describe } from 'vitest';
import { type Server, startServer } from '../support/server.ts';
import { connectionTests, LIMITS } from './connections.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer({ environment: LIMITS });
});
afterAll(() => server?.stop());

describe('connections without a request, embedded', () => connectionTests(() => server));
