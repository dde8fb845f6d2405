import { afterAll, beforeAll, it } from 'vitest';
import { type Client, connect } from '../support/client.ts';
import { type Server, startServer } from '../support/server.ts';
import { expectHeldPart, expectPassages } from './passages.ts';

let server: Server;
let client: Client;
beforeAll(async () => {
  server = await startServer();
  client = await connect(server);
});
afterAll(() => server?.stop());

it('shows the part of a long turn that matters, where it is asked for', () =>
  expectPassages(server.url, client));
it('shows the part of a long turn that says what holds', () => expectHeldPart(server.url, client));
