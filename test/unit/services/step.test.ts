import { expect, it, vi } from 'vitest';
import { RefusedWrites } from '../../../services/errors.ts';
import type { Event } from '../../../services/events.ts';
import type { LogRecord, NewRecord, ProjectedBatch } from '../../../services/ports.ts';
import { makeStep } from '../../../services/projector/step.ts';
import { turnRecorded } from '../../support/builders.ts';

const recordOf = (n: number): LogRecord & { event: Event } => ({
  topic: 'turns',
  partition: 0,
  offset: n,
  value: Buffer.from(`record ${n}`),
  headers: { attempt: `a${n}` },
  event: turnRecorded(n),
});

/** Events whose one write is an object of their own; the store refuses those of `refused`. */
const run = async (refused: readonly number[]) => {
  const records = [recordOf(0), recordOf(1), recordOf(2)] as const;
  const appended: NewRecord[] = [];
  const applied: ProjectedBatch[] = [];
  const writes = records.map(({ event }) => ({ op: 'turn', id: event.id }));
  const step = makeStep({
    log: {
      append: async sent => {
        appended.push(...sent);
        return [];
      },
    },
    store: {
      apply: vi.fn(async (batch: ProjectedBatch) => {
        const bad = batch.recall.filter((write: object) => refused.includes(writes.indexOf(write as never)));
        if (bad.length > 0) throw new RefusedWrites(new Set(bad));
        applied.push(batch);
      }),
    },
    decode: async record => ({ kind: 'event', event: (record as (typeof records)[0]).event }),
    folds: {
      recall: event => [writes[event.offset] as never],
      usage: () => [],
      accounts: () => [],
      logged: () => [],
    },
  });
  const result = await step(records);
  return { result, appended, applied, writes };
};

it('sets aside what an engine refuses for good, with its reason, and applies the rest', async () => {
  const { result, appended, applied, writes } = await run([1]);
  expect(result).toEqual({ positions: { 'turns/0': 3 }, events: 3, deadLetters: 1 });
  expect(appended).toEqual([
    expect.objectContaining({
      topic: 'dead-letters',
      value: Buffer.from('record 1'),
      headers: {
        attempt: 'a1',
        step: 'apply',
        reason: 'RefusedWrites',
        topic: 'turns',
        partition: '0',
        offset: '1',
      },
    }),
  ]);
  expect(applied).toHaveLength(1);
  expect(applied[0]!.recall).toEqual([writes[0], writes[2]]);
});

it('applies a batch once that no engine refuses', async () => {
  const { appended, applied, writes } = await run([]);
  expect(appended).toEqual([]);
  expect(applied.map(({ recall }) => recall)).toEqual([writes]);
});
