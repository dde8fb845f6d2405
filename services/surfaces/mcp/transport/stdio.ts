import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Log } from '../../../../core/watch/logger.ts';
import { watchRequests } from './open-requests.ts';

/** Milliseconds to answer after the input ends: a client that closes the pipe may still read. */
const PATIENCE_AT_END_MS = 60_000;
/** Milliseconds to answer after a stop: clients kill a server two seconds after asking it to stop. */
const PATIENCE_AT_STOP_MS = 1_500;

/**
 * Serves one client over its pipes until it closes them or `stop` is aborted, then answers the calls in
 * flight as long as the client reads. Only the protocol is written to `output`.
 */
export const serveStdio = async (
  server: McpServer,
  { input, output }: { input: Readable; output: Writable },
  { stop, log }: { stop: AbortSignal; log: Pick<Log, 'warn'> },
): Promise<void> => {
  const transport = new StdioServerTransport(input, output);
  const allAnswered = watchRequests(transport);
  // The error's message may contain stored text.
  server.server.onerror = ({ name }) =>
    log.warn({ kind: name }, 'an mcp message could not be read or answered');
  await server.connect(transport);
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  const ended = new Promise<void>(resolve => {
    input.once('end', resolve);
    input.once('close', resolve);
    if (input.readableEnded) resolve();
  });
  // After the pipe is closed, writes never complete, and each further answer fails with its own error.
  const unread = new Promise<void>(resolve => {
    output.on('error', () => resolve());
    output.once('close', resolve);
  });
  await Promise.race([stopped, ended, unread]);
  // These timers keep the process alive: a waiting call may hold no other handle open.
  const over = new AbortController();
  const patience = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([
    allAnswered(),
    unread,
    ended.then(() => patience(PATIENCE_AT_END_MS)),
    stopped.then(() => patience(PATIENCE_AT_STOP_MS)),
  ]);
  over.abort();
  await server.close();
};
