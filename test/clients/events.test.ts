/** Tests the feed of the TypeScript client, in addition to the table of behaviours. */
import { type FeedEvent, Turnstone } from '@turnstone/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMessageParser } from '../../clients/typescript/src/transport/server-sent-events.ts';
import { type MisbehavingServer, type ScriptedAnswer, startMisbehavingServer } from './misbehaving-server.ts';

const event = (id: string) => `id: ${id}\nevent: turn\ndata: {"id":"${id}"}\n\n`;
const stream = (text: string, more: Partial<ScriptedAnswer> = {}): ScriptedAnswer => ({
  stream: [{ text }],
  // biome-ignore lint/suspicious/noThenProperty: the script's word for how a stream ends
  then: 'end',
  ...more,
});

let server: MisbehavingServer;
beforeAll(async () => {
  server = await startMisbehavingServer();
});
afterAll(() => server.close());

/** The positions up to `last`, the waits, and the error that ended it before. */
const follow = async (answers: Record<string, ScriptedAnswer[]>, last = 'end') => {
  server.script({ answers });
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    if (waits.push(ms) > 20) throw new Error('it would never end');
  };
  const client = new Turnstone({ baseUrl: server.url, apiKey: 'ts_key', sleep });
  const positions: FeedEvent['position'][] = [];
  try {
    for await (const { position } of client.events())
      if (positions.push(position) && position === last) break;
  } catch (error) {
    return { positions, waits, error };
  }
  return { positions, waits };
};

describe('a feed', () => {
  it('comes back ever slower where it is told to come back at once and gets nothing new', async () => {
    const nothing = stream(`retry: 0\n${event('p1')}`);
    const { positions, waits } = await follow({
      'GET /events': [
        nothing,
        nothing,
        nothing,
        stream('retry: 0\n\n'),
        stream(event('p2')),
        stream(event('end')),
      ],
    });
    expect(positions).toEqual(['p1', 'p2', 'end']);
    expect(waits).toEqual([100, 200, 400, 800, 100]);
  });

  it('waits at most 30 s, whatever it is told', async () => {
    const { waits } = await follow({
      'GET /events': [stream(`retry: ${'9'.repeat(5_000)}\n${event('p1')}`), stream(event('end'))],
    });
    expect(waits).toEqual([30_000]);
  });

  it('ends where a position could not be sent back', async () => {
    const { positions, error } = await follow({ 'GET /events': [stream(event('p1') + event('p→2'))] });
    expect(positions).toEqual(['p1']);
    expect(error).toMatchObject({ code: 'unexpected_answer' });
  });

  it('takes the type of its content in any case', async () => {
    const headers = { 'content-type': 'Text/Event-Stream; charset=UTF-8' };
    expect(await follow({ 'GET /events': [stream(event('end'), { headers })] })).toMatchObject({
      positions: ['end'],
    });
  });

  it('ends with an event that is not JSON', async () => {
    const { error } = await follow({ 'GET /events': [stream('id: p1\nevent: turn\ndata: {\n\n')] });
    expect(error).toMatchObject({ code: 'unexpected_answer' });
  });
});

describe('the messages of a stream', () => {
  const MEBI = 1_024 * 1_024;

  it.each([
    ['a line', 'x'.repeat(MEBI)],
    ['lines', `data: ${'x'.repeat(MEBI)}\n`],
  ])('end at 16 MiB of one, in %s', (_, piece) => {
    const parse = makeMessageParser();
    for (let i = 0; i < 15; i++) parse(piece);
    expect(() => [parse(piece), parse(piece)]).toThrow(
      expect.objectContaining({ code: 'unexpected_answer' }),
    );
  });

  it('are no longer because there were many before', () => {
    const parse = makeMessageParser();
    for (let i = 0; i < 40; i++) expect(parse(`data: ${'x'.repeat(MEBI)}\n\n`)).toHaveLength(1);
  });
});
