import { createClient } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { migrateUsage } from '../../infra/cluster/clickhouse/tables.ts';
import { openUsageStore, type UsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import type { UsageRow } from '../../projections/usage/projection.ts';
import type { Tokens } from '../../services/core/ports.ts';
import { FIRST_ALONE } from '../support/cluster-generations.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { openGate } from '../support/gate.ts';

const NOW = Date.parse('2026-03-20T12:00:00Z');
const MONTH = ['2026-03-01', '2026-03-31'] as const;

let made = 0;
const billedBy = async (
  store: Pick<UsageStore, 'daily'>,
  ...asked: [string, string, string]
): Promise<Tokens> => tokens([...(await store.daily(...asked)).values()]);

/** An organization of each test's own. */
let org = '';

/** The n-th event of its partition, which bills n tokens each way: a recall, or with a `topic` of turns a turn. */
const row = (n: number, changes: Partial<UsageRow> = {}): UsageRow => ({
  eventId: `rcl_${n}`,
  org,
  day: '2026-03-10',
  tokensIn: n,
  tokensOut: 10 * n,
  topic: 'usage',
  partition: 0,
  offset: n,
  ...changes,
});
const turn = (n: number, changes: Partial<UsageRow> = {}): UsageRow =>
  row(n, { eventId: `trn_${n}`, topic: 'turns', tokensOut: 0, ...changes });

const tokens = (rows: readonly Tokens[]): Tokens => ({
  tokensIn: rows.reduce((sum, { tokensIn }) => sum + tokensIn, 0),
  tokensOut: rows.reduce((sum, { tokensOut }) => sum + tokensOut, 0),
});

describeOnEngines('usage store: ClickHouse', () => {
  const config = clusterConfig();
  const client = createClient({ url: config.clickhouseUrl, database: config.namespace });
  const command = (query: string): Promise<unknown> => client.command({ query });
  const numberOf = async (query: string): Promise<number> => {
    const result = await client.query({ query, query_params: { org }, format: 'JSONEachRow' });
    return Number(Object.values((await result.json<Record<string, number>>())[0]!)[0]);
  };
  /** Makes the organization's rollups tell from sums of rows: a thousand more of each. */
  const tamper = (): Promise<unknown> =>
    command(`INSERT INTO usage_days (org, day, tokens_in, tokens_out, marks)
      SELECT org, day, tokens_in + 1000, tokens_out, marks FROM usage_days FINAL WHERE org = '${org}'`);
  const rawRows = (): Promise<number> => numberOf('SELECT count() FROM usage_rows WHERE org = {org:String}');

  let now = NOW;
  const stores: UsageStore[] = [];
  const another = (changes: Partial<typeof config> = {}): UsageStore => {
    const opened = openUsageStore({
      config: { ...config, ...changes },
      clock: () => now,
      generations: FIRST_ALONE,
      paceMs: 1,
    });
    stores.push(opened);
    return opened;
  };
  let store: UsageStore;
  let gate: Awaited<ReturnType<typeof openGate>>;

  beforeAll(async () => {
    await migrateUsage(config);
    // Exactness rests on no merge.
    for (const table of ['usage_rows', 'usage_marks', 'usage_days'])
      await command(`SYSTEM STOP MERGES ${table}`);
    gate = await openGate(config.clickhouseUrl);
  });
  beforeEach(() => {
    now = NOW;
    made += 1;
    org = `org-${made}`;
    store = another();
    gate.judge(() => 'pass');
  });
  afterEach(async () => {
    for (const opened of stores.splice(0)) await opened.close();
  });
  afterAll(async () => {
    await gate.close();
    await command(`DROP DATABASE IF EXISTS \`${config.namespace}\``);
    await client.close();
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

  it('counts rows once that come again, from this projector or another', async () => {
    const rows = [...[1, 2, 3].map(n => row(n)), ...[1, 2, 3].map(n => turn(n))];
    await store.append(rows);
    await store.append(rows);
    await another().append(rows.toReversed());
    // The table does hold copies, and no merge takes them away.
    expect(await rawRows()).toBeGreaterThan(rows.length);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens(rows));
  });

  it('counts rows once that two projectors insert at the same time', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => (n % 2 ? row(n) : turn(n)));
    const both = [store, another(), another()];
    await Promise.all(both.map(one => one.append(rows)));
    expect(await rawRows()).toBeGreaterThan(rows.length);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens(rows));
  });

  it('counts the copy of an event that is first in the log', async () => {
    const copies = (eventId: string): UsageRow[] => [
      row(5, { eventId, tokensIn: 100 }),
      row(9, { eventId, tokensIn: 1_000 }),
      row(7, { eventId, tokensIn: 10_000 }),
    ];
    await store.append(copies('in one batch'));
    for (const copy of copies('one by one')) await store.append([copy]);
    for (const copy of copies('backwards').reverse()) await store.append([copy]);
    expect(await rawRows()).toBe(7);
    expect((await billedBy(store, org, ...MONTH)).tokensIn).toBe(300);
  });

  it('counts a turn on the day of its first copy alone', async () => {
    const first = turn(1, { day: '2026-03-09', offset: 4 });
    const second = turn(1, { day: '2026-03-10', offset: 8 });
    const earlier = turn(1, { day: '2026-03-08', offset: 12, partition: 0 });
    await store.append([first]);
    await store.append([second, earlier]);
    // A projector that knows nothing of it, and gets both.
    await another().append([second, first, earlier]);
    await another().append([second]);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens([first]));
    expect(await billedBy(store, org, '2026-03-10', '2026-03-31')).toEqual(tokens([]));
    expect(await billedBy(store, org, '2026-03-01', '2026-03-08')).toEqual(tokens([]));
    // The same id of another organization is another event.
    await store.append([{ ...second, org: `${org}-other` }]);
    expect(await billedBy(store, `${org}-other`, ...MONTH)).toEqual(tokens([second]));
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
    // What a position has not passed doesn't count: nor does a partition that has none.
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

  it('rolls up closed days, once', async () => {
    const rows = [
      row(1, { day: '2026-03-17' }),
      turn(2, { day: '2026-03-18' }),
      row(3, { day: '2026-03-19' }),
    ];
    await store.append(rows);
    await store.append(rows);
    // The 19th ended twelve hours ago.
    await store.rollUpDue();
    expect(await numberOf('SELECT count() FROM usage_days WHERE org = {org:String}')).toBe(2);
    expect(await store.rollUpDue()).toBe(0);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens(rows));
    // A closed day is read from its rollup, the others from their rows.
    await tamper();
    expect(await billedBy(store, org, ...MONTH)).toEqual({ tokensIn: 2_006, tokensOut: 40 });
    now += 86_400_000;
    expect(await store.rollUpDue()).toBe(1);
  });

  it('opens a day again that a late row comes to', async () => {
    const [early, late] = [row(1), row(2)];
    await store.append([early, row(9, { day: '2026-03-11' })]);
    await store.rollUpDue();
    await store.append([late]);
    expect(await billedBy(store, org, '2026-03-10', '2026-03-10')).toEqual(tokens([early, late]));
    expect(await store.rollUpDue()).toBe(1);
    expect(await billedBy(store, org, '2026-03-10', '2026-03-10')).toEqual(tokens([early, late]));
    await tamper();
    expect(await billedBy(store, org, '2026-03-10', '2026-03-10')).toMatchObject({ tokensIn: 1_003 });
  });

  it('rolls up a day whose rows were all copies', async () => {
    await store.append([turn(1, { day: '2026-03-09' })]);
    await store.append([turn(1, { day: '2026-03-10', offset: 5 })]);
    expect(await store.rollUpDue()).toBe(2);
    expect(await store.rollUpDue()).toBe(0);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens([turn(1)]));
  });

  it('never reads a rollup that missed a row', async () => {
    const gated = another({ clickhouseUrl: gate.url });
    await store.append([row(1)]);
    const read = Promise.withResolvers<void>();
    const writeOn = Promise.withResolvers<void>();
    gate.judge(text => {
      if (!/FROM usage_serving WHERE \(org, day\) IN/.test(text)) return 'pass';
      // Its rows are read; it hears of them when a late row is acknowledged.
      setTimeout(read.resolve, 200);
      return { answerAfter: writeOn.promise };
    });
    const rolling = gated.rollUpDue();
    await read.promise;
    await store.append([row(2)]);
    writeOn.resolve();
    await rolling;
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens([row(1), row(2)]));
    // A whole rollup made meanwhile isn't put out by one that is behind.
    await store.rollUpDue();
    await command(
      `INSERT INTO usage_days SELECT org, day, 1, 1, 1, now() FROM usage_days WHERE org = '${org}'`,
    );
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens([row(1), row(2)]));
  });

  it('is right again after a projector died between its rows and their mark', async () => {
    const gated = another({ clickhouseUrl: gate.url });
    await store.append([turn(1)]);
    gate.judge(text => (text.includes('INSERT INTO usage_marks') ? { status: 503, body: 'no' } : 'pass'));
    await store.rollUpDue();
    await expect(gated.append([turn(2)])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rawRows()).toBe(2);
    // Its step is repeated by another. The row is written again: another generation may not have got it.
    await store.append([turn(2)]);
    expect(await rawRows()).toBe(3);
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens([turn(1), turn(2)]));
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

  it('neither reads nor rolls up what is beyond the retention', async () => {
    const limited = another({ usageRetentionDays: 7 });
    const rows = [
      row(1, { day: '2026-03-12' }),
      row(2, { day: '2026-03-13' }),
      row(3, { day: '2026-03-14' }),
    ];
    await limited.append(rows);
    expect(await billedBy(limited, org, ...MONTH)).toEqual(tokens(rows.slice(1)));
    expect(await billedBy(store, org, ...MONTH)).toEqual(tokens(rows));
    await limited.rollUpDue();
    expect(await numberOf('SELECT count() FROM usage_days WHERE org = {org:String}')).toBe(2);
    expect(await billedBy(limited, org, ...MONTH)).toEqual(tokens(rows.slice(1)));
  });

  it('equals the fold of the log, whatever is delivered again, late or at once', async () => {
    let seed = 4;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const day = (n: number): string => `2026-03-${String(10 + n).padStart(2, '0')}`;
    const orgs = [org, `${org}-b`, `${org}-c`];
    /** The log: partitions of events, one in four a copy of an earlier one, by another attempt. */
    const log = ['turns/0', 'turns/1', 'usage/0'].map(place => {
      const [topic, partition] = place.split('/') as [string, string];
      const events: UsageRow[] = [];
      for (let offset = 0; offset < 100; offset += 1) {
        const place = { topic, partition: Number(partition), offset };
        const earlier = events[random(events.length)];
        if (earlier && random(4) === 0) {
          const again = { ...earlier, ...place, tokensIn: random(1_000) };
          events.push(topic === 'turns' ? { ...again, day: day(random(6)) } : again);
        } else {
          const event = { eventId: `${place.topic}_${partition}_${offset}`, org: orgs[random(3)]! };
          const [tokensIn, tokensOut] = [random(1_000), random(100)];
          events.push({ ...event, ...place, day: day(random(6)), tokensIn, tokensOut });
        }
      }
      return events;
    });
    const projectors = [store, another(), another()];
    /** Projects a partition by one or two projectors, in steps, now and then from a little earlier. */
    const project = async (events: UsageRow[]): Promise<void> => {
      for (let at = 0; at < events.length; ) {
        const step = events.slice(Math.max(0, at - random(2) * random(40)), at + 1 + random(30));
        const [one, two] = [projectors[random(3)]!, projectors[random(3)]!];
        await Promise.all(random(3) === 0 ? [one.append(step), two.append(step)] : [one.append(step)]);
        if (random(8) === 0) await one.rollUpDue();
        at = step.at(-1)!.offset + 1;
      }
    };
    await Promise.all(log.map(project));

    const first = new Map<string, UsageRow>();
    for (const event of log.flat()) {
      const id = event.org + event.eventId;
      if (!first.has(id)) first.set(id, event);
    }
    for (let round = 0; round < 2; round += 1) {
      for (const one of orgs) {
        for (let from = 0; from < 6; from += 1) {
          for (let to = from; to < 6; to += 2) {
            const counted = [...first.values()].filter(
              event => event.org === one && event.day >= day(from) && event.day <= day(to),
            );
            expect(await billedBy(store, one, day(from), day(to))).toEqual(tokens(counted));
          }
        }
      }
      expect(await store.rollUpDue()).toBeLessThan(round === 0 ? 19 : 1);
    }
  });
});

