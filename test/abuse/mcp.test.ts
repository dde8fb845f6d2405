/** The MCP server over HTTP: what its callers send before their key was tried. */
import { expect, test } from 'vitest';
import { startMcpHttp } from '../support/http/mcp.ts';
import { startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { open, sendEndlessly } from './open-endpoints.ts';

test('endless and slow bodies with a made-up key are refused and cut off', async () => {
  const server = await startServer();
  const mcp = await startMcpHttp(['--http', '0'], { TURNSTONE_URL: server.url });
  const { origin, pathname } = new URL(mcp.url);
  const key = 'Authorization: Bearer ts_0123456789abcdef_x\r\n';
  const { sent, ...rest } = await sendEndlessly(origin, pathname, key);
  expect(rest).toEqual({ status: 413, ended: true });
  expect(sent).toBeLessThan(16 * 1024 * 1024);

  const slow = await open(origin);
  slow.socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  await until('the slow one is closed', () => !slow.isOpen(), 12_000);
  expect(slow.answer().slice(9, 12)).toBe('408');
  mcp.child.kill('SIGTERM');
  await server.stop();
});
