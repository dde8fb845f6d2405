import { expect, it } from 'vitest';
import type { Event } from '../../../../../core/log/events.ts';
import type { LogRecord, Positions } from '../../../../../core/ports.ts';
import { fill } from '../../../../../services/cluster/replay/fill.ts';

it('reads as many events a second as the throttle says, of however many records, and counts records', async () => {
  const records = Array.from(
    { length: 40 },
    (_, offset): LogRecord => ({
      topic: 'turns',
      partition: 0,
      offset,
      value: new Uint8Array(),
      headers: {},
    }),
  );
  const positions: Positions = {};
  const filling = { generation: 2, positions, throttle: 1_000, signal: new AbortController().signal };
  const read: number[] = [];
  const started = performance.now();
  for await (const count of fill<number, number>(
    {
      log: { read: async (_topic, _partition, from, limit) => records.slice(from, from + limit) },
      decode: async ({ offset }) => ({
        kind: 'events',
        events: Array.from({ length: 10 }, (_, index) => ({ offset, index }) as Event),
      }),
      fold: ({ offset }) => [offset],
      engine: { inFlight: 2, requests: rows => [...rows], send: async () => 0 },
      topics: ['turns'],
    },
    filling,
    { 'turns/0': records.length },
  ))
    read.push(count);
  expect(performance.now() - started).toBeGreaterThan(390);
  expect(read.at(-1)).toBe(40);
  expect(positions).toEqual({ 'turns/0': 40 });
});