describeOnEngines('usage tables', () => {
  const config = clusterConfig();
  const client = createClient({ url: config.clickhouseUrl });
  const expiries = async (): Promise<string[]> => {
    const query = `SELECT engine_full FROM system.tables
      WHERE database = {name:String} AND engine <> 'View' ORDER BY name`;
    const result = await client.query({ query, query_params: { name: config.namespace } });
    const { data } = await result.json<{ engine_full: string }>();
    return data.map(({ engine_full }) => /TTL (.*?) SETTINGS/.exec(engine_full)?.[1] ?? '');
  };
  afterAll(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS \`${config.namespace}\`` });
    await client.close();
  });

  it('are made once, and keep rows as long as they are told to', async () => {
    const [database, ...tables] = [`database ${config.namespace}`, 'usage_rows', 'usage_marks', 'usage_days'];
    expect(await migrateUsage(config)).toEqual([
      database,
      ...tables.map(name => `table ${name}`),
      'view usage_serving',
    ]);
    expect(await migrateUsage(config)).toEqual([]);
    expect(await expiries()).toEqual(['', '', '']);

    const limited = { ...config, usageRetentionDays: 90 };
    expect(await migrateUsage(limited)).toEqual(tables.map(name => `retention of ${name}: 90 days`));
    expect(await migrateUsage(limited)).toEqual([]);
    expect(await expiries()).toEqual(Array(3).fill('day + toIntervalDay(92)'));

    const store = openUsageStore({
      config: limited,
      clock: Date.now,
      generations: FIRST_ALONE,
      paceMs: 1,
    });
    const today = new Date().toISOString().slice(0, 10);
    org = 'acme';
    await store.append([row(1, { day: '2020-01-01' }), row(2, { day: today })]);
    await store.close();
    await client.command({ query: `OPTIMIZE TABLE \`${config.namespace}\`.usage_rows FINAL` });
    const left = await client.query({ query: `SELECT event_id FROM \`${config.namespace}\`.usage_rows` });
    expect((await left.json<{ event_id: string }>()).data).toEqual([{ event_id: 'rcl_2' }]);

    expect(await migrateUsage({ ...config, usageRetentionDays: 30 })).toHaveLength(3);
    expect(await migrateUsage(config)).toEqual(tables.map(name => `retention of ${name}: unlimited`));
    expect(await expiries()).toEqual(['', '', '']);
    await Promise.all([migrateUsage(limited), migrateUsage(limited)]);
    expect(await migrateUsage(limited)).toEqual([]);
  });

  it('are made with their retention, by two processes at once', async () => {
    const one = clusterConfig({ usageRetentionDays: 10 });
    await Promise.all([migrateUsage(one), migrateUsage(one)]);
    expect(await migrateUsage(one)).toEqual([]);
    await client.command({ query: `DROP DATABASE \`${one.namespace}\`` });
  });
});
