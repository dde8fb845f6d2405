import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { connectWriter } from '../../../../../infra/embedded/log/writer-connection.ts';
import type { WriterNews, WriterRound } from '../../../../../infra/embedded/log/writer-messages.ts';

const MIB = 1024 * 1024;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A writer that answers when the test says so, as one that waits for its disk. */
const connect = () => {
  const { port1, port2 } = new MessageChannel();
  const received: number[] = [];
  port2.on('message', ({ requests }: WriterRound) => received.push(...requests.map(({ number }) => number)));
  closers.push(() => port1.close());
  const writer = connectWriter(port1);
  return {
    write: (bytes: number) =>
      writer.request({ records: [{ topic: 'turns', key: 'k', value: new Uint8Array(bytes) }] }).then(
        () => 'stored',
        (error: { code?: string }) => error.code,
      ),
    answer: async (): Promise<void> => {
      while (received.length === 0) await new Promise(resolve => setImmediate(resolve));
      const replies = [{ number: received.shift()!, addresses: [] }];
      port2.postMessage({ replies } satisfies WriterNews);
    },
  };
};

it('refuses more bytes than may wait for the disk, and takes them once some are stored', async () => {
  const { write, answer } = connect();
  const first = write(20 * MIB);
  expect(await write(20 * MIB)).toBe('unavailable');
  const small = write(100);
  await answer();
  expect(await first).toBe('stored');
  const next = write(20 * MIB);
  await answer();
  await answer();
  expect(await Promise.all([small, next])).toEqual(['stored', 'stored']);
});

it('takes one write alone, however large it is', async () => {
  const { write, answer } = connect();
  const large = write(40 * MIB);
  await answer();
  expect(await large).toBe('stored');
});
