import { describe, expect, it, vi } from 'vitest';
import { isNotStored } from '../../../../../core/log/not-stored.ts';
import type { CreatePartitioner } from '../../../../../infra/cluster/kafka/client/kafka-client.ts';
import type { PartitionResponse, TopicMessages } from '../../../../../infra/cluster/kafka/next-send.ts';
import { type BatchingOptions, makeBatchingProducer } from '../../../../../infra/cluster/kafka/producer.ts';
import { MAX_RECORD_BYTES, type Outgoing, outgoing } from '../../../../../infra/cluster/kafka/records.ts';
import { pause, until } from '../../../../support/wait.ts';

/** The outcome of a send at the broker: everything is stored and named, unless something is said. */
interface Fate {
  /** Partitions that are stored but not named. */
  unnamed?: number[];
  /** Partitions that the response names with an error, or without an offset. */
  faulty?: PartitionResponse[];
  /** Tries that the client makes by itself before the one that is answered. */
  retries?: number;
  rejects?: 'stored' | 'lost';
  /** Answered after this. */
  after?: Promise<void>;
}

interface Sent {
  producer: number;
  texts: string[];
}

/** A kafkajs producer that keeps what it was given, by address, and does what the script says. */
const fakeKafka = (script: (Fate | undefined)[] = [], connected?: Promise<void>) => {
  const log = new Map<string, string[]>();
  const sends: Sent[] = [];
  /** The acknowledgements that the sends asked for. */
  const acks = new Set<number>();
  const disconnected: number[] = [];
  let producers = 0;
  const newProducer = (createPartitioner: CreatePartitioner) => {
    const producer = ++producers;
    const partitioner = createPartitioner();
    return {
      connect: async () => connected,
      disconnect: async () => void disconnected.push(producer),
      sendBatch: async ({
        acks: asked,
        topicMessages,
      }: {
        acks: number;
        topicMessages: TopicMessages[];
      }): Promise<PartitionResponse[]> => {
        acks.add(asked);
        const fate = script.shift() ?? {};
        const texts: string[] = [];
        const bases = new Map<string, PartitionResponse>();
        for (const { topic, messages } of topicMessages) {
          for (const message of messages) {
            let partition = -1;
            for (let tries = fate.retries ?? 0; tries >= 0; tries--) {
              partition = partitioner({ message });
            }
            const text = String(message.value);
            texts.push(text);
            if (fate.rejects === 'lost') continue;
            const topicPartition = `${topic}/${partition}`;
            const stored = log.get(topicPartition) ?? [];
            log.set(topicPartition, stored);
            if (!bases.has(topicPartition)) {
              bases.set(topicPartition, {
                topicName: topic,
                partition,
                errorCode: 0,
                baseOffset: String(stored.length),
              });
            }
            stored.push(text);
          }
        }
        sends.push({ producer, texts });
        await fate.after;
        if (fate.rejects) throw new Error('rejected');
        const named = [...bases.values()].filter(({ partition }) => !fate.unnamed?.includes(partition));
        return [...(fate.faulty ?? []), ...named];
      },
    };
  };
  const open = (options: BatchingOptions = {}) =>
    makeBatchingProducer(newProducer, { linger: 1, ...options });
  return { log, sends, acks, disconnected, open, producers: () => producers };
};

const PARTITIONS = 4;
const config = { namespace: 'test', partitions: PARTITIONS };
/** A key of each partition. */
const KEYS = Array.from({ length: PARTITIONS }, (_, partition) => {
  for (let n = 0; ; n++) {
    if (outgoing(config, { topic: 'turns', key: `k${n}`, value: Buffer.of() }).partition === partition)
      return `k${n}`;
  }
});
const to = (partition: number, text: string): Outgoing =>
  outgoing(config, { topic: 'turns', key: KEYS[partition]!, value: Buffer.from(text) });
const unavailable = { code: 'unavailable' };

