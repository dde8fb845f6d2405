/** The SDK's own client, against this server: in this process, as a command, or over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { makeLog } from '../../../core/watch/logger.ts';
import { composition } from '../../../services/compose/compose.ts';
import { run } from '../../../services/surfaces/cli/cli.ts';
import { makeClient } from '../../../services/surfaces/client/client.ts';
import { makeMemory, type Named } from '../../../services/surfaces/mcp/memory/memory.ts';
import { makeMcpServer } from '../../../services/surfaces/mcp/server.ts';
import { cleanEnvironment, MAIN, ROOT } from '../processes/server.ts';

export interface Told {
  text: string;
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows which tool it called.
  structured: any;
}

export interface McpCaller {
  client: Client;
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Told>;
}

export const callerOver = async (transport: Transport): Promise<McpCaller> => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // The client checks structured results against the schemas of the tools that it has listed.
  await client.listTools();
  return {
    client,
    call: async (name, args, signal) => {
      const { content, isError, structuredContent } = await client.callTool(
        { name, arguments: args },
        undefined,
        { signal },
      );
      return {
        text: (content as { text: string }[])[0]!.text,
        isError: isError === true,
        structured: structuredContent,
      };
    },
  };
};

/**
 * In this process, against a service at `url`. The clock stands at 2026-04-02T09:30:00Z, unless another is
 * given.
 */
export const callerInProcess = async (
  url: string,
  defaults: Named = {},
  clock: () => number = () => Date.parse('2026-04-02T09:30:00Z'),
): Promise<McpCaller> => {
  const service = makeClient({ url, apiKey: 'ts_key', pause: async () => undefined });
  const server = makeMcpServer(
    {
      memory: makeMemory(() => service),
      defaults,
      clock,
      log: makeLog('fatal'),
    },
    '0',
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  return callerOver(near);
};

/** `turnstone mcp` on pipes as a client has them, in this process; it ends with the client. */
export const commandTransport = (environment: Record<string, string>, args: string[] = []): Transport => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = run(['mcp', ...args], {
    stdin,
    stdout,
    stderr: new PassThrough().resume(),
    environment: { TURNSTONE_LOG_LEVEL: 'fatal', ...environment },
    composition,
  });
  const transport = new StdioServerTransport(stdout, stdin);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    stdin.end();
    await ended;
    await close();
  };
  return transport;
};

export const httpTransport = (url: string, apiKey?: string): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(
    new URL(url),
    apiKey === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${apiKey}` } } },
  );

export interface McpHttpServer {
  url: string;
  child: ChildProcess;
  stderr(): string;
}

/** `turnstone mcp --http …` as a process of its own, which ends with this one at the latest. */
export const startMcpHttp = async (
  args: string[],
  environment: Record<string, string>,
): Promise<McpHttpServer> => {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...environment },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', status => reject(new Error(`ended with ${status}: ${stdout}${stderr}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const ready = /ready on (\S+)\n/.exec(stdout);
      if (ready) resolve(ready[1]!);
    });
  });
  return { url, child, stderr: () => stderr };
};
