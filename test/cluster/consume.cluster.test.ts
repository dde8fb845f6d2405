import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord, Positions, SharedLog, Topic } from '../../core/ports.ts';
import { type KafkaLogOptions, openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import { record } from '../contracts/event-log.contract.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { deleteTopics } from '../support/engines/kafka.ts';
import { pause, until } from '../support/wait.ts';
import { turnRecorded, writeAccepted } from '../support/worlds/builders.ts';
import { turnsFrame } from '../support/worlds/frames.ts';

const GROUP = 'projector';
/** The least that a broker takes. */
const SESSION_MS = 6_000;
const idOf = ({ topic, partition, offset }: { topic: Topic; partition: number; offset: number }) =>
  `${topic}/${partition}@${offset}`;
const lag = (ends: Positions, committed: Positions, topic: Topic): number =>
  Object.entries(ends).reduce(
    (sum, [topicPartition, end]) =>
      sum + (topicPartition.startsWith(`${topic}/`) ? end - committed[topicPartition]! : 0),
    0,
  );

describeOnEngines('consuming', () => {
  describe('Kafka', () => {
    const config = clusterConfig();
    let logs: SharedLog[] = [];
    let log: SharedLog;
    const openLog = async (options: KafkaLogOptions = {}): Promise<SharedLog> => {
      const opened = await openKafkaLog(config, { sessionTimeout: SESSION_MS, ...options });
      logs.push(opened);
      return opened;
    };
    beforeEach(async () => {
      await migrateTopics(config);
      log = await openLog();
    });
    afterEach(async () => {
      await Promise.all(logs.map(each => each.close()));
      logs = [];
      await deleteTopics(config);
    });

    const write = async (count: number, topic: Topic = 'turns'): Promise<string[]> => {
      const records = Array.from({ length: count }, (_, n) => record(`key-${n}`, String(n), { topic }));
      return (await log.append(records)).map(idOf);
    };
    const drained = (topic: Topic = 'turns') =>
      until(
        `the group has read ${topic}`,
        async () => lag(await log.ends(), await log.committed(GROUP), topic) === 0,
      );

    it('delivers every record in order, a partition at a time, and commits after that alone', async () => {
      const written = await write(2_000);
      expect(lag(await log.ends(), await log.committed(GROUP), 'turns')).toBe(2_000);
      const seen: string[] = [];
      const under = new Set<number>();
      let held: (() => void) | undefined;
      const gate = new Promise<void>(resolve => (held = resolve));
      await log.consume({
        group: GROUP,
        topics: ['turns', 'usage'],
        onTrouble: error => expect.fail(String(error)),
        handle: async records => {
          const { topic, partition } = records[0]!;
          expect(under.has(partition)).toBe(false);
          expect(records.length).toBeLessThanOrEqual(500);
          expect(records.every(each => each.topic === topic && each.partition === partition)).toBe(true);
          under.add(partition);
          await gate;
          under.delete(partition);
          seen.push(...records.map(idOf));
        },
      });
      await until('every partition is under way', () => under.size === config.partitions);
      expect(lag(await log.ends(), await log.committed(GROUP), 'turns')).toBe(2_000);
      held!();
      await drained();
      expect(seen.toSorted()).toEqual(written.toSorted());
      const next = new Map<string, number>();
      for (const id of seen) {
        const [topicPartition, offset] = id.split('@') as [string, string];
        expect(Number(offset)).toBe(next.get(topicPartition) ?? 0);
        next.set(topicPartition, Number(offset) + 1);
      }
    });

    it('gives the same records again after a refusal, later and later, while other partitions go on', async () => {
      const addresses = await log.append(Array.from({ length: 40 }, (_, n) => record(`key-${n}`, String(n))));
      const bad = addresses[0]!.partition;
      const tries: { at: number; ids: string[] }[] = [];
      const others: string[] = [];
      const trouble: unknown[] = [];
      await log.consume({
        group: GROUP,
        topics: ['turns'],
        onTrouble: error => trouble.push(error),
        handle: async records => {
          if (records[0]!.partition !== bad) return void others.push(...records.map(idOf));
          tries.push({ at: performance.now(), ids: records.map(idOf) });
          if (tries.length < 5) throw new Error('refused');
        },
      });
      await until(
        'the others are read',
        () => others.length === addresses.filter(each => each.partition !== bad).length,
      );
      expect((await log.committed(GROUP))[`turns/${bad}`]).toBe(0);
      await drained();
      expect(trouble.map(String)).toEqual(Array(4).fill('Error: refused'));
      for (const { ids } of tries) expect(ids).toEqual(tries[0]!.ids);
      const pauses = tries.slice(1).map((each, i) => each.at - tries[i]!.at);
      for (const [i, least] of [100, 200, 400, 800].entries())
        expect(pauses[i]).toBeGreaterThanOrEqual(least);
    });

    it('gives what was not committed to the next member, and nothing of the rest', async () => {
      await write(30);
      let first: LogRecord[] = [];
      const one = await log.consume({
        group: GROUP,
        topics: ['turns'],
        onTrouble: () => {},
        handle: async records => {
          if (first.length > 0 && first[0]!.partition !== records[0]!.partition) throw new Error('down');
          first = [...first, ...records];
        },
      });
      await until('one partition is committed', async () =>
        Object.values(await log.committed(GROUP)).some(offset => offset > 0),
      );
      await one.close();
      const seen: string[] = [];
      await log.consume({
        group: GROUP,
        topics: ['turns'],
        onTrouble: () => {},
        handle: async records => void seen.push(...records.map(idOf)),
      });
      await drained();
      expect(seen.length + first.length).toBe(30);
      expect(new Set([...seen, ...first.map(idOf)]).size).toBe(30);
    });

    it('shares the partitions of two members, and loses nothing when one leaves in mid-batch', async () => {
      const other = await openLog();
      const seen = new Map<string, string[]>();
      const member = (name: string, from: SharedLog) =>
        from.consume({
          group: GROUP,
          topics: ['turns'],
          onTrouble: () => {},
          handle: async records => {
            await pause(20);
            for (const each of records) seen.set(idOf(each), [...(seen.get(idOf(each)) ?? []), name]);
          },
        });
      const members = await Promise.all([member('a', log), member('b', other)]);
      const written: string[] = [];
      let writing = true;
      const writes = (async () => {
        while (writing) {
          written.push(...(await write(20)));
          await pause(20);
        }
      })();
      const readers = () => new Set([...seen.values()].flat());
      await until('both read', () => readers().size === 2);
      await members[1]!.close();
      const before = seen.size;
      await until('the other goes on', () => seen.size > before + 200);
      writing = false;
      await writes;
      await drained();
      expect(written.filter(id => !seen.has(id))).toEqual([]);
      // A member that leaves finishes what it has, so that nothing comes twice.
      expect([...seen.values()].filter(names => names.length > 1)).toEqual([]);
    });

    it('keeps its partitions through a call that is longer than the session', async () => {
      await write(8);
      const calls: string[] = [];
      await log.consume({
        group: GROUP,
        topics: ['turns'],
        onTrouble: error => expect.fail(String(error)),
        handle: async records => {
          calls.push(...records.map(idOf));
          await pause(SESSION_MS + 1_000);
        },
      });
      await drained();
      expect(calls).toHaveLength(8);
    });

    it('has a bounded number of bytes under way, however many its partitions have', async () => {
      const value = new Uint8Array(240 * 1024);
      // One by one: each is a batch of its own.
      for (const partition of [0, 1, 2, 3, 0, 1, 2, 3])
        await log.append([{ topic: 'turns', key: '', partition, value }]);
      let bytes = 0;
      let most = 0;
      await log.consume({
        group: GROUP,
        topics: ['turns'],
        onTrouble: error => expect.fail(String(error)),
        handle: async records => {
          const own = records.length * value.length;
          bytes += own;
          most = Math.max(most, bytes);
          await pause(50);
          bytes -= own;
        },
      });
      await drained();
      // Several partitions, of what becomes 8 MiB at most.
      expect(most).toBe(4 * value.length);
    });

    it('hands over as many events as are wanted at a time, and one record at least', async () => {
      const write = writeAccepted(1, []);
      const frame = (turns: number) =>
        turnsFrame(
          write,
          Array.from({ length: turns }, (_, n) => turnRecorded(n)),
        );
      const values = [1, 2, 30, 1].map(frame);
      await log.append(values.map(value => ({ topic: 'turns', key: '', partition: 0, value })));
      const calls: number[][] = [];
      await log.consume({
        group: GROUP,
        topics: ['turns'],
        atOnce: 6,
        onTrouble: error => expect.fail(String(error)),
        handle: async records => void calls.push(records.map(({ offset }) => offset)),
      });
      await drained();
      expect(calls).toEqual([[0, 1], [2], [3]]);
    });

    it('finishes and commits what is under way when it closes', async () => {
      await write(4);
      let started = 0;
      let finished = 0;
      const gate = Promise.withResolvers<void>();
      const consumer = await log.consume({
        group: GROUP,
        topics: ['turns'],
        onTrouble: error => expect.fail(String(error)),
        handle: async records => {
          started += records.length;
          await gate.promise;
          finished += records.length;
        },
      });
      await until('a call is under way', () => started > 0);
      let isClosed = false;
      const closing = consumer.close().then(() => {
        isClosed = true;
      });
      await pause(100);
      expect([isClosed, finished]).toEqual([false, 0]);
      gate.resolve();
      await closing;
      expect(finished).toBe(started);
      const committed = await log.committed(GROUP);
      expect(Object.values(committed).reduce((sum, offset) => sum + offset, 0)).toBe(finished);
    });
  });
});
