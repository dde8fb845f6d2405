import type { Server } from '../processes/server.ts';
import { until } from '../wait.ts';
import { send } from './client.ts';

/** A process of the cluster listens before its engines answer: waits for both. */
export const untilReady = async (starting: Promise<Server>): Promise<Server> => {
  const server = await starting;
  await until('it is ready', async () => (await send(`${server.url}/readyz`, 'GET')).status === 200);
  return server;
};
