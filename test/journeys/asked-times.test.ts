import { afterAll, beforeAll, it } from 'vitest';
import { type Client, connect } from '../support/client.ts';
import { type Server, startServer } from '../support/server.ts';
import { expectAskedTimes, NOON } from './asked-times.ts';

let server: Server;
let client: Client;
beforeAll(async () => {
  server = await startServer({ environment: { TURNSTONE_CLOCK: NOON } });
  client = await connect(server);
});
afterAll(() => server?.stop());

it('finds what was said at the time that a question names', () => expectAskedTimes(server.url, client));
