import { expect, it } from 'vitest';
import { makeLog } from '../../../../core/watch/logger.ts';
import type { WatchedConsumer } from '../../../../services/workers/consumer.ts';
import { lagGauges } from '../../../../services/workers/lag-gauges.ts';
import { makeProgress } from '../../../../services/workers/progress.ts';

it('measures each consumer by what it reads, and reads the ends of the log once a scrape', async () => {
  const progress = makeProgress('test', makeLog('silent'));
  progress.receive({ kind: 'progress', positions: { 'turns/0': 3 }, events: 2 });
  const watched = { progress, positions: progress.positions };
  let asked = 0;
  const log = {
    ends: async () => {
      asked++;
      return { 'turns/0': 10, 'usage/0': 5, 'dead-letters/0': 100 };
    },
  };
  const definition = { name: 'turn-counter', topics: ['turns'], counts: 'Turns counted' } as never;
  const consumer: WatchedConsumer = { definition, ...watched };
  const gauges = lagGauges(log, watched, [consumer]);
  const read = await Promise.all(gauges.map(async ({ name, read }) => [name, await read()]));
  expect(read).toEqual([
    ['turnstone_projector_events', 2],
    ['turnstone_projector_lag_events', 12],
    ['turnstone_turn_counter_events', 2],
    ['turnstone_turn_counter_lag_events', 7],
  ]);
  expect(asked).toBe(1);
});