describe('the batching producer', () => {
  it('lets requests share a send, and tells each the offsets of its own records', async () => {
    const { sends, open } = fakeKafka();
    const { append } = open();
    const answers = await Promise.all([
      append([to(0, 'a'), to(1, 'b')]),
      append([to(1, 'c')]),
      append([to(0, 'd'), to(0, 'e')]),
    ]);
    expect(sends.map(({ texts }) => texts.join(''))).toEqual(['abcde']);
    expect(answers).toEqual([[0, 0], [1], [1, 2]]);
    expect(await append([to(0, 'f')])).toEqual([3]);
    expect(await append([])).toEqual([]);
  });

  /**
   * Switched off by hand: infra/cluster/kafka/delivery.ts sends with `acks: 1` → expected [ 1 ] to deeply
   * equal [ -1 ].
   */
  it('has every send acknowledged by all copies in sync, also one that is repeated', async () => {
    const { acks, sends, open } = fakeKafka([{ unnamed: [1] }, { rejects: 'lost' }]);
    await open().append([to(0, 'a'), to(1, 'b')]);
    expect(sends).toHaveLength(3);
    // As Kafka numbers "all".
    expect([...acks]).toEqual([-1]);
  });

  it('sends what the response does not name again: first, whole, unchanged, and to the same producer', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { log, sends, open } = fakeKafka([{ unnamed: [1, 2], after: answered }, { unnamed: [2] }]);
    const { append } = open();
    const first = append([to(0, 'a'), to(1, 'b'), to(2, 'c'), to(1, 'd'), to(2, 'e')]);
    await until('the first is on its way', () => sends.length > 0);
    const later = append([to(1, 'x'), to(2, 'y')]);
    answer();
    const [offsets] = [await first, await later];
    expect(sends).toEqual([
      { producer: 1, texts: ['a', 'b', 'c', 'd', 'e'] },
      { producer: 1, texts: ['b', 'c', 'd', 'e'] },
      { producer: 1, texts: ['c', 'e'] },
      { producer: 1, texts: ['x', 'y'] },
    ]);
    // This log keeps every copy: where they were said to be is where they are.
    expect(
      ['a', 'b', 'c', 'd', 'e'].map((_, i) => log.get(`test.turns/${[0, 1, 2, 1, 2][i]}`)![offsets[i]!]),
    ).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('takes neither an error code nor a missing base offset for an acknowledgement', async () => {
    const faulty = { topicName: 'test.turns', partition: 1 };
    const { sends, open } = fakeKafka([
      { unnamed: [1], faulty: [{ ...faulty, errorCode: 6, baseOffset: '0' }] },
      { unnamed: [1], faulty: [{ ...faulty, errorCode: 0, baseOffset: '-1' }] },
      { unnamed: [1], faulty: [{ ...faulty, errorCode: 0 }] },
      { unnamed: [1], faulty: [{ ...faulty, topicName: 'test.usage', errorCode: 0, baseOffset: '0' }] },
    ]);
    expect(await open().append([to(0, 'a'), to(1, 'b')])).toEqual([0, 4]);
    expect(sends.map(({ texts }) => texts.join(''))).toEqual(['ab', 'b', 'b', 'b', 'b']);
  });

  it('counts the first copy of a partition that was stored twice', async () => {
    const copy = (baseOffset: string) => ({
      topicName: 'test.turns',
      partition: 0,
      errorCode: 0,
      baseOffset,
    });
    for (const faulty of [
      [copy('3'), copy('7')],
      [copy('7'), copy('3')],
    ]) {
      const { open } = fakeKafka([{ unnamed: [0], faulty }]);
      expect(await open().append([to(0, 'a'), to(0, 'b')])).toEqual([3, 4]);
    }
  });

  it.each(['stored', 'lost'] as const)(
    'throws a producer away whose send was rejected: %s',
    async rejects => {
      const { sends, disconnected, open } = fakeKafka([undefined, { rejects }]);
      const { append } = open();
      expect(await append([to(0, 'a')])).toEqual([0]);
      const offsets = await Promise.all([append([to(0, 'b')]), append([to(0, 'c')])]);
      expect(offsets).toEqual(rejects === 'stored' ? [[3], [4]] : [[1], [2]]);
      expect(sends.map(({ producer, texts }) => `${producer}${texts.join('')}`)).toEqual([
        '1a',
        '1bc',
        '2bc',
      ]);
      expect(disconnected).toEqual([1]);
    },
  );

  it('throws a producer away that tried a send more than once, when nothing of it is missing any more', async () => {
    const { sends, disconnected, open } = fakeKafka([{ retries: 1, unnamed: [1] }]);
    const { append } = open();
    await append([to(0, 'a'), to(1, 'b')]);
    await append([to(0, 'c')]);
    expect(sends.map(({ producer, texts }) => `${producer}${texts.join('')}`)).toEqual(['1ab', '1b', '2c']);
    expect(disconnected).toEqual([1]);
  });

  it('throws a producer away that never names a partition', async () => {
    const { producers, open } = fakeKafka(Array(5).fill({ unnamed: [1] }));
    expect(await open().append([to(1, 'a')])).toEqual([5]);
    expect(producers()).toBe(2);
  });

  it('refuses at once what its buffer has no room for, by records and by bytes', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { sends, open } = fakeKafka([{ after: answered }]);
    const { append } = open({ bufferRecords: 3, bufferBytes: 1_000 });
    const taken = append([to(0, 'a'), to(1, 'b')]);
    const refused = await append([to(0, 'c'), to(0, 'd')]).catch((error: Error) => error);
    expect(refused).toMatchObject(unavailable);
    expect(isNotStored(refused)).toBe(true);
    await expect(append([to(0, 'x'.repeat(900))])).rejects.toMatchObject(unavailable);
    const fits = append([to(0, 'e')]);
    await expect(append([to(0, 'f')])).rejects.toMatchObject(unavailable);
    answer();
    await Promise.all([taken, fits]);
    expect(await append([to(0, 'g'), to(0, 'h'), to(0, 'i')])).toEqual([2, 3, 4]);
    expect(sends.flatMap(({ texts }) => texts).join('')).toBe('abeghi');
  });

  it('gives a request up at its deadline: what waits is dropped, what a producer has stays whole', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { sends, open } = fakeKafka([{ after: answered, unnamed: [0] }, { rejects: 'lost' }]);
    const { append } = open({ deadline: 100 });
    const first = append([to(0, 'a')]);
    await until('the first is on its way', () => sends.length > 0);
    const second = append([to(0, 'b')]);
    // It is unknown whether the first was stored; the second certainly never will be.
    const faults = await Promise.all([first, second].map(append => append.catch((error: Error) => error)));
    expect(faults).toMatchObject([unavailable, unavailable]);
    expect(faults.map(isNotStored)).toEqual([false, true]);
    const third = append([to(0, 'c')]);
    answer();
    // The log of this test keeps the copy that was not named.
    expect(await third).toEqual([1]);
    expect(sends).toEqual([
      { producer: 1, texts: ['a'] },
      { producer: 1, texts: ['a'] },
      { producer: 2, texts: ['c'] },
    ]);
  });

  it('never sends what was given up before there was a connection', async () => {
    const { promise: connected, resolve: connect } = Promise.withResolvers<void>();
    const { sends, open } = fakeKafka([], connected);
    const { append } = open({ deadline: 50 });
    const fault = await append([to(0, 'a')]).catch((error: Error) => error);
    expect(isNotStored(fault)).toBe(true);
    const later = append([to(0, 'b')]);
    connect();
    expect(await later).toEqual([0]);
    expect(sends.map(({ texts }) => texts.join(''))).toEqual(['b']);
  });

  it('refuses at once while the log has failed for long, but for one that tries it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      let isDown = true;
      const { sends, open } = fakeKafka(
        Array.from({ length: 10_000 }, () => ({
          get rejects() {
            return isDown ? ('lost' as const) : undefined;
          },
        })),
      );
      const { append } = open({ deadline: 400 });
      const first = append([to(0, 'a')]).catch((error: Error) => error);
      await until('it has failed', () => sends.length > 0);
      const early = append([to(0, 'b')]).catch((error: Error) => error);
      vi.advanceTimersByTime(11_000);
      const refused = await append([to(0, 'c')]).catch((error: Error) => error);
      expect(refused).toMatchObject({ ...unavailable, retryAfter: 2 });
      expect(isNotStored(refused)).toBe(true);
      expect(await Promise.all([first, early])).toMatchObject([unavailable, unavailable]);
      isDown = false;
      await until('it is taken again', () => append([to(0, 'd')]).then(() => true));
      expect(sends.flatMap(({ texts }) => texts)).not.toContain('c');
    } finally {
      vi.useRealTimers();
    }
  });

  it('splits what is larger than a batch, and refuses a record that no batch can hold', async () => {
    const { sends, open } = fakeKafka();
    const large = 'x'.repeat(600_000);
    expect(await open().append([to(0, large), to(1, large), to(0, large), to(0, 'y')])).toEqual([0, 0, 1, 2]);
    expect(sends.map(({ texts }) => texts.map(text => text[0]).join(''))).toEqual(['x', 'x', 'xy']);
    expect(() => to(0, 'x'.repeat(MAX_RECORD_BYTES))).toThrow('larger than the log takes');
  });

  it('sends what it has when it closes, and takes no more', async () => {
    const { open, disconnected } = fakeKafka();
    const { append, close } = open({ linger: 20 });
    const last = append([to(0, 'a')]);
    await close();
    expect(await last).toEqual([0]);
    await expect(append([to(0, 'b')])).rejects.toMatchObject(unavailable);
    expect(disconnected).toEqual([1]);
  });

  it('keeps the order of every partition, and says where each record is, through faults of every kind', async () => {
    const fates: Fate[] = [
      { unnamed: [0, 3] },
      { rejects: 'stored' },
      { retries: 2 },
      { rejects: 'lost' },
      {},
      {},
    ];
    const { log, open } = fakeKafka(
      Array.from({ length: 200 }, (_, n) => fates[(n * n + (n >> 2)) % fates.length]),
    );
    const { append } = open({ deadline: 60_000 });
    const said: Promise<[Outgoing, number]>[] = [];
    for (let n = 0; n < 400; n++) {
      const record = to(n % PARTITIONS, String(n));
      said.push(append([record]).then(([offset]) => [record, offset!]));
      if (n % 10 === 0) await pause(1);
    }
    for (const [record, offset] of await Promise.all(said)) {
      expect(log.get(`test.turns/${record.partition}`)![offset]).toBe(String(record.message.value));
    }
    for (const stored of log.values()) {
      const firstCopies = [...new Set(stored)].map(Number);
      expect(firstCopies).toEqual(firstCopies.toSorted((a, b) => a - b));
    }
  });
});
