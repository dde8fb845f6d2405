/** A service on a folder that tests replay and upgrade. */
import { expect } from 'vitest';
import { type Client, inParallel, send } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { turn } from '../support/worlds/builders.ts';
import { generationsOf } from '../support/worlds/generations.ts';

const environment = {
  TURNSTONE_CLOCK: '2026-03-10T08:00:00Z',
  TURNSTONE_QUOTA_TOKENS_IN: '0',
  TURNSTONE_QUOTA_TOKENS_OUT: '0',
};
const running: Server[] = [];
export const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({ environment, ...(dataDir !== undefined && { dataDir }) });
  running.push(server);
  return server;
};
/** For a file's `afterEach`. */
export const endServers = async (): Promise<void> => {
  for (const server of running.splice(0)) await server.kill();
};

export const fill = async (client: Client, turns: number, atOnce = 50): Promise<string[]> => {
  const jobs: string[] = [];
  await inParallel(Math.ceil(turns / atOnce), 4, async batch => {
    const own = Array.from({ length: atOnce }, (_, i) => batch * atOnce + i).map(n =>
      turn(n, {
        role: n % 2 ? 'Ada' : 'assistant',
        observations: n % 10 === 0 ? [`ref${n} matters`] : [],
        ...(n % 9 === 4 && { text: `My sister Grace moved to Lisbon in March. ref${n}` }),
      }),
    );
    const scope = { user_id: `user-${batch % 3}`, session_id: `session-${batch % 4}` };
    jobs[batch] = (await client.ingest({ scope, turns: own })).job_id;
  });
  return jobs;
};

export const states = async (server: Server): Promise<Record<string, number>> =>
  Object.fromEntries((await generationsOf(server.dataDir)).map(({ state, number }) => [state, number]));

export const generationsStatus = async (server: Server): Promise<string> => {
  const { status, body } = await send<{ engines: Record<string, { ok: boolean; detail: string }> }>(
    `${server.url}/readyz`,
    'GET',
  );
  expect(status).toBe(200);
  return body.engines.generations!.detail;
};
