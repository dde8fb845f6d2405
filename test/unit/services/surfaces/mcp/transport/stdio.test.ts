import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { Log } from '../../../../../../core/watch/logger.ts';
import { makeClient } from '../../../../../../services/surfaces/client/client.ts';
import { makeMemory } from '../../../../../../services/surfaces/mcp/memory/memory.ts';
import { makeMcpServer } from '../../../../../../services/surfaces/mcp/server.ts';
import { serveStdio } from '../../../../../../services/surfaces/mcp/transport/stdio.ts';
import { type Script, type StubService, startStub } from '../../../../../support/http/stub-service.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

/** The server on pipes of this process, before a service that answers as `script` says. */
const served = async (script: Script) => {
  stub = await startStub(script);
  const client = makeClient({ url: stub.url, apiKey: 'ts_key', pause: async () => undefined });
  const logged: unknown[] = [];
  const note = (...args: unknown[]) => void logged.push(args);
  const log = { warn: note, error: note } as unknown as Log;
  const memory = makeMemory(() => client);
  const server = makeMcpServer({ memory, defaults: {}, clock: Date.now, log }, '0');
  const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  let written = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  let ended = false;
  const end = serveStdio(server, { input, output }, { stop: stop.signal, log }).then(() => {
    ended = true;
  });
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const remember = () =>
    send({ id: 1, method: 'tools/call', params: { name: 'remember', arguments: { text: 'a' } } });
  return {
    input,
    output,
    stop,
    end,
    send,
    remember,
    logged,
    ended: () => ended,
    answers: () =>
      written
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  };
};

/** A service that stores only when it is let. */
const slow = () => {
  const asked = Promise.withResolvers<void>();
  const until = Promise.withResolvers<void>();
  const script: Script = async ({ path }) => {
    if (path !== '/ingestion/memory') return undefined;
    asked.resolve();
    await until.promise;
    return undefined;
  };
  return { script, asked: asked.promise, store: () => until.resolve() };
};

describe('the pipes of a client', () => {
  it('that it closes behind its calls still carry their answers', async () => {
    const { script, asked, store } = slow();
    const { input, remember, end, ended, answers } = await served(script);
    remember();
    input.end();
    await asked;
    expect([ended(), answers()]).toEqual([false, []]);
    store();
    await end;
    expect(answers()).toMatchObject([{ id: 1, result: { structuredContent: { turn_ids: ['turn-0'] } } }]);
  });

  it('carry the answers that come soon after the server is told to stop', async () => {
    const { script, asked, store } = slow();
    const { stop, remember, end, answers } = await served(script);
    remember();
    await asked;
    stop.abort();
    store();
    await end;
    expect(answers()).toMatchObject([{ id: 1, result: {} }]);
  });

  it('are closed in time when an answer does not come', async () => {
    const { script, asked, store } = slow();
    const { stop, remember, end, answers } = await served(script);
    remember();
    await asked;
    stop.abort();
    await end;
    expect(answers()).toEqual([]);
    store();
  });

  it('are not waited on when nobody reads them any more', async () => {
    const { script, asked, store } = slow();
    const { output, remember, end } = await served(script);
    remember();
    await asked;
    output.destroy();
    await end;
    store();
  });

  it('are not waited on for a call that was cancelled', async () => {
    const { script, asked, store } = slow();
    const { input, remember, send, end } = await served(script);
    remember();
    await asked;
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    input.end();
    await end;
    store();
  });

  it('that carry no JSON are told to the log, without the words', async () => {
    const { input, end, logged } = await served(() => undefined);
    input.end('{"secret words\n');
    await end;
    expect(logged).toEqual([[{ kind: 'SyntaxError' }, 'an mcp message could not be read or answered']]);
  });
});
