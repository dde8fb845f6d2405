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
    .option('--user <id>', 'user of calls that name none (TURNSTONE_MCP_USER)', id)
    .option('--session <id>', 'session that calls that name none remember into (TURNSTONE_MCP_SESSION)', id)
    .option('--http <[host:]port>', 'serve /mcp over HTTP instead of stdin and stdout', listenAddress)
    .addHelpText(
      'after',
      `
Without --http, its client (Claude Desktop or Cursor, say) starts it and talks to it on stdin and stdout.

Over HTTP every caller sends an API key as X-API-Key or Authorization: Bearer, on this machine too, and has that key's user and
session.
${examples('turnstone mcp --user ada', 'turnstone mcp --http 8090', 'turnstone mcp --http 0.0.0.0:8090')}`,
    )
    .action(async (options: McpOptions) => {
      if (options.http && (options.user ?? options.session) !== undefined)
        throw failure(
          EXIT.usage,
          '--user and --session are of stdin and stdout: over HTTP every key has its own',
        );
      finish(await (await import('../../mcp/run.ts')).serveMcp(terminal, options));
    });
};
