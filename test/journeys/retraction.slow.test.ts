import { expect, it } from 'vitest';
import { connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer } from '../support/processes/server.ts';
import { hideUnderLoad } from './retraction.ts';

it('a retraction hides a thousand turns during writes and a replay, and loses nothing else', async () => {
  const server = await startServer();
  const operate = async (...args: string[]): Promise<void> => {
    const { status, stdout, stderr } = await runCommand(args, { TURNSTONE_DATA_DIR: server.dataDir });
    expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
  };
  await hideUnderLoad(server.url, await connect(server), () => operate('replay', 'all'));
  await operate('verify');
  await server.stop();
});
