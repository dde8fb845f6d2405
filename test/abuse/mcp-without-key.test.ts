import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHttpServer, startMcpHttp } from '../support/http/mcp.ts';
import { type Server, startServer } from '../support/processes/server.ts';

let server: Server;
let mcp: McpHttpServer;
beforeAll(async () => {
  server = await startServer();
  // The data folder has a key with every role.
  mcp = await startMcpHttp(['--http', '0'], {
    TURNSTONE_URL: server.url,
    TURNSTONE_DATA_DIR: server.dataDir,
  });
});
afterAll(async () => {
  mcp?.child.kill('SIGKILL');
  await server?.stop();
});

const initialize = (authorization?: string) =>
  fetch(mcp.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  });

test('another user of the machine reaches no memory over MCP without a key', async () => {
  for (const authorization of [undefined, '', 'Bearer', 'Basic YTpi']) {
    const answer = await initialize(authorization);
    expect(answer.status, String(authorization)).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.text()).toContain('Bearer <Turnstone API key>');
  }
  expect((await initialize(`Bearer ${server.apiKey}`)).status).toBe(200);
});
