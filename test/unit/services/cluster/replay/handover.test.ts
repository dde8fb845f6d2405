import { expect, it } from 'vitest';
import type { Registered } from '../../../../../core/generations.ts';
import type { Event } from '../../../../../core/log/events.ts';
import type { GenerationRegistry } from '../../../../../core/ports/projection/generation-registry.ts';
import type { LogRecord } from '../../../../../core/ports.ts';
import { makeProjectionGenerations } from '../../../../../services/cluster/replay/projection-generations.ts';
import type { Projection } from '../../../../../services/cluster/replay/replayed-projection.ts';
import { makeGenerationCalls } from '../../../../../services/operations/generations/generation-calls.ts';
import { replayGeneration } from '../../../../../services/operations/generations/replay-generation.ts';

const record = (offset: number): LogRecord => ({
  topic: 'turns',
  partition: 0,
  offset,
  value: new Uint8Array(),
  headers: {},
});

const FIRST: Registered = { last: 1, generations: [{ number: 1, version: '2', state: 'serving' }] };

const worldOf = (differences: number, registered = FIRST) => {
  const records = [0, 1, 2].map(record);
  const built = new Set<number>();
  const registry: GenerationRegistry = {
    read: async () => registered,
    change: async (_, change) => {
      const after = change(registered) ?? registered;
      // The last moment at which a projector may not know: its event is in no generation but the served one.
      if (after.generations.some(({ state }) => state === 'joined') && records.length === 3)
        records.push(record(3));
      registered = after;
      return registered;
    },
  };
  const projection: Projection<number, number> = {
    assertWhole: async () => {},
    projection: 'recall',
    version: '2',
    registry,
    topics: ['turns'],
    log: {
      read: async (_topic, _partition, offset, limit) => records.slice(offset, offset + limit),
      ends: async () => ({ 'turns/0': records.length }),
    },
    decode: async ({ offset }) => ({ kind: 'events', events: [{ offset } as Event] }),
    fold: ({ offset }) => [offset],
    committed: async () => ({ 'turns/0': records.length }),
    verify: async () => ({ rows: built.size, differences }),
    engine: {
      inFlight: 2,
      make: async () => {},
      requests: rows => [...rows],
      send: async (_, offset) => {
        built.add(offset);
        return 0;
      },
      finish: async () => {},
      serve: async () => {},
      remove: async () => {},
      bytes: async () => 0,
      positions: async () => ({}),
      mark: async () => {},
    },
  };
  const generations = makeProjectionGenerations(projection);
  return {
    built,
    states: () => registered.generations.map(({ number, state }) => `${number} ${state}`),
    reason: () => registered.generations.at(-1)?.reason,
    generations,
    replay: async () => {
      const options = { throttle: undefined };
      for await (const _ of replayGeneration(generations, options, new AbortController().signal));
    },
  };
};

it('has what was appended, and acknowledged by a projector, until the generation was seen to be joined', async () => {
  const { built, states, replay } = worldOf(0);
  await replay();
  expect([...built].sort()).toEqual([0, 1, 2, 3]);
  expect(states()).toEqual(['1 standby', '2 serving']);
});

it('drops a generation that differs from the log, and the next replay begins another', async () => {
  const { states, reason, generations, replay } = worldOf(3);
  await expect(replay()).rejects.toMatchObject({ code: 'conflict' });
  expect(states()).toEqual(['1 serving', '2 dropped']);
  expect(reason()).toBe('it differs from the log in 3 of 4 rows');
  expect(await generations.plan(new AbortController().signal)).toMatchObject({
    generation: { number: 3 },
    resumed: false,
  });
});

it('adds what a standby lacks since another version served, before it is rolled back to', async () => {
  const { built, states, generations } = worldOf(0, {
    last: 2,
    generations: [
      { number: 1, version: '2', state: 'standby', positions: { 'turns/0': 2 } },
      { number: 2, version: '3', state: 'serving' },
    ],
  });
  const repair = async function* () {};
  const kept = { generations };
  const calls = makeGenerationCalls({
    recall: kept,
    usage: kept,
    audit: kept,
    activity: kept,
    accounts: repair,
    admission: repair,
  });
  const messages: object[] = [];
  for await (const message of calls.rollback!({ projection: 'recall' }, new AbortController().signal))
    messages.push(message);
  expect(messages[0]).toMatchObject({ kind: 'plan', resumed: true, events: 1, generation: { number: 1 } });
  expect(messages.at(-2)).toMatchObject({ kind: 'verified' });
  expect(messages.at(-1)).toEqual({ kind: 'rolled back', projection: 'recall', serving: 1, standby: 2 });
  expect([...built].sort()).toEqual([2, 3]);
  expect(states()).toEqual(['1 serving', '2 standby']);
});
