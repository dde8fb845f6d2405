import { expect, it } from 'vitest';
import { type HeldPorts, markServing } from '../../../../services/cluster/held-positions.ts';
import type { Registered } from '../../../../services/core/generations.ts';
import type { Positions } from '../../../../services/core/ports.ts';

/** Stores with one generation, marked or of an earlier release. */
const world = (isMarked: boolean) => {
  const registered = new Map<string, Registered>();
  const marks: [string, number, Positions][] = [];
  const storeOf = (name: string) => ({
    engine: {
      positions: async () => ({}),
      mark: async (number: number, positions: Positions) => void marks.push([name, number, positions]),
    },
  });
  for (const name of ['recall', 'usage'])
    registered.set(name, {
      generations: [
        { number: 1, version: '1', state: 'standby' },
        { number: 2, version: '1', state: 'serving', ...(isMarked && { isMarked }) },
      ],
      last: 2,
    });
  const ports: HeldPorts = {
    registry: {
      read: async name => registered.get(name),
      change: async (name, change) => {
        registered.set(name, change(registered.get(name)!)!);
        return registered.get(name)!;
      },
    },
    generational: { recall: storeOf('recall'), usage: storeOf('usage') },
    committed: async () => ({ 'turns/0': 7, 'usage/0': 3, 'accounts/0': 9 }),
  };
  return {
    ports,
    marks,
    flags: () => [...registered.values()].map(one => one.generations.map(g => g.isMarked)),
  };
};

it('marks what an earlier release filled with what is acknowledged, in the topics of each', async () => {
  const { ports, marks, flags } = world(false);
  await markServing(ports);
  await markServing(ports);
  expect(marks).toEqual([
    ['recall', 2, { 'turns/0': 7 }],
    ['usage', 2, { 'turns/0': 7, 'usage/0': 3 }],
  ]);
  expect(flags()).toEqual([
    [undefined, true],
    [undefined, true],
  ]);
});

it('never marks a store that says itself how far it is: it may have been restored', async () => {
  const { ports, marks } = world(true);
  await markServing(ports);
  expect(marks).toEqual([]);
});
