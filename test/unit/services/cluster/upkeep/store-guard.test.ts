import { afterEach, describe, expect, it } from 'vitest';
import type { Positions } from '../../../../../core/ports.ts';
import type { HeldPorts } from '../../../../../services/cluster/held-positions.ts';
import { guardStores, type StoreGuard } from '../../../../../services/cluster/upkeep/store-guard.ts';
import { until } from '../../../../support/wait.ts';

const QUICK = { everyMs: 5, againMs: 1 };

describe('the guard of the stores', () => {
  const guards: StoreGuard[] = [];
  afterEach(async () => {
    for (const guard of guards.splice(0)) await guard.close();
  });

  /** Stores that say what they hold, and projectors that have acknowledged so much. */
  const start = (held: { recall: Positions; usage: Positions }, acknowledged: () => Positions) => {
    const said: string[] = [];
    const rewound: Positions[] = [];
    let checks = 0;
    const storeOf = (name: 'recall' | 'usage') => ({
      engine: { positions: async () => ({ ...held[name] }), mark: async () => {} },
    });
    const none = { engine: { positions: async () => ({}), mark: async () => {} } };
    const ahead = { 'turns/0': 99, 'observations/0': 99, 'usage/0': 99 };
    const whole = { engine: { positions: async () => ahead, mark: async () => {} } };
    const note = (fields: unknown, text?: string): void => void said.push(text ?? String(fields));
    const guard = guardStores(
      {
        registry: {
          read: async () => ({
            generations: [{ number: 1, version: '1', state: 'serving' }],
            last: 1,
          }),
        } as unknown as HeldPorts['registry'],
        generational: { recall: storeOf('recall'), usage: storeOf('usage'), audit: none, activity: whole },
        committed: async () => {
          checks++;
          return { ...acknowledged() };
        },
        logger: { error: note, info: note } as never,
      },
      QUICK,
    );
    guard.onLacking(positions => void rewound.push(positions));
    guards.push(guard);
    const checked = (): Promise<void> => {
      const seen = checks;
      return until('it is checked', () => checks > seen + 2);
    };
    return { guard, said, rewound, checked };
  };

  it('is content with stores that hold what was acknowledged, or more', async () => {
    const held = { recall: { 'turns/0': 5 }, usage: { 'turns/0': 4, 'usage/0': 2 } };
    const { guard, said, rewound, checked } = start(held, () => ({
      'turns/0': 4,
      'usage/0': 2,
      'observations/0': 0,
    }));
    await checked();
    expect(await guard.probe()).toBe('hold what was acknowledged');
    expect([said, rewound]).toEqual([[], []]);
  });

  it('names a store that went back, until the projectors are where they were', async () => {
    const held = { recall: { 'turns/0': 9, 'observations/0': 3 }, usage: { 'turns/0': 9, 'usage/0': 1 } };
    let acknowledged: Positions = { 'turns/0': 9, 'observations/0': 3, 'usage/0': 1 };
    const { guard, said, rewound, checked } = start(held, () => acknowledged);
    await checked();
    held.recall = { 'turns/0': 4, 'observations/0': 3 };
    await until('it is named', () => said.length > 0);
    await expect(guard.probe()).rejects.toThrow('recall lacks 5 events that it held');
    expect(rewound[0]).toEqual({ 'turns/0': 4 });
    expect(await guard.gauge.read()).toEqual([
      { labels: { projection: 'recall' }, value: 5 },
      { labels: { projection: 'usage' }, value: 0 },
      { labels: { projection: 'audit' }, value: 0 },
      { labels: { projection: 'activity' }, value: 0 },
    ]);

    // The group went back, and comes forward again: the store is not whole before it is where it was.
    acknowledged = { ...acknowledged, 'turns/0': 6 };
    held.recall['turns/0'] = 6;
    await checked();
    await expect(guard.probe()).rejects.toThrow('recall lacks 3 events that it held');
    acknowledged['turns/0'] = 9;
    held.recall['turns/0'] = 9;
    await until('it is whole', async () => (await guard.probe().catch(() => '')) !== '');
    expect(said).toEqual([
      'a store lacks events that it held: they are projected again',
      'the store holds again what it held',
    ]);
  });

  it('takes a partition that a marked store does not name for one that it lacks', async () => {
    const { guard, rewound, checked } = start({ recall: {}, usage: { 'turns/0': 7 } }, () => ({
      'turns/0': 7,
    }));
    await checked();
    await expect(guard.probe()).rejects.toThrow('recall lacks 7 events');
    expect(rewound[0]).toEqual({ 'turns/0': 0 });
  });
});
