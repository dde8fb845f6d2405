import { expect, it } from 'vitest';
import type { Elasticsearch } from '../../../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { makeRecallWriter } from '../../../../../../infra/cluster/elasticsearch/write/recall-writer.ts';
import type { Erase, StoredWrite } from '../../../../../../projections/recall/recall-writes.ts';
import { pause, until } from '../../../../../support/wait.ts';

const ORIGIN = { topic: 'turns', partition: 0, offset: 6, recordedAt: 0 } as const;
const ERASE: Erase = { op: 'erase', org: 'acme', owner: 'a digest', session: null, origin: ORIGIN };
const JOB: StoredWrite = {
  op: 'job',
  origin: ORIGIN,
  id: `job_${'a'.repeat(32)}`,
  org: 'acme',
  user: 'ada',
  session: 's',
  turnIds: [],
  passive: true,
};
const RANGE = { topic: 'turns', partition: 0, from: 6, next: 7 } as const;

type Ask = (method: string, path: string) => Promise<unknown>;

/** Opens a writer over an index that answers by `ask`; the other parts take a step each. */
const opened = (ask: Ask, step: (name: string) => () => Promise<void> = () => async () => {}) =>
  makeRecallWriter(
    { ask } as unknown as Elasticsearch,
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

it('says that an index holds an erasure when it is done, or due, in every generation', async () => {
  const steps: string[] = [];
  const step = (name: string) => async (): Promise<void> => {
    // Each takes its time: a step that doesn't wait for the former one comes before it.
    await new Promise(resolve => setTimeout(resolve, name === 'position' ? 0 : 5));
    steps.push(name);
  };
  await opened(step('refresh'), step).apply([ERASE], RANGE);
  expect(steps).toEqual(['refresh', 'erased', 'due', 'position']);
});

it('makes writes visible by one refresh that begins after all of them, not by one under way', async () => {
  const steps: string[] = [];
  const gate = Promise.withResolvers<void>();
  const writer = opened(async (_method, path) => {
    if (path.endsWith('/_bulk')) {
      steps.push('stored');
      return { errors: false, items: [{ index: { status: 201 } }] };
    }
    steps.push('refresh begins');
    await gate.promise;
    // An answer that doesn't wait for the refresh comes before its end.
    await pause(1);
    return steps.push('refresh ends');
  });
  const first = writer.apply([JOB]);
  await until('the first refresh is under way', () => steps.includes('refresh begins'));
  const later = ['second', 'third'].map(async name => {
    await writer.apply([JOB]);
    steps.push(name);
  });
  await until('the later writes are stored', () => steps.length === 4);
  gate.resolve();
  await Promise.all([first, ...later]);
  expect(steps).toEqual([
    'stored',
    'refresh begins',
    'stored',
    'stored',
    'refresh ends',
    'refresh begins',
    'refresh ends',
    'second',
    'third',
  ]);
});
