import { expect, it } from 'vitest';
import type { Elasticsearch } from '../../../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { makeRecallWriter } from '../../../../../../infra/cluster/elasticsearch/write/recall-writer.ts';
import type { Erase } from '../../../../../../projections/recall/recall-writes.ts';

const ERASE: Erase = {
  op: 'erase',
  org: 'acme',
  owner: 'a digest',
  session: null,
  origin: { topic: 'turns', partition: 0, offset: 6, recordedAt: 0 },
};
const RANGE = { topic: 'turns', partition: 0, from: 6, next: 7 } as const;

it('says that an index holds an erasure when it is done, or due, in every generation', async () => {
  const steps: string[] = [];
  const step = (name: string) => async (): Promise<void> => {
    // Each takes its time: a step that doesn't wait for the former one comes before it.
    await new Promise(resolve => setTimeout(resolve, name === 'position' ? 0 : 5));
    steps.push(name);
  };
  const writer = makeRecallWriter(
    { ask: step('refresh') } as unknown as Elasticsearch,
    { namespace: 'test' },
    () => ({}) as never,
    {
      targets: async () => ({ required: [2], optional: [], beside: [3], marked: [2] }),
      failed: async () => {},
    },
    {
      eraser: { apply: step('erased'), defer: step('due'), deleteDue: async () => {} },
      retractor: { apply: step('retracted'), hideLate: async () => {} },
    },
    {
      advance: async () => {
        await step('position')();
        return RANGE.next;
      },
    },
  );
  await writer.apply([ERASE], RANGE);
  expect(steps).toEqual(['refresh', 'erased', 'due', 'position']);
});
