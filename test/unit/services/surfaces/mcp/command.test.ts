import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listenAddress } from '../../../../../services/surfaces/cli/commands/mcp-command.ts';
import { runCommand } from '../../../../support/processes/command-line.ts';

describe('turnstone mcp', () => {
  it.each([
    ['8090', { host: '127.0.0.1', port: 8090 }],
    ['0', { host: '127.0.0.1', port: 0 }],
    ['0.0.0.0:8090', { host: '0.0.0.0', port: 8090 }],
    ['mcp.local:80', { host: 'mcp.local', port: 80 }],
    ['[::1]:8090', { host: '::1', port: 8090 }],
  ])('listens with --http %s where it says', (text, address) => {
    expect(listenAddress(text)).toEqual(address);
  });

  it.each(['', '65536', '123456', 'localhost', ':8090', '::1:8090', 'a b:1', 'http://localhost:1', '1.5'])(
    'refuses --http %o',
    text => {
      expect(() => listenAddress(text)).toThrow('It must be a port');
    },
  );

  it.each([
    [['--user', ''], 'It must have 1 to 256 characters'],
    [['--session', 'x'.repeat(257)], 'It must have 1 to 256 characters'],
    [['--http', '0', '--user', 'ada'], '--user and --session are of stdin and stdout'],
  ])('refuses %o before any client waits for it', async (args, why) => {
    const ended = await runCommand(['mcp', ...args]);
    expect(ended).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(why) });
  });

  it('tells in its help how clients call it', async () => {
    const { status, stdout } = await runCommand(['mcp', '--help']);
    expect(status).toBe(0);
    for (const words of [
      '--user',
      'TURNSTONE_MCP_USER',
      'Over HTTP every caller sends an API key',
      'turnstone mcp --http 8090',
    ])
      expect(stdout).toContain(words);
  });

  it('says in a line when its port is taken, and prints nothing of the protocol', async () => {
    const other = createServer();
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const ended = await runCommand(['mcp', '--http', String(port)], { TURNSTONE_LOG_LEVEL: 'fatal' });
    expect(ended).toEqual({
      status: 69,
      stdout: '',
      stderr: `turnstone: can't listen on 127.0.0.1:${port}: it is in use by another process\n`,
    });
    other.close();
  });

  it('names an address that can not be used before any client waits for it', async () => {
    const ended = await runCommand(['mcp'], { TURNSTONE_URL: 'memory', TURNSTONE_LOG_LEVEL: 'fatal' });
    expect(ended).toMatchObject({ status: 78, stdout: '', stderr: expect.stringContaining('TURNSTONE_URL') });
  });
});
