import { beforeEach, expect, it } from 'vitest';
import type { UsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { billedBy, MONTH, makeUsageWorld, tokens } from '../support/worlds/cluster-usage-world.ts';

describeOnEngines('usage store: ClickHouse', () => {
  const { another, begin, rawRows, row, turn } = makeUsageWorld(clusterConfig());
  let gate: ReturnType<typeof begin>['gate'];
  let org: string;
  let store: UsageStore;
  beforeEach(() => {
    ({ gate, org, store } = begin());
  });

  it('sums the rows of one organization and period', async () => {
    await store.append([
      row(1, { day: '2026-02-28' }),
      row(2, { day: '2026-03-01' }),
      row(3, { day: '2026-03-31' }),
      row(4, { day: '2026-04-01' }),
      row(5, { org: `${org}-other` }),
    ]);
    expect(await billedBy(store, org, ...MONTH)).toEqual({ tokensIn: 5, tokensOut: 50 });
    expect(await billedBy(store, org, '2026-03-31', '2026-04-01')).toEqual({ tokensIn: 7, tokensOut: 70 });
    expect(await billedBy(store, `${org}-none`, ...MONTH)).toEqual({ tokensIn: 0, tokensOut: 0 });
    expect(await billedBy(store, "' OR 1 = 1 --", ...MONTH)).toEqual({ tokensIn: 0, tokensOut: 0 });
  });

  it('tells each day by itself, of rollups and of rows alike', async () => {
    const rolled = row(1, { day: '2026-03-17' });
    const late = row(2, { day: '2026-03-17' });
    const first = row(3, { day: '2026-03-18' });
    const today = [row(4, { day: '2026-03-20' }), turn(5, { day: '2026-03-20' })];
    await store.append([rolled, first, row(6, { day: '2026-04-01' }), row(7, { org: `${org}-other` })]);
    await store.rollUpDue();
    await store.append([late, ...today]);
    expect(await store.daily(org, ...MONTH)).toEqual(
      new Map([
        ['2026-03-17', tokens([rolled, late])],
        ['2026-03-18', tokens([first])],
        ['2026-03-20', tokens(today)],
      ]),
    );
    expect(await store.daily(org, '2026-03-19', '2026-03-19')).toEqual(new Map());
  });

  it('looks up as many turns as a batch has', async () => {
    const many = Array.from({ length: 1_500 }, (_, n) =>
      turn(n, { eventId: `trn_${n.toString(16).padStart(32, '0')}` }),
    );
    await store.append(many);
    await store.append(many.map(one => ({ ...one, day: '2026-03-11', offset: one.offset + 5_000 })));
    expect(await rawRows()).toBe(1_500);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens(many));
    const asked = many.map(({ eventId }) => eventId);
    expect(await store.has(org, [...asked, 'trn_x'], { 'turns/0': 1_000 })).toEqual(
      new Set(asked.slice(0, 1_000)),
    );
  });

  it('tells totals and events below positions', async () => {
    const days = { from: '2027-01-01', to: '2027-01-03' };
    const rows = [
      turn(1, { day: '2027-01-01' }),
      turn(2, { day: '2027-01-01', partition: 1, offset: 7 }),
      row(3, { day: '2027-01-02', offset: 3 }),
      row(3, { day: '2027-01-02', offset: 9, tokensIn: 500 }),
      row(4, { day: '2027-01-02', offset: 4, org: `${org}-b` }),
      row(5, { day: '2027-01-04', offset: 2 }),
    ];
    for (const one of rows) await store.append([one]);
    const all = { 'turns/0': 2, 'turns/1': 8, 'usage/0': 10 };
    expect(await store.totals(days, all)).toEqual([
      { org, day: '2027-01-01', tokensIn: 3, tokensOut: 0 },
      { org, day: '2027-01-02', tokensIn: 3, tokensOut: 30 },
      { org: `${org}-b`, day: '2027-01-02', tokensIn: 4, tokensOut: 40 },
    ]);
    // Rows that a position has not passed don't count, nor do those of a partition without one.
    expect(await store.totals(days, { 'turns/0': 1, 'turns/1': 8, 'usage/0': 4 })).toEqual([
      { org, day: '2027-01-01', tokensIn: 2, tokensOut: 0 },
      { org, day: '2027-01-02', tokensIn: 3, tokensOut: 30 },
    ]);
    expect(await store.totals(days, { 'turns/0': 2 })).toEqual([
      { org, day: '2027-01-01', tokensIn: 1, tokensOut: 0 },
    ]);
    const ids = ['trn_1', 'trn_2', 'rcl_3', 'rcl_4', 'rcl_5', 'none'];
    expect(await store.has(org, ids, all)).toEqual(new Set(['trn_1', 'trn_2', 'rcl_3', 'rcl_5']));
    expect(await store.has(org, ids, { 'turns/1': 7, 'usage/0': 3 })).toEqual(new Set(['rcl_5']));
    expect(await store.has(org, [], all)).toEqual(new Set());
  });

  it('shares an insert among appends that come together', async () => {
    const gated = another({ clickhouseUrl: gate.url });
    const from = gate.seen.length;
    const rows = Array.from({ length: 60 }, (_, n) => row(n + 1));
    await Promise.all(rows.map(one => gated.append([one])));
    const inserts = gate.seen.slice(from).filter(text => text.includes('INSERT INTO usage_rows'));
    expect(inserts.length).toBeLessThanOrEqual(2);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens(rows));
  });

  it('says that it is out of reach, and is itself again afterwards', async () => {
    const gated = another({ clickhouseUrl: gate.url });
    const calls = (): Promise<unknown>[] => [
      gated.append([row(1)]),
      billedBy(gated, org, ...MONTH),
      gated.totals({ from: MONTH[0], to: MONTH[1] }, {}),
      gated.has(org, ['rcl_1'], {}),
      gated.rollUpDue(),
      gated.ping(),
    ];
    const noMemory = 'Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)';
    for (const body of ['<html>502 Bad Gateway</html>', noMemory]) {
      gate.judge(() => ({ status: 500, body }));
      for (const outcome of await Promise.allSettled(calls()))
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable', status: 503 } });
    }
    gate.judge(() => 'pass');
    await Promise.all(calls());
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens([row(1)]));
  });
});
