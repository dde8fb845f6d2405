import http from 'node:http';
import { afterEach, expect, it } from 'vitest';
import {
  type Clickhouse,
  connectClickhouse,
  inRequests,
} from '../../../../../infra/cluster/clickhouse/clickhouse-client.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const clientOf = (url: string): Clickhouse => {
  const client = connectClickhouse({ clickhouseUrl: url, namespace: 'test' }, { timeoutMs: 200 });
  closing.push(() => client.close());
  return client;
};

/** A server that gives one answer to everything; or none. */
const answering = async (answer?: { status: number; body: string }) => {
  const asked: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request);
    if (answer) response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
};

const exception = (code: number, name: string): string =>
  `Code: ${code}. DB::Exception: Something is wrong. (${name}) (version 25.8.1.1)`;

it.each([
  [252, 'TOO_MANY_PARTS'],
  [241, 'MEMORY_LIMIT_EXCEEDED'],
  [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
  [243, 'NOT_ENOUGH_SPACE'],
  [242, 'TABLE_IS_READ_ONLY'],
])('takes the exception %i for an outage: %s', async (code, name) => {
  const { url } = await answering({ status: 500, body: exception(code, name) });
  await expect(clientOf(url).rows('SELECT 1')).rejects.toMatchObject({ code: 'unavailable', status: 503 });
});

it.each([
  [47, 'UNKNOWN_IDENTIFIER', 500],
  [60, 'UNKNOWN_TABLE', 404],
  [81, 'UNKNOWN_DATABASE', 404],
  [516, 'AUTHENTICATION_FAILED', 403],
])('takes the exception %i for a fault of ours: %s', async (code, name, status) => {
  const { url } = await answering({ status, body: exception(code, name) });
  await expect(clientOf(url).rows('SELECT 1')).rejects.toMatchObject({ code: String(code), type: name });
});

it('is out of reach when nobody listens, answers in time, or the proxy gives up', async () => {
  const { url } = await answering({ status: 502, body: '<html>Bad Gateway</html>' });
  const silent = await answering();
  for (const clickhouseUrl of [url, silent.url, 'http://127.0.0.1:1']) {
    const client = clientOf(clickhouseUrl);
    await expect(client.rows('SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(client.insert('usage_rows', [{}])).rejects.toMatchObject({ code: 'unavailable' });
  }
});

it('waits for what is stored, in the database of its namespace alone', async () => {
  const { url, asked } = await answering({ status: 200, body: '' });
  await clientOf(`${url}/elsewhere`).insert('usage_rows', [{ org: 'acme' }]);
  const { searchParams } = new URL(asked[0]!.url!, url);
  const settings = { async_insert: '0', insert_deduplicate: '0', wait_end_of_query: '1' };
  expect(Object.fromEntries(searchParams)).toMatchObject({ database: 'test', ...settings });
});

it('splits bound values into requests that a URL can carry', () => {
  const ids = Array.from({ length: 1_000 }, (_, n) => `trn_${'é'.repeat(n % 30)}${n}`);
  const parts = inRequests(ids, id => id);
  expect(parts.flat()).toEqual(ids);
  expect(inRequests([], String)).toEqual([]);
  for (const part of parts) {
    const bound = encodeURIComponent(`['${part.join("','")}']`);
    expect(bound.length).toBeLessThan(10_100);
  }
});
