import { beforeEach, expect, it } from 'vitest';
import type { UsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import type { UsageRow } from '../../projections/usage/usage-projection.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { billedBy, MONTH, makeUsageWorld, tokens, usageRow } from '../support/worlds/cluster-usage-world.ts';

describeOnEngines('usage store: what comes again', () => {
  const { another, begin, rawRows, row, turn } = makeUsageWorld(clusterConfig());
  let org: string;
  let store: UsageStore;
  beforeEach(() => {
    ({ org, store } = begin());
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

  it('equals the fold of the log, whatever is delivered again, late or at once', async () => {
    let seed = 4;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const day = (n: number): string => `2026-03-${String(10 + n).padStart(2, '0')}`;
    const orgs = [org, `${org}-b`, `${org}-c`];
    /** The log: partitions of events, one in four a copy of an earlier one, by another attempt. */
    const log = ['turns/0', 'turns/1', 'usage/0'].map(topicPartition => {
      const [topic, partition] = topicPartition.split('/') as [string, string];
      const events: UsageRow[] = [];
      for (let offset = 0; offset < 100; offset += 1) {
        const address = { topic, partition: Number(partition), offset };
        const earlier = events[random(events.length)];
        if (earlier && random(4) === 0) {
          const again = { ...earlier, ...address, tokensIn: random(1_000) };
          events.push(topic === 'turns' ? { ...again, day: day(random(6)) } : again);
        } else {
          const event = { eventId: `${address.topic}_${partition}_${offset}`, org: orgs[random(3)]! };
          const [tokensIn, tokensOut] = [random(1_000), random(100)];
          events.push({ ...usageRow(0, event), ...address, day: day(random(6)), tokensIn, tokensOut });
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
