import { expect, it } from 'vitest';
import { makeReadiness } from '../../../../core/watch/readiness.ts';
import { neededOf } from '../../../../services/cluster/engines.ts';

it('a projector is ready while a store lacks events: it is what writes them again', async () => {
  const probes = {
    kafka: async () => 'answers',
    stores: async () => {
      throw new Error('recall lacks 5 events that it held');
    },
  };
  const ready = makeReadiness({ probes, needed: neededOf(false, probes), isStopping: () => false });
  expect(await ready()).toMatchObject({ ready: true, degraded: ['stores'] });
  expect(neededOf(false, probes)).toEqual(['kafka']);
  expect(neededOf(true, probes)).toEqual(['redis']);
});
