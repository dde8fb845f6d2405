import { describe, expect, it, vi } from 'vitest';
import type { Event } from '../../../../../core/log/events.ts';
import { makeDecode } from '../../../../../core/log/events.ts';
import type { LogRecord, NewRecord, PolledLog, Positions } from '../../../../../core/ports.ts';
import type { ObservationsExtracted } from '../../../../../schemas/events/observations.ts';
import { startConsumer } from '../../../../../services/workers/consumer.ts';
import { enricherOf, enrichStep } from '../../../../../services/workers/enricher/enricher.ts';
import { pause } from '../../../../support/wait.ts';
import { sessionKey, turnRecorded } from '../../../../support/worlds/builders.ts';

const TURNS = 700;
const turns = Array.from({ length: TURNS }, (_, n) => ({ ...turnRecorded(n), partition: n % 2 }));
const decode = makeDecode({ byId: async () => sessionKey().sealing, destroyKeys: async () => {} });

type Log = Pick<PolledLog, 'read' | 'ends' | 'append' | 'committed' | 'onAppend'>;

/**
 * A log of two partitions whose appends take a while, and fail when the test says so; what it stored is in
 * order.
 */
const memoryLog = (fails: (append: number) => boolean) => {
  const partitions = [0, 1].map(partition => turns.filter(turn => turn.partition === partition));
  const stored: NewRecord[] = [];
  const committed: Positions = {};
  const commits: { topicPartition: string; position: number; stored: number }[] = [];
  let appends = 0;
  const log: Log = {
    read: async (_topic, partition, offset, limit) =>
      partitions[partition]!.slice(offset, offset + limit).map(
        (turn, i) =>
          ({
            topic: 'turns',
            partition,
            offset: offset + i,
            value: new Uint8Array(),
            headers: {},
            turn,
          }) as LogRecord,
      ),
    ends: async () => ({ 'turns/0': partitions[0]!.length, 'turns/1': partitions[1]!.length, 'usage/0': 0 }),
    append: async (records, commit) => {
      const number = ++appends;
      await pause(5);
      if (fails(number)) throw new Error('the disk is full');
      stored.push(...records);
      for (const [topicPartition, position] of Object.entries(commit!.positions)) {
        committed[topicPartition] = position;
        commits.push({ topicPartition, position, stored: stored.length });
      }
      return [];
    },
    committed: async () => ({ ...committed }),
    onAppend: () => () => {},
  };
  return { log, stored, commits };
};

const run = async (fails: (append: number) => boolean) => {
  const { log, stored, commits } = memoryLog(fails);
  const onTrouble = vi.fn();
  const extract = () => ({ observations: [], entities: [] });
  const enricher = await startConsumer(
    {
      ...enricherOf({ kind: 'rules' }),
      open: async ports =>
        enrichStep({ ...ports, extractor: { version: 'rules-1', source: 'rules', extract } }),
    },
    {
      log,
      keys: { byId: async () => sessionKey().sealing },
      // The records carry the turn itself.
      decode: async record => ({ kind: 'events', events: [(record as never as { turn: Event }).turn] }),
      openChat: () => ({}) as never,
      openEmbeddings: () => ({}) as never,
      clock: () => 0,
      pace: async () => {},
      report: report => report.kind === 'trouble' && onTrouble(report),
    },
  );
  await vi.waitFor(() => expect(commits.filter(({ position }) => position === TURNS / 2)).toHaveLength(2), {
    timeout: 10_000,
  });
  await enricher.close();
  const enriched: string[] = [];
  for (const { value } of stored) {
    const decoded = await decode({ topic: 'observations', partition: 0, offset: 0, value, headers: {} });
    if (decoded.kind !== 'events') continue;
    for (const event of decoded.events) enriched.push((event as Event<ObservationsExtracted>).data.turn_id);
  }
  return { enriched, commits, onTrouble };
};

/** Every turn before a committed position is enriched by then. */
const expectNonePassedOver = (
  enriched: string[],
  commits: { topicPartition: string; position: number; stored: number }[],
) => {
  for (const { topicPartition, position, stored } of commits) {
    const known = new Set(enriched.slice(0, stored));
    const before = turns.filter(turn => `turns/${turn.partition}` === topicPartition).slice(0, position);
    expect(before.map(({ id }) => id).filter(id => !known.has(id))).toEqual([]);
  }
};

describe('the enricher', () => {
  it('enriches every turn once and commits what it appended', async () => {
    const { enriched, commits, onTrouble } = await run(() => false);
    expect(enriched.toSorted()).toEqual(turns.map(({ id }) => id).toSorted());
    expectNonePassedOver(enriched, commits);
    expect(onTrouble).not.toHaveBeenCalled();
  });

  it('passes no turn over when appends fail while the next are prepared', async () => {
    const { enriched, commits, onTrouble } = await run(append => [1, 3, 4].includes(append));
    expect(new Set(enriched)).toEqual(new Set(turns.map(({ id }) => id)));
    expectNonePassedOver(enriched, commits);
    expect(onTrouble.mock.calls.length).toBeGreaterThanOrEqual(3);
  });
});
