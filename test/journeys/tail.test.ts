import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer } from '../support/processes/server.ts';

it('turnstone tail prints what is written while it runs, and nothing of before', async () => {
  const server = await startServer();
  const environment = { TURNSTONE_URL: server.url, TURNSTONE_API_KEY: server.apiKey };
  const client = await connect(server);
  const write = (text: string) =>
    client.ingest({
      scope: { user_id: 'ada', session_id: 'monday' },
      turns: [{ role: 'user', text, timestamp: '2026-01-05T09:30:00Z' }],
    });
  await write('The pear tree is old.');
  const tail = (...options: string[]) => {
    let isOver = false;
    const ended = runCommand(['tail', ...options], environment).finally(() => {
      isOver = true;
    });
    return { ended, isOver: () => isOver };
  };
  const running = tail('--limit', '1');
  // It follows from some moment on: it is spoken to until it has heard.
  for (let n = 0; !running.isOver(); n++) {
    await write(`Tree ${n} is young.`);
    await pause(50);
  }
  const { status, stdout } = await running.ended;
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}ada \/ monday {2}user: Tree \d+ is young\.\n$/);

  const refused = await runCommand(['tail', '--limit', '1'], {
    ...environment,
    TURNSTONE_API_KEY: 'ts_none',
  });
  expect(refused.status).toBe(77);
  expect(refused.stderr).toMatch(/^turnstone: the server answered 401: /);
  await server.stop();
});
