import { describe, expect, it } from 'vitest';
import { type ConsumeOptions, makeBatches } from '../../../../../infra/cluster/kafka/batches.ts';
import type { FetchedBatch } from '../../../../../infra/cluster/kafka/client/member.ts';
import { until } from '../../../../support/wait.ts';

/** Delivers two records, which `handle` gets one by one, and notes what becomes of them. */
const opened = (handle: ConsumeOptions['handle']) => {
  const steps: string[] = [];
  const troubles: unknown[] = [];
  const batch: FetchedBatch = {
    topic: 'test.turns',
    partition: 0,
    messages: ['3', '4'].map(offset => ({ offset, key: null, value: Buffer.from('sealed') })),
    isCurrent: () => true,
    heartbeat: async () => true,
    commit: async offset => void steps.push(`commit ${offset}`),
    resolve: async offset => void steps.push(`resolve ${offset}`),
    pause: () => void steps.push('pause'),
  };
  const batches = makeBatches(
    { namespace: 'test' },
    { handle, onTrouble: error => void troubles.push(error) },
    {
      limits: [{ most: 1, of: () => 1 }],
      heartbeatEvery: 60_000,
      closing: new AbortController().signal,
    },
  );
  const deliver = () => batches.handle(batch, { isMine: () => true, seek: () => {} });
  return { steps, troubles, deliver };
};

describe('a batch', () => {
  it('is committed slice by slice, each once it is handled', async () => {
    const { steps, deliver } = opened(async records => void steps.push(`handle ${records[0]!.offset}`));
    await deliver();
    expect(steps).toEqual([3, 4].flatMap(at => [`handle ${at}`, `commit ${at}`, `resolve ${at}`]));
  });

  it('that throws is paused, not committed, and given again', async () => {
    const given: number[] = [];
    const fault = new Error('the store is down');
    const { steps, troubles, deliver } = opened(async records => {
      given.push(...records.map(({ offset }) => offset));
      if (given.length === 1) throw fault;
    });
    await deliver();
    expect(steps).toEqual(['pause']);
    expect(troubles).toEqual([fault]);
    await until('the pause is over', async () => {
      await deliver();
      return steps.at(-1) !== 'pause';
    });
    expect(given).toEqual([3, 3, 4]);
  });
});
