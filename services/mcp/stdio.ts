import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** Serves one client over its pipes until it closes them or `stop` is aborted. `output` carries the protocol alone. */
export const serveStdio = async (
  server: McpServer,
  { input, output }: { input: Readable; output: Writable },
  stop: AbortSignal,
): Promise<void> => {
  await server.connect(new StdioServerTransport(input, output));
  const stopped = once(stop, 'abort');
  const ended = new Promise<void>(resolve => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', () => resolve());
  });
  if (!stop.aborted && !input.readableEnded) await Promise.race([stopped, ended]);
  await server.close();
};
