import { type Command, InvalidArgumentError } from 'commander';
import { EXIT, failure } from '../client/exit.ts';
import type { Terminal } from '../client/terminal.ts';
import type { McpOptions } from '../mcp/run.ts';
import { examples, type Finish } from './commands.ts';

/** `8090`, `0.0.0.0:8090` or `[::1]:8090`. */
export const listenAddress = (text: string): { host: string; port: number } => {
  const [, bracketed, plain, digits = ''] =
    /^(?:(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = digits === '' ? Number.NaN : Number(digits);
  if (!(port <= 65_535))
    throw new InvalidArgumentError('It must be a port, or a host and a port: 127.0.0.1:8090.');
  return { host: bracketed ?? plain ?? '127.0.0.1', port };
};

/** An empty one is most often a variable of a script that was never set; with it every call would fail. */
const id = (text: string): string => {
  if (text === '' || [...text].length > 256)
    throw new InvalidArgumentError('It must have 1 to 256 characters.');
  return text;
};

export const addMcpCommand = (program: Command, terminal: Terminal, finish: Finish): void => {
  program
    .command('mcp')
    .description('give a model this memory as tools, over the Model Context Protocol')
    .option(
      '--user <id>',
      'whose memory, where a call names nobody and brings no key (TURNSTONE_MCP_USER)',
      id,
    )
    .option(
      '--session <id>',
      'the same: where to remember, if no session is named (TURNSTONE_MCP_SESSION)',
      id,
    )
    .option('--http <[host:]port>', 'serve /mcp over HTTP instead of stdin and stdout', listenAddress)
    .option('--require-key', 'over HTTP: no caller goes by the key of this server')
    .addHelpText(
      'after',
      `
Without --http it is started by its client, as Claude Desktop or Cursor, and talks on stdin and stdout.

Over HTTP a caller sends its API key as Authorization: Bearer. Only on a loopback address, the default, may one without a
key go by this server's own; behind a proxy on the same machine say --require-key.
${examples('turnstone mcp --user ada', 'turnstone mcp --http 8090', 'turnstone mcp --http 0.0.0.0:8090')}`,
    )
    .action(async (options: McpOptions) => {
      if (options.requireKey && !options.http)
        throw failure(EXIT.usage, '--require-key is for callers over HTTP: say --http as well');
      finish(await (await import('../mcp/run.ts')).serveMcp(terminal, options));
    });
};
