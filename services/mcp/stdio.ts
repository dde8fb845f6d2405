import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Log } from '../log.ts';
import { watchRequests } from './open-requests.ts';

/** Whoever closes the pipe behind its last call reads until it is answered. */
const PATIENCE_AT_END_MS = 60_000;
/** Clients kill a server two seconds after they told it to stop. */
const PATIENCE_AT_STOP_MS = 1_500;

/**
 * Serves one client over its pipes until it closes them or `stop` is aborted, and the calls on their way are answered.
 * `output` carries the protocol alone.
 */
export const serveStdio = async (
  server: McpServer,
  { input, output }: { input: Readable; output: Writable },
  { stop, log }: { stop: AbortSignal; log: Pick<Log, 'warn'> },
): Promise<void> => {
  const transport = new StdioServerTransport(input, output);
  const allAnswered = watchRequests(transport);
  // Its message may have the words of people.
  server.server.onerror = ({ name }) =>
    log.warn({ kind: name }, 'an mcp message could not be read or answered');
  await server.connect(transport);
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  const ended = new Promise<void>(resolve => {
    input.once('end', resolve);
    input.once('close', resolve);
    output.once('error', () => resolve());
    if (input.readableEnded) resolve();
  });
  await Promise.race([stopped, ended]);
  const patience = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref());
  await Promise.race([
    allAnswered(),
    ended.then(() => patience(PATIENCE_AT_END_MS)),
    stopped.then(() => patience(PATIENCE_AT_STOP_MS)),
  ]);
  await server.close();
};
