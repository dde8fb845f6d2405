import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../../../core/errors.ts';
import type { Log } from '../../../../../core/watch/logger.ts';
import { openOperator } from '../../../../../services/surfaces/cli/operator/operator.ts';
import { makeAdminApp } from '../../../../../services/surfaces/http/admin.ts';
import { listenPrivately } from '../../../../../services/surfaces/http/connection/listen.ts';
import { createServer } from '../../../../../services/surfaces/http/connection/server.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Calls = Record<string, (args: Record<string, unknown>, signal: AbortSignal) => AsyncIterable<object>>;
type Call = (...call: [name: string, ...Parameters<Calls[string]>]) => AsyncIterable<object>;

/** The operator's way in to a server that knows these calls. */
const over = async (calls: Calls, stop = new AbortController()) => {
  const folder = temporaryFolder();
  const error = vi.fn();
  const log = { error } as unknown as Log;
  const server = createServer(makeAdminApp({ calls: calls as never, log, closing: stop.signal }));
  await listenPrivately(server, join(folder, 'admin.sock'));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const terminal = { environment: { TURNSTONE_DATA_DIR: folder } };
  const { call } = await openOperator(terminal as never);
  return { call: call as Call, error };
};

const collect = async (lines: AsyncIterable<object>): Promise<object[]> => {
  const all: object[] = [];
  for await (const line of lines) all.push(line);
  return all;
};
const never = new AbortController().signal;

it('carries the arguments there and every line back as it is said', async () => {
  let release: (() => void) | undefined;
  const { call } = await over({
    count: async function* ({ to }) {
      yield { at: 1 };
      await new Promise<void>(resolve => (release = resolve));
      yield { at: to };
    },
  });
  const lines = call('count', { to: 2 }, never)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toEqual({ at: 1 });
  await vi.waitFor(() => expect(release).toBeDefined());
  release!();
  expect((await lines.next()).value).toEqual({ at: 2 });
  expect((await lines.next()).done).toBe(true);
});

it('says what an operator can understand, and keeps the rest in the log', async () => {
  const { call, error } = await over({
    refuse: async function* () {
      yield { kind: 'begun' };
      throw new ServiceError('conflict', 'It runs already.');
    },
    break: async function* () {
      yield { kind: 'begun' };
      throw new TypeError('a secret');
    },
  });
  await expect(collect(call('refuse', {}, never))).rejects.toThrow('It runs already.');
  expect(error).not.toHaveBeenCalled();
  await expect(collect(call('break', {}, never))).rejects.toThrow(/^Something went wrong/);
  expect(error).toHaveBeenCalledOnce();
  await expect(collect(call('toString', {}, never))).rejects.toThrow('has no call toString');
});

it('tells the call to end when the asker hangs up, and when the server closes', async () => {
  const stop = new AbortController();
  let ended = 0;
  const wait: Calls[string] = async function* (_args, signal) {
    yield { kind: 'begun' };
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
    ended++;
  };
  const { call } = await over({ wait }, stop);
  const hangUp = new AbortController();
  const lines = call('wait', {}, hangUp.signal)[Symbol.asyncIterator]();
  await lines.next();
  hangUp.abort();
  await expect(lines.next()).rejects.toThrow();
  await vi.waitFor(() => expect(ended).toBe(1));

  const other = call('wait', {}, never)[Symbol.asyncIterator]();
  await other.next();
  stop.abort();
  await expect(other.next()).rejects.toThrow('The server closed during the call.');
  expect(ended).toBe(2);
});

it('is an end of its own when the server dies in the middle', async () => {
  const folder = temporaryFolder();
  const server = createNetServer(socket => {
    socket.once('data', data => {
      if (String(data).startsWith('GET')) {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"orgs":[]}');
      } else {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"line":{"n":1}}\r\n');
        socket.end('1\r\n\n\r\n0\r\n\r\n');
      }
    });
  });
  await new Promise<void>(resolve => server.listen(join(folder, 'admin.sock'), resolve));
  closing.push(() => server.close());
  expect(server.address() as AddressInfo | string).toBeTypeOf('string');
  const { call } = await openOperator({ environment: { TURNSTONE_DATA_DIR: folder } } as never);
  await expect(collect((call as Call)('any', {}, never))).rejects.toThrow(
    'the server ended before the call did',
  );
});
