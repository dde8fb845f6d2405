import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { connectWriter } from '../../../../../infra/embedded/log/writer-connection.ts';
import type { WriterNews, WriterRound } from '../../../../../infra/embedded/log/writer-messages.ts';
import { requestsOf } from '../../../../../infra/embedded/log/writer-round.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A writer that stores everything, and notes the messages that it gets. */
const connect = () => {
  const { port1, port2 } = new MessageChannel();
  const rounds: WriterRound[] = [];
  port2.on('message', (round: WriterRound) => {
    rounds.push(round);
    const replies = round.requests.map(({ number }) => ({ number, addresses: [] }));
    port2.postMessage({ replies, appended: true } satisfies WriterNews);
  });
  closers.push(() => port1.close());
  return { writer: connectWriter(port1), rounds };
};
const record = (text: string) => ({ topic: 'turns', key: 'k', value: Buffer.from(text) }) as const;
const outcomeOf = (stored: Promise<unknown>): Promise<string> =>
  stored.then(
    () => 'stored',
    (error: Error) => error.name,
  );

it('sends the requests of one round in one message, with one buffer that each has its part of', async () => {
  const { writer, rounds } = connect();
  await Promise.all([
    writer.request({ records: [record('one'), record('two')] }),
    writer.request({ commit: { group: 'g', positions: {} } }),
    writer.sweep(),
    writer.request({ records: [record('three')] }),
  ]);
  expect(rounds).toHaveLength(1);
  const values = requestsOf(rounds[0]!).map(({ values }) => values && Buffer.from(values).toString());
  expect(values).toEqual(['onetwo', undefined, undefined, 'three']);
  expect(Buffer.from(rounds[0]!.values).toString()).toBe('onetwothree');
});

it('rejects a request that can not be sent, and sends the others of its round', async () => {
  const { writer, rounds } = connect();
  const faulty = { ...record('two'), headers: { attempt: (() => {}) as never } };
  const outcomes = [[record('one')], [faulty], [record('three')]].map(records =>
    outcomeOf(writer.request({ records })),
  );
  expect(await Promise.all(outcomes)).toEqual(['stored', 'DataCloneError', 'stored']);
  expect(rounds.map(({ values }) => Buffer.from(values).toString())).toEqual(['one', 'three']);
  // It counts no longer among those that wait.
  await writer.close();
});

it('tells of an append once, after the requests of that commit are answered', async () => {
  const { writer } = connect();
  const told: string[] = [];
  writer.onAppend(() => told.push('appended'));
  await Promise.all(['one', 'two'].map(text => writer.request({ records: [record(text)] })));
  expect(told).toEqual(['appended']);
});
