import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { afterEach, expect, it } from 'vitest';
import { openWebhookSender } from '../../../../infra/webhooks/send.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const HERE = '127.0.0.1';
const never = new AbortController().signal;

const serve = async (listener: RequestListener, host = HERE): Promise<{ port: number; server: Server }> => {
  const server = createServer(listener).listen(0, host);
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  open.push({ close });
  return { port: (server.address() as AddressInfo).port, server };
};

const message = (url: string) => ({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"type":"turn"}' });

/** A sender that speaks http, whose names lead to these addresses, the first time and each time after it. */
const opened = (addresses: readonly string[][], mayCall: (address: string) => boolean, withinMs?: number) => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<string[]> => {
    asked.push(host);
    return [...(addresses[asked.length - 1] ?? addresses.at(-1) ?? [])];
  };
  const within = withinMs === undefined ? {} : { withinMs };
  return { asked, send: openWebhookSender({ isPrivateAllowed: true, resolve, mayCall, ...within }) };
};

it('posts the body once, with its headers, under the name of the receiver', async () => {
  const seen: unknown[] = [];
  const { port } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host, 'webhook-id': id, 'content-length': length } = request.headers;
    seen.push([request.method, request.url, host, id, length, Buffer.concat(chunks).toString()]);
    response.writeHead(204).end();
  });
  const { send } = opened([[HERE]], () => true);
  const sent = await send(message(`http://hooks.example:${port}/a?b=c`), never);
  expect(sent).toEqual({ kind: 'answered', status: 204 });
  expect(seen).toEqual([['POST', '/a?b=c', `hooks.example:${port}`, 'msg_1', '15', '{"type":"turn"}']]);
});

it('connects to the address that was checked, and asks for the name once', async () => {
  let calls = 0;
  const { port } = await serve((_, response) => {
    calls++;
    response.end();
  });
  // A second question leads elsewhere, where nothing listens.
  const { asked, send } = opened([[HERE], ['127.0.0.9']], () => true);
  expect(await send(message(`http://rebinds.example:${port}/`), never)).toEqual({
    kind: 'answered',
    status: 200,
  });
  expect(asked).toEqual(['rebinds.example']);
  expect(calls).toBe(1);
});

it('passes over addresses that may not be called', async () => {
  const { port } = await serve((_, response) => response.end());
  const { send } = opened([['10.0.0.1', HERE]], address => address === HERE);
  expect(await send(message(`http://both.example:${port}/`), never)).toMatchObject({ status: 200 });
});

it.for([
  ['a name without an address', []],
  ['a name of loopback', [HERE]],
  ['a name of IPv6 loopback', ['::1']],
  ['a name of a mapped address', ['::ffff:127.0.0.1']],
  ['a name of a private address', ['10.0.0.1']],
  ['a name of the metadata service', ['169.254.169.254']],
] as const)('calls nobody for %s', async ([, addresses]) => {
  let calls = 0;
  const { port } = await serve((_, response) => {
    calls++;
    response.end();
  });
  const send = openWebhookSender({ isPrivateAllowed: false, resolve: async () => [...addresses] });
  const refused = { kind: 'failed', reason: 'address' };
  expect(await send(message(`https://inside.example:${port}/`), never)).toEqual(refused);
  expect(calls).toBe(0);
});

it.for([
  'https://127.0.0.1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://2130706433',
  'http://127.0.0.1',
  'http://example.com',
  'ftp://example.com',
  'file:///etc/passwd',
])('calls nobody at %s, and asks for no name', async base => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<string[]> => {
    asked.push(host);
    return ['93.184.215.14'];
  };
  const send = openWebhookSender({ isPrivateAllowed: false, resolve });
  expect(await send(message(base), never)).toEqual({ kind: 'failed', reason: 'address' });
  expect(asked).toEqual([]);
});

it('follows no redirect', async () => {
  let inside = 0;
  const { port: secret } = await serve((_, response) => {
    inside++;
    response.end();
  });
  const { port } = await serve((_, response) => {
    response.writeHead(307, { location: `http://${HERE}:${secret}/` }).end();
  });
  const { send } = opened([[HERE]], () => true);
  expect(await send(message(`http://hooks.example:${port}/`), never)).toEqual({
    kind: 'answered',
    status: 307,
  });
  expect(inside).toBe(0);
});

it('gives up a receiver that says nothing, one that says too little, and one whose name takes too long', async () => {
  const { port: silent } = await serve(() => {});
  const { send } = opened([[HERE]], () => true, 100);
  const late = { kind: 'failed', reason: 'timeout' };
  expect(await send(message(`http://silent.example:${silent}/`), never)).toEqual(late);
  const half = createTcpServer(socket => socket.write('HTTP/1.1 200 OK\r\n')).listen(0, HERE);
  await once(half, 'listening');
  open.push(half);
  const { port } = half.address() as AddressInfo;
  expect(await send(message(`http://half.example:${port}/`), never)).toEqual(late);
  const slow = openWebhookSender({
    isPrivateAllowed: true,
    resolve: () => new Promise(() => {}),
    withinMs: 100,
  });
  expect(await slow(message('http://slow.example/'), never)).toEqual(late);
});

it('takes the status of an answer without end, and reads no more than its beginning', async () => {
  let written = 0;
  const { port } = await serve(async (_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(16 * 1024, 'x');
    const endless = async function* () {
      for (; written < 64 * 1024 * 1024; written += chunk.length) yield chunk;
    };
    await pipeline(endless, response).catch(() => {});
  });
  const { send } = opened([[HERE]], () => true);
  expect(await send(message(`http://endless.example:${port}/`), never)).toMatchObject({ status: 200 });
  // The systems between the two take more than what is read.
  expect(written).toBeLessThan(32 * 1024 * 1024);
});

it('says nothing of why there is no connection', async () => {
  const closed = createTcpServer().listen(0, HERE);
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const { send } = opened([[HERE]], () => true);
  expect(await send(message(`http://closed.example:${port}/`), never)).toEqual({
    kind: 'failed',
    reason: 'connection',
  });
  // A server without TLS is no receiver either.
  const { port: plain } = await serve((_, response) => response.end());
  expect(await send(message(`https://plain.example:${plain}/`), never)).toEqual({
    kind: 'failed',
    reason: 'connection',
  });
});

it('ends at once with its caller', async () => {
  const { port } = await serve(() => {});
  const { send } = opened([[HERE]], () => true);
  const closing = new AbortController();
  const sent = send(message(`http://silent.example:${port}/`), closing.signal);
  closing.abort(new Error('closing'));
  await expect(sent).rejects.toThrow('closing');
});
