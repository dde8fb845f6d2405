import { beforeEach, expect, it } from 'vitest';
import type { UsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { billedBy, MONTH, makeUsageWorld, tokens } from '../support/worlds/cluster-usage-world.ts';

describeOnEngines('usage store: rollups', () => {
  const { another, begin, command, numberOf, pass, rawRows, row, tamper, turn } = makeUsageWorld(
    clusterConfig(),
  );
  let gate: ReturnType<typeof begin>['gate'];
  let org: string;
  let store: UsageStore;
  beforeEach(() => {
    ({ gate, org, store } = begin());
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
    pass(86_400_000);
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
});
