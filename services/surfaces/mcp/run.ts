import { type Log, makeLog } from '../../../core/watch/logger.ts';
import { makeClient } from '../client/client.ts';
import { connect, loadedConfig, serviceUrl } from '../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../client/exit.ts';
import { print, type Terminal } from '../client/terminal.ts';
import { version } from '../client/version.ts';
import { makeMemory, type Named } from './memory/memory.ts';
import { makeMcpServer } from './server.ts';
import { type RunningHttp, serveHttp } from './transport/http.ts';
import { serveStdio } from './transport/stdio.ts';

export interface McpOptions {
  user?: string;
  session?: string;
  http?: { host: string; port: number };
}

/** Calls `serve` with a signal that the first SIGINT or SIGTERM aborts. */
const untilStopped = async (serve: (stop: AbortSignal) => Promise<void>): Promise<void> => {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
  try {
    await serve(stop.signal);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort);
  }
};

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Retries until `make` succeeds: the key's file may be written only after the start. */
const onceMade = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const faultOfListening = (error: unknown, { host, port }: { host: string; port: number }): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const status = code === 'EACCES' ? EXIT.notAllowed : EXIT.unavailable;
  const why = code === 'EADDRINUSE' ? 'it is in use by another process' : message;
  return failure(status, `can't listen on ${host}:${port}: ${why}`, error);
};

const overHttp = async (
  terminal: Terminal,
  http: Required<McpOptions>['http'],
  log: Log,
): Promise<RunningHttp> => {
  const url = serviceUrl(terminal);
  return serveHttp({
    ...http,
    clientOf: (apiKey, forwardedFor) => makeClient({ url, apiKey, forwardedFor }),
    // A caller's key has its own user and session.
    serverOf: client =>
      makeMcpServer({ memory: makeMemory(() => client), defaults: {}, clock: Date.now, log }, version()),
    clock: Date.now,
    log,
  }).catch(error => {
    throw faultOfListening(error, http);
  });
};

/**
 * Runs `turnstone mcp`: serves the Model Context Protocol on stdin and stdout or over HTTP, until its client
 * or a signal stops it. It starts even when no Turnstone service is running: its tools then explain what to
 * do.
 */
export const serveMcp = async (terminal: Terminal, options: McpOptions): Promise<ExitStatus> => {
  const { environment } = terminal;
  const log = makeLog(loadedConfig(terminal).logLevel);
  const defaults: Named = {
    user: options.user ?? (environment.TURNSTONE_MCP_USER || undefined),
    session: options.session ?? (environment.TURNSTONE_MCP_SESSION || undefined),
  };
  await untilStopped(async stop => {
    if (options.http) {
      const running = await overHttp(terminal, options.http, log);
      print(terminal, `Turnstone's MCP server ${version()} is ready on ${running.url}`);
      log.info({ url: running.url }, 'mcp ready');
      await stopped(stop);
      await running.close();
    } else {
      serviceUrl(terminal);
      const memory = makeMemory(onceMade(() => connect(terminal)));
      const server = makeMcpServer({ memory, defaults, clock: Date.now, log }, version());
      log.info('mcp ready on stdio');
      await serveStdio(server, { input: terminal.stdin, output: terminal.stdout }, { stop, log });
    }
  });
  log.info('mcp closed');
  return EXIT.ok;
};
