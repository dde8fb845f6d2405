import { expect, it } from 'vitest';
import { encodeEvent } from '../../../../core/log/encode.ts';
import type { Topic } from '../../../../core/ports.ts';
import { unappliedRemovals } from '../../../../services/embedded/unapplied-removals.ts';
import { memoryLog } from '../../../support/engines/memory-log.ts';

const record = (topic: Topic, partition: number, type: string) => ({
  topic,
  partition,
  key: '',
  value: encodeEvent({
    id: `${type}-${partition}`,
    type,
    org_id: 'acme',
    recorded_at: '2026-03-01T00:00:00.000Z',
    correlation_id: 'cor_1',
    data: {} as never,
  }),
});

it('the positions after the last removals are those of their partitions, between the two positions', async () => {
  const log = memoryLog(2);
  await log.append([
    record('turns', 0, 'memory.erased'),
    record('turns', 0, 'session.titled'),
    record('turns', 1, 'memory.retracted'),
    record('turns', 1, 'memory.retracted'),
    record('turns', 1, 'session.titled'),
    record('observations', 1, 'memory.expired'),
    record('accounts', 0, 'memory.erased'),
    { topic: 'observations', partition: 0, key: '', value: Buffer.from('no envelope') },
  ]);
  const to = await log.ends();
  expect(await unappliedRemovals(log, { from: {}, to })).toEqual({
    'turns/0': 1,
    'turns/1': 2,
    'observations/1': 1,
  });
  expect(await unappliedRemovals(log, { from: { 'turns/0': 1, 'turns/1': 2 }, to })).toEqual({
    'observations/1': 1,
  });
  expect(await unappliedRemovals(log, { from: to, to })).toEqual({});
});
