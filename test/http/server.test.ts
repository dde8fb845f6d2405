import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { makeHttpServer } from '../../services/surfaces/http/connection/server.ts';

const start = async () => {
  const waiting: ServerResponse[] = [];
  const server = makeHttpServer((_request, response) => void waiting.push(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const arrived = async (count: number): Promise<void> => {
    while (waiting.length < count) await once(server, 'request');
  };
  return { server, waiting, port, arrived };
};

test('a close waits for the answers on their way, whole, and for no connection that is kept', async () => {
  const { server, waiting, port, arrived } = await start();
  const agent = new Agent({ keepAlive: true });
  const asked = [1, 2].map(() => {
    const request = httpRequest({ port, host: '127.0.0.1', agent }).end();
    return once(request, 'response') as Promise<[IncomingMessage]>;
  });
  await arrived(2);

  const closed = once(server, 'close');
  server.close();
  const body = 'x'.repeat(3_000_000);
  for (const response of waiting) response.end(body);
  for (const answer of asked) {
    const [response] = await answer;
    let length = 0;
    for await (const chunk of response) length += chunk.length;
    expect(length).toBe(body.length);
  }
  // Without the end of each connection this waits for the 65 seconds that an idle one is kept.
  await closed;
  agent.destroy();
}, 10_000);

test('requests on one connection are answered until the close', async () => {
  const { server, waiting, port, arrived } = await start();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', chunk => {
    text += chunk;
  });
  for (const count of [1, 2]) {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await arrived(count);
    waiting[count - 1]!.end(`answer ${count}`);
    while (!text.includes(`answer ${count}`)) await once(socket, 'data');
  }
  expect(text).not.toMatch(/connection: close/i);
  const ended = once(socket, 'close');
  server.close();
  await ended;
});
