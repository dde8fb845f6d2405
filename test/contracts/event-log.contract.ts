import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPages } from '../../core/log/read.ts';
import { PAGE_BYTES } from '../../core/ports/log/event-log.ts';
import type { EventLog, LogRecord, NewRecord, Topic } from '../../core/ports.ts';

export interface OpenLog {
  log: EventLog;
  /** Closes, and opens the same data again. */
  reopen(): Promise<OpenLog>;
  close(): Promise<void>;
}

const text = new TextEncoder();
export const record = (key: string, value: string, changes: Partial<NewRecord> = {}): NewRecord => ({
  topic: 'turns',
  key,
  value: text.encode(value),
  ...changes,
});
const textOf = ({ value }: LogRecord): string => new TextDecoder().decode(value);

/** The contract of every event log. Acknowledged is kept (invariant 1) stands on it. */
export const describeEventLog = (name: string, open: () => Promise<OpenLog>): void => {
  describe(`event log: ${name}`, () => {
    let opened: OpenLog;
    let log: EventLog;
    beforeEach(async () => {
      opened = await open();
      log = opened.log;
    });
    afterEach(() => opened.close());

    const all = async (topic: Topic): Promise<LogRecord[]> => {
      const found: LogRecord[] = [];
      for await (const page of readPages(log, { topics: [topic], to: await log.ends() }))
        found.push(...page.records);
      return found;
    };

    it('gives back what was appended, at the address that it named', async () => {
      const value = Uint8Array.from({ length: 300 }, (_, i) => i % 256);
      const headers = { reason: 'ünïcode', offset: '7' };
      const [address, other] = await log.append([
        { topic: 'usage', key: 'acme', value, headers },
        record('k', 'second'),
      ]);
      const [read] = await log.read('usage', address!.partition, address!.offset, 1);
      expect(read).toMatchObject({
        topic: 'usage',
        partition: address!.partition,
        offset: address!.offset,
        headers,
      });
      expect(Buffer.from(read!.value).equals(value)).toBe(true);
      expect((await log.read('turns', other!.partition, 0, 9)).map(textOf)).toEqual(['second']);
      expect((await log.read('turns', other!.partition, 0, 9))[0]!.headers).toEqual({});
    });

    it('stores nothing of an append that names no topic of its own', async () => {
      await log.append([record('k', 'before')]);
      const ends = await log.ends();
      const bad = record('k', 'bad', { topic: 'no such topic' as Topic });
      await expect(log.append([record('k', '1'), record('l', '2'), bad, record('m', '3')])).rejects.toThrow();
      expect(await log.ends()).toEqual(ends);
      const [address] = await log.append([record('k', 'after')]);
      expect(address!.offset).toBe(1);
    });

    it('keeps the order of a key, and dense offsets, through many appends at once', async () => {
      const KEYS = 12;
      const appends = Array.from({ length: 300 }, (_, n) =>
        log.append([0, 1, 2].map(i => record(`key-${n % KEYS}`, JSON.stringify({ n, i })))),
      );
      const addresses = await Promise.all(appends);
      const ends = await log.ends();
      const records = await all('turns');
      expect(records).toHaveLength(900);
      const partitions = new Map<number, number>();
      for (const { partition, offset } of records) {
        expect(offset).toBe(partitions.get(partition) ?? 0);
        partitions.set(partition, offset + 1);
      }
      expect(partitions.size).toBeGreaterThan(1);
      for (const [partition, end] of partitions) expect(ends[`turns/${partition}`]).toBe(end);
      const lastOfKey = new Map<number, number>();
      for (const each of records) {
        const { n, i } = JSON.parse(textOf(each)) as { n: number; i: number };
        expect(addresses[n]![i]).toEqual({ topic: 'turns', partition: each.partition, offset: each.offset });
        expect(n * 3 + i).toBeGreaterThan(lastOfKey.get(n % KEYS) ?? -1);
        lastOfKey.set(n % KEYS, n * 3 + i);
      }
    });

    it('reads from an offset, at most so many, and nothing beyond the end', async () => {
      await log.append(Array.from({ length: 10 }, (_, n) => record('k', String(n))));
      const { partition } = (await all('turns'))[0]!;
      const read = async (offset: number, limit: number) =>
        (await log.read('turns', partition, offset, limit)).map(textOf);
      expect(await read(3, 4)).toEqual(['3', '4', '5', '6']);
      expect(await read(8, 100)).toEqual(['8', '9']);
      expect(await read(10, 100)).toEqual([]);
    });

    it('gives pages of bounded bytes, and a record that alone is larger by itself', async () => {
      // Kafka takes records of less than 8 MiB.
      const sizes = [1, 2, 3, 1, 10, 1, 1].map(quarters => (quarters * PAGE_BYTES) / 4);
      for (const size of sizes)
        await log.append([{ topic: 'turns', key: 'k', value: new Uint8Array(size).fill(120) }]);
      const { partition } = (await all('turns'))[0]!;
      const pages: number[][] = [];
      for (let next = 0; next < sizes.length; next += pages.at(-1)!.length) {
        const page = await log.read('turns', partition, next, 100);
        expect(page[0]!.offset).toBe(next);
        pages.push(page.map(({ value }) => value.length));
      }
      expect(pages.flat()).toEqual(sizes);
      for (const page of pages.filter(each => each.length > 1))
        expect(page.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(PAGE_BYTES);
      expect(pages).toContainEqual([sizes[4]]);
    });

    it('has everything after it was opened again, and goes on where it was', async () => {
      await log.append([record('k', '1'), record('l', '2')]);
      const [before, ends] = [await all('turns'), await log.ends()];
      opened = await opened.reopen();
      log = opened.log;
      expect(await all('turns')).toEqual(before);
      expect(await log.ends()).toEqual(ends);
      const [address] = await log.append([record('k', '3')]);
      expect(address!.offset).toBe(ends[`turns/${address!.partition}`]);
    });
  });
};
