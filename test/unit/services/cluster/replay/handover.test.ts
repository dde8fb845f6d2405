import { expect, it } from 'vitest';
import type { Registry } from '../../../../../infra/cluster/elasticsearch/registry.ts';
import type { Registered } from '../../../../../infra/cluster/generations/generations.ts';
import { type Replayed, replayGeneration } from '../../../../../services/cluster/replay/replay-generation.ts';
import type { Event } from '../../../../../services/core/log/events.ts';
import type { LogRecord } from '../../../../../services/core/ports.ts';

const record = (offset: number): LogRecord => ({
  topic: 'turns',
  partition: 0,
  offset,
  value: new Uint8Array(),
  headers: {},
});

it('has what was appended, and acknowledged by a projector, until the generation was seen to be joined', async () => {
  const records = [0, 1, 2].map(record);
  const built = new Set<number>();
  let registered: Registered = { last: 1, generations: [{ number: 1, version: '2', state: 'serving' }] };
  const registry: Registry = {
    read: async () => registered,
    change: async (_, change) => {
      const after = change(registered) ?? registered;
      // The last moment at which a projector may not know: its event is in no generation but the one that is served.
      if (after.generations.some(({ state }) => state === 'joined') && records.length === 3)
        records.push(record(3));
      registered = after;
      return registered;
    },
  };
  const replayed: Replayed<number, number> = {
    projection: 'recall',
    version: '2',
    registry,
    topics: ['turns'],
    inFlight: 2,
    log: {
      read: async (_topic, _partition, offset, limit) => records.slice(offset, offset + limit),
      ends: async () => ({ 'turns/0': records.length }),
    },
    decode: async ({ offset }) => ({ kind: 'event', event: { offset } as Event }),
    fold: ({ offset }) => [offset],
    committed: async () => ({ 'turns/0': records.length }),
    verify: async () => ({ rows: built.size, differences: 0 }),
    engine: {
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
    },
  };
  for await (const _ of replayGeneration(replayed, {}, new AbortController().signal));
  expect([...built].sort()).toEqual([0, 1, 2, 3]);
  expect(registered.generations.map(({ number, state }) => `${number} ${state}`)).toEqual([
    '1 standby',
    '2 serving',
  ]);
});
