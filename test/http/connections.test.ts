import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  type ConnectionLimits,
  fittingConnections,
  limitConnections,
} from '../../services/surfaces/http/connection/connections.ts';
import { makeHttpServer } from '../../services/surfaces/http/connection/server.ts';
import { startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

let server: Server | undefined;
let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server?.closeAllConnections();
  server?.close();
});

const start = async (limits: Partial<ConnectionLimits>) => {
  const refused: string[] = [];
  server = makeHttpServer((_request, response) => response.end('hello'));
  limitConnections(server, {
    most: 100,
    perAddress: 0,
    trustedProxies: [],
    onRefused: of => refused.push(of),
    ...limits,
  });
  server.listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.keepAliveTimeout = 0;
  /** Whether the server keeps it and answers: a refused connection is closed at once. */
  const isKept = async (host = '127.0.0.1', localAddress?: string): Promise<boolean> => {
    const socket = connect({ port, host, localAddress });
    sockets.push(socket);
    socket.on('error', () => {});
    const closed = new Promise<boolean>(resolve => socket.on('close', () => resolve(false)));
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    const answered = new Promise<boolean>(resolve => socket.once('data', () => resolve(true)));
    return Promise.race([closed, answered]);
  };
  return { port, refused, isKept };
};

test('an address has as many connections as are allowed, and another one its own', async () => {
  const { refused, isKept } = await start({ perAddress: 2 });
  expect([await isKept(), await isKept(), await isKept()]).toEqual([true, true, false]);
  expect(refused).toEqual(['127.0.0.1']);
  expect(await isKept('127.0.0.1', '127.0.0.2')).toBe(true);
  sockets[0]!.destroy();
  await until('its place is free again', () => isKept());
});

test('a proxy that is trusted connects for others', async () => {
  const { isKept } = await start({ perAddress: 1, trustedProxies: ['10.0.0.0/8', '127.0.0.2', 'fd00::/8'] });
  expect([await isKept(), await isKept()]).toEqual([true, false]);
  const proxy = [await isKept('127.0.0.1', '127.0.0.2'), await isKept('127.0.0.1', '127.0.0.2')];
  expect(proxy).toEqual([true, true]);
});

test('above the limit of all a connection is closed; idle ones make room before', async () => {
  const { port, refused, isKept } = await start({ most: 10 });
  const agent = new Agent({ keepAlive: true });
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const [response] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    }),
  );
  expect(answers).toEqual(Array(8).fill(200));
  // The ninth is the first of a crowd, so that the eight idle ones are closed.
  for (let i = 0; i < 10; i++) expect(await isKept(), `connection ${i}`).toBe(true);
  expect(await isKept()).toBe(false);
  expect(refused).toEqual(['all']);
  agent.destroy();
});

test('connections leave files for the rest of the process', () => {
  expect(fittingConnections(10_000, 1_048_576)).toBe(10_000);
  expect(fittingConnections(10_000, 4_096)).toBe(3_840);
  expect(fittingConnections(10_000, 256)).toBe(128);
  expect(fittingConnections(10_000, undefined)).toBeLessThanOrEqual(10_000);
});

const freePort = async (): Promise<number> => {
  const taken: NetServer = createNetServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
};

test('metrics on a port of their own, with a token', async () => {
  const port = await freePort();
  const service = await startServer({
    environment: { TURNSTONE_METRICS_PORT: String(port), TURNSTONE_METRICS_TOKEN: 'scrape-me' },
  });
  const statusOf = async (url: string, authorization?: string): Promise<[number, boolean]> => {
    const response = await fetch(url, { headers: authorization ? { authorization } : {} });
    return [response.status, (await response.text()).includes('turnstone_projector_lag_events')];
  };
  const metrics = `http://127.0.0.1:${port}/metrics`;
  expect(await statusOf(metrics, 'Bearer scrape-me')).toEqual([200, true]);
  expect(await statusOf(metrics, 'Bearer scrape-you')).toEqual([401, false]);
  expect(await statusOf(metrics)).toEqual([401, false]);
  expect(await statusOf(`http://127.0.0.1:${port}/healthz`)).toEqual([404, false]);
  expect(await statusOf(`${service.url}/metrics`, 'Bearer scrape-me')).toEqual([404, false]);
  expect(await statusOf(`${service.url}/readyz`)).toEqual([200, false]);
  await service.stop();
});
