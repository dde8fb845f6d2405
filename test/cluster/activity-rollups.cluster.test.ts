import { createClient } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectActivityRows } from '../../infra/cluster/clickhouse/activity/activity-rows.ts';
import {
  type ActivityStore,
  openActivityStore,
} from '../../infra/cluster/clickhouse/activity/activity-store.ts';
import { migrateActivity } from '../../infra/cluster/clickhouse/activity/activity-tables.ts';
import { type ActivityRow, NO_BIN } from '../../projections/activity/activity-projection.ts';
import { FIRST_ALONE } from '../support/engines/cluster-generations.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';

/** Noon of the 20th: the 19th ended twelve hours ago. */
const NOW = Date.parse('2026-03-20T12:00:00Z');

describeOnEngines('activity store: rollups', () => {
  const config = clusterConfig();
  const client = createClient({ url: config.clickhouseUrl, database: config.namespace });
  let store: ActivityStore;
  let made = 0;
  let org = '';

  beforeAll(async () => {
    await migrateActivity(config);
    // Exactness rests on no merge.
    for (const table of ['activity_rows', 'activity_marks', 'activity_days'])
      await client.command({ query: `SYSTEM STOP MERGES ${table}` });
  });
  beforeEach(() => {
    org = `org-${++made}`;
    store = openActivityStore({ config, clock: () => NOW, generations: FIRST_ALONE });
  });
  afterEach(() => store.close());
  afterAll(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS \`${config.namespace}\`` });
    await client.close();
  });

  const turn = (n: number, changes: Partial<ActivityRow> = {}): ActivityRow => ({
    ...{ eventId: `trn_${n}`, org, day: '2026-03-17', owner: `user-${n % 2}`, session: `s${n % 3}` },
    ...{ turns: 1, facts: 0, recalls: 0, latency: NO_BIN, confidence: NO_BIN },
    ...{ topic: 'turns', partition: 0, offset: n + 10 },
    ...changes,
  });
  const recall = (n: number, changes: Partial<ActivityRow> = {}): ActivityRow =>
    turn(n, {
      eventId: `rcl_${n}`,
      owner: '',
      session: '',
      turns: 0,
      recalls: 1,
      latency: 1,
      confidence: 9,
      topic: 'usage',
      ...changes,
    });
  const days = async (owners?: string[]) =>
    (await store.days(org, owners, '2026-03-01', '2026-03-31')).sort((a, b) => (a.day < b.day ? -1 : 1));
  /** Makes rollups tell from sums of rows: a thousand turns more. */
  const tamper = () =>
    client.command({
      query: `INSERT INTO activity_days (org, owner, day, turns, users, sessions, facts, recalls, latency, confidence, marks)
        SELECT org, owner, day, turns + 1000, users, sessions, facts, recalls, latency, confidence, marks
        FROM activity_days FINAL WHERE org = '${org}'`,
    });

  it('rolls up closed days, once, of all and of each owner', async () => {
    const rows = [0, 1, 2, 3, 4].map(n => turn(n));
    await store.append([...rows, recall(5), turn(6, { day: '2026-03-19' })]);
    const before = { all: await days(), one: await days(['user-1']), none: await days(['nobody']) };
    expect(before.all).toMatchObject([
      { day: '2026-03-17', turns: 5, users: 2, sessions: 5, recalls: 1 },
      { day: '2026-03-19', turns: 1, users: 1, sessions: 1, recalls: 0 },
    ]);
    expect(await store.rollUpDue()).toBe(1);
    expect(await store.rollUpDue()).toBe(0);
    expect({ all: await days(), one: await days(['user-1']), none: await days(['nobody']) }).toEqual(before);
    await tamper();
    // A closed day is read from its rollup, the other from its rows.
    expect((await days()).map(({ turns }) => turns)).toEqual([1_005, 1]);
    expect((await days(['user-1'])).map(({ turns }) => turns)).toEqual([1_002]);
  });

  it('opens a day again that a late row comes to, and forgets an owner whose rows were copies', async () => {
    await store.append([turn(0), turn(1)]);
    await store.rollUpDue();
    await store.append([turn(7)]);
    expect((await days()).map(({ turns }) => turns)).toEqual([3]);
    expect(await store.rollUpDue()).toBe(1);
    expect((await days(['user-1'])).map(({ turns }) => turns)).toEqual([2]);
    // The first copy of turn 0 comes late, on another day.
    await store.append([turn(0, { day: '2026-03-16', offset: 1 })]);
    expect(await store.rollUpDue()).toBeGreaterThan(0);
    expect((await days()).map(({ turns }) => turns)).toEqual([3]);
  });

  it('is found out where a rollup is not the sum of its rows', async () => {
    await store.append([turn(0), turn(1)]);
    await store.rollUpDue();
    const rows = connectActivityRows(config, { generation: 1, isServing: true });
    const found = async () => (await (await rows.open({})).derived()).filter(one => one.org === org);
    expect(await found()).toEqual([]);
    await tamper();
    expect((await found()).map(({ id }) => id).sort()).toEqual(
      ['', 'user-0', 'user-1'].map(owner => JSON.stringify([org, owner, '2026-03-17'])).sort(),
    );
    await rows.close();
  });
});
