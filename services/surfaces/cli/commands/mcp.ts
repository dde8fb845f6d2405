import { InvalidArgumentError } from 'commander';
import { EXIT, failure } from '../../client/exit.ts';
import type { McpOptions } from '../../mcp/run.ts';
import { type AddCommand, examples } from './command.ts';
import { id } from './option-values.ts';

/** Parses `8090`, `0.0.0.0:8090` or `[::1]:8090`. */
export const listenAddress = (text: string): { host: string; port: number } => {
  const [, bracketed, plain, digits = ''] =
    /^(?:(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = digits === '' ? Number.NaN : Number(digits);
  if (!(port <= 65_535))
    throw new InvalidArgumentError('It must be a port, or a host and a port: 127.0.0.1:8090.');
  return { host: bracketed ?? plain ?? '127.0.0.1', port };
};

export const addMcp: AddCommand = (program, terminal, finish) => {
  program
    .command('mcp')
    .description('offer this memory to a model as tools, over the Model Context Protocol')
    .option('--user <id>', 'default user of calls without a key of their own (TURNSTONE_MCP_USER)', id)
    .option('--session <id>', 'default session that these calls remember into (TURNSTONE_MCP_SESSION)', id)
    .option('--http <[host:]port>', 'serve /mcp over HTTP instead of stdin and stdout', listenAddress)
    .option('--require-key', "over HTTP: every caller must send a key; this server's own is not used")
    .addHelpText(
      'after',
      `
Without --http, its client (Claude Desktop or Cursor, say) starts it and talks to it on stdin and stdout.

Over HTTP a caller sends its API key as Authorization: Bearer. A caller without a key uses this server's own, but only
on a loopback address (the default); behind a proxy on the same machine add --require-key.
${examples('turnstone mcp --user ada', 'turnstone mcp --http 8090', 'turnstone mcp --http 0.0.0.0:8090')}`,
    )
    .action(async (options: McpOptions) => {
      if (options.requireKey && !options.http)
        throw failure(EXIT.usage, '--require-key is for callers over HTTP: add --http');
      finish(await (await import('../../mcp/run.ts')).serveMcp(terminal, options));
    });
};
