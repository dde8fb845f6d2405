import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import { sendPieces } from '../../services/surfaces/http/answer/send-pieces.ts';
import { createServer } from '../../services/surfaces/http/connection/server.ts';
import { startApp, type TestApp, testCursors } from '../support/http/app.ts';
import { pause, until } from '../support/wait.ts';

let app: TestApp | undefined;
afterEach(() => app?.close());

/** Pieces of 64 KiB, and how many were asked for. */
const endless = () => {
  const asked = { pieces: 0, hasEnded: false };
  const pieces = async function* () {
    try {
      for (;;) {
        asked.pieces++;
        yield 'x'.repeat(65_536);
      }
    } finally {
      asked.hasEnded = true;
    }
  };
  return { asked, pieces };
};

describe('an answer that is a stream', () => {
  /**
   * Switched off by hand: services/surfaces/http/answer/send-pieces.ts doesn't wait for the reader →
   * thousands of pieces are held.
   */
  it('is held back by a slow reader, and ended for one who reads nothing', async () => {
    const { asked, pieces } = endless();
    const server = createServer((request, response) => {
      void sendPieces(request, response, { status: 200, pieces: pieces() }, 400);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    socket.pause();
    await until('the pieces have ended', () => asked.hasEnded);
    // The pieces that the system's buffers take.
    expect(asked.pieces).toBeGreaterThan(2);
    expect(asked.pieces).toBeLessThan(400);
    socket.destroy();
    server.close();
  });

  it('ends with its reader', async () => {
    const { asked, pieces } = endless();
    app = await startApp({
      useCases: { exported: async () => ({ [Symbol.asyncIterator]: () => jsonOf(pieces()) }) },
    });
    const leaving = new AbortController();
    const response = await fetch(`${app.url}/export`, {
      headers: { authorization: `Bearer ${app.token}` },
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    leaving.abort();
    await until('the pieces have ended', () => asked.hasEnded);
    await until('the request is logged', () => app!.logged.some(({ route }) => route === '/export'));
    expect(app.logged.find(({ route }) => route === '/export')).toMatchObject({ status: 200 });
  });

  it('is an ordinary refusal until it has begun, and is cut after that', async () => {
    const failing = (after: number) => async () =>
      (async function* () {
        for (let i = 0; i < after; i++) yield [JSON.stringify({ i })];
        throw unavailable('The engines are away.');
      })();
    app = await startApp({ useCases: { exported: failing(0) } });
    const refused = await app.call('GET', '/export');
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({ error: 'HTTP 503', message: 'The engines are away.' });
    await app.close();

    app = await startApp({ useCases: { exported: failing(2) } });
    await expect(app.call('GET', '/export')).rejects.toThrow('terminated');
  });

  it('has a head that can be asked for alone, and outlives the deadline of calls', async () => {
    app = await startApp({
      deadlineMs: 50,
      useCases: {
        exported: async () =>
          (async function* () {
            yield ['{"first":true}'];
            await pause(150);
            yield ['{"next":1}', '{"end":true}'];
          })(),
      },
    });
    const head = await app.call('HEAD', '/export');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect((await app.call('GET', '/export')).text).toBe('{"first":true}\n{"next":1}\n{"end":true}\n');
  });

  it('says how a feed goes on, from the header before the address', async () => {
    const asked: unknown[] = [];
    app = await startApp({
      useCases: {
        feed: async (_principal, from) => {
          asked.push(from);
          return (async function* () {
            yield { kind: 'beat' as const, position: 'BEAT' };
            const data = {
              id: 'trn_1',
              text: 'one\ntwo',
              kind: 'turn' as const,
              timestamp: '1',
              user_id: 'u',
              session_id: 's',
              role: 'user',
              recorded_at: '2026-03-10T08:00:00.000Z',
            };
            yield { kind: 'item' as const, position: 'ITEM', data };
          })();
        },
      },
    });
    const sealed = (position: string): string => testCursors.seal(position, 'acme');
    const [a, b] = [sealed('AAAA'), sealed('BBBB')];
    const { text } = await app.call('GET', `/events?after=${a}`, { headers: { 'Last-Event-ID': b } });
    const [first, second] = text.split('\n\n');
    expect(first).toBe(`retry: 1000\n:\nid: ${sealed('BEAT')}`);
    expect(second!.split('\n').slice(0, 2)).toEqual([`id: ${sealed('ITEM')}`, 'event: turn']);
    expect(JSON.parse(second!.split('data: ')[1]!)).toMatchObject({ id: 'trn_1', text: 'one\ntwo' });
    await app.call('GET', `/events?after=${a}`);
    await app.call('GET', '/events');
    await app.call('GET', '/events?after=now');
    // One that was not sealed here for this organization: it may name places of its own choice.
    for (const forged of ['AAAA', testCursors.seal('AAAA', 'globex')]) {
      await app.call('GET', `/events?after=${forged}`);
      await app.call('GET', '/events', { headers: { 'Last-Event-ID': forged } });
    }
    expect(asked).toEqual([
      { after: 'BBBB', loc: ['header', 'Last-Event-ID'] },
      { after: 'AAAA', loc: ['query', 'after'] },
      { after: undefined, loc: ['query', 'after'] },
      { after: 'now', loc: ['query', 'after'] },
      ...[1, 2].flatMap(() => [
        { after: '?', loc: ['query', 'after'] },
        { after: '?', loc: ['header', 'Last-Event-ID'] },
      ]),
    ]);
    expect((await app.call('GET', '/events?after=a&after=b')).status).toBe(422);
  });
});

/** Each piece as a line. */
const jsonOf = (pieces: AsyncGenerator<string>): AsyncIterator<string[]> => ({
  next: async () => {
    const { done, value } = await pieces.next();
    return done ? { done, value: undefined } : { done: false, value: [JSON.stringify({ value })] };
  },
  return: async () => {
    await pieces.return(undefined);
    return { done: true, value: undefined };
  },
});
