import { describe, expect, it } from 'vitest';
import { simulateGrowth } from '../../../../tools/sizing/growth.ts';
import { LIMITS, MEASURED } from '../../../../tools/sizing/measured.ts';
import { type Load, type Machines, sizeOf } from '../../../../tools/sizing/sizing.ts';

/** Round figures, so that each sum can be made by hand. */
const UNIT = {
  ...MEASURED,
  logBytes: 400,
  characters: 100,
  documents: 5,
  indexBytes: 1_000,
  usageBytes: 100,
  claimBytes: 100,
  organizationBytes: 300,
  sessionBytes: 1_000,
  apiMicros: 200,
  redisMicros: 300,
  projectorMicros: 300,
  enricherMicros: 600,
  recallApiMillis: 20,
  replayDocuments: 5_000,
};
const LOAD: Load = {
  turns: 1e9,
  organizations: 1e6,
  turnsADay: 86_400_000,
  recallsADay: 8_640_000,
  turnsAWrite: 10,
  sessionsAnHour: 1e5,
  characters: 100,
  peak: 3,
};
const MACHINES: Machines = { replication: 3, replicas: 1, diskBytes: 1e12 };
const size = (load: Partial<Load> = {}, machines: Partial<Machines> = {}) =>
  sizeOf({ ...LOAD, ...load }, { ...MACHINES, ...machines }, UNIT);

describe('the size of an installation', () => {
  it('adds up what each engine holds', () => {
    expect(size()).toMatchObject({
      logBytes: 4e11,
      indexBytes: 1e12,
      usageBytes: 1e11,
      documents: 5e9,
      // Nine days of claims, a million organizations, sessions.
      redisBytes: 86_400_000 * 9 * 100 + 3e8 + 1e8,
    });
  });

  it('counts nodes by their disks, with room for merges and copies', () => {
    // 400 GB three times, and as much again free: 2.4 TB; 1 TB twice, and as much again: 4 TB.
    expect(size()).toMatchObject({ brokers: 3, indexNodes: 4 });
    expect(size({}, { diskBytes: 2e11 })).toMatchObject({ brokers: 12, indexNodes: 20 });
    // No fewer than the copies.
    expect(size({ turns: 1 })).toMatchObject({ brokers: 3, indexNodes: 2 });
    expect(size({ turns: 1 }, { replication: 1, replicas: 0 })).toMatchObject({ brokers: 1, indexNodes: 1 });
  });

  it('keeps shards within what Lucene and Elastic allow, whichever comes first', () => {
    expect(size().shards).toBe(Math.ceil(1e12 / LIMITS.shardBytes));
    const many = sizeOf({ ...LOAD }, MACHINES, { ...UNIT, indexBytes: 1, documents: 50 });
    expect(many.shards).toBe(Math.ceil(5e10 / LIMITS.shardDocuments));
  });

  it('counts processes by the busiest second, three fifths of a processor each', () => {
    // 3,000 turns and 300 recalls a second.
    expect(size()).toMatchObject({
      projectors: Math.ceil((3_000 * 300) / 1e6 / 0.6),
      enrichers: Math.ceil((3_000 * 600) / 1e6 / 0.6),
      apis: Math.ceil((3_000 * 200 + 300 * 20_000) / 1e6 / 0.6),
      redisServers: 1,
    });
    // 300,000 writes a second: 90 processors of Redis.
    expect(size({ turnsADay: 86_400_000_000 }).redisServers).toBe(150);
  });

  it('costs more with longer turns', () => {
    expect(size({ characters: 200 })).toMatchObject({ logBytes: 8e11, indexBytes: 2e12, projectors: 3 });
  });

  it('has a partition a projector, twelve at least, and says what is beyond all of them', () => {
    expect(size().partitions).toBe(12);
    const huge = size({ turnsADay: 86_400_000 * 400 });
    expect(huge.partitions).toBe(huge.projectors);
    expect(huge.impossible).toEqual([]);
    expect(size({ turnsADay: 86_400_000 * 1_000 }).impossible).toEqual([
      'more than 1000 partitions: split it into several installations',
    ]);
    expect(size({ turns: 1e13, turnsAWrite: 1 }).impossible.join()).toMatch(/2\^38 records/);
  });

  it('builds a generation in one process', () => {
    expect(size().replayHours).toBeCloseTo(5e9 / 5_000 / 3_600);
  });
});

describe('growth', () => {
  const grown = (growth: { months?: number; factor?: number; load?: Partial<Load> } = {}) =>
    simulateGrowth({
      load: { ...LOAD, ...growth.load },
      machines: MACHINES,
      months: growth.months ?? 12,
      factor: growth.factor ?? 1.2,
    });

  it('ends with what was asked for, and each month has its factor of the month before', () => {
    const months = grown();
    expect(months).toHaveLength(12);
    expect(months.at(-1)!.turns).toBeCloseTo(1e9, -1);
    expect(months.at(-1)!.organizations).toBeCloseTo(1e6, -1);
    for (const [at, { turnsADay }] of months.entries())
      if (at > 0) expect(turnsADay / months[at - 1]!.turnsADay).toBeCloseTo(1.2);
  });

  it('names what is added, and once only', () => {
    const months = grown();
    expect(months[0]!.steps.join()).toMatch(/3 brokers.*shards.*partitions, for all of its life/);
    const added = (pattern: RegExp): number =>
      months
        .flatMap(({ steps }) => steps)
        .reduce((sum, step) => sum + Number(pattern.exec(step)?.[1] ?? 0), 0);
    const { sizing } = months.at(-1)!;
    expect(added(/^\+?(\d+) nodes? of Elasticsearch$/)).toBe(sizing.indexNodes);
    expect(added(/^\+?(\d+) API process/)).toBe(sizing.apis);
  });

  it('never has more in a shard than it may, and builds no generation without need', () => {
    const months = grown({ months: 36 });
    for (const { sizing, turns } of months)
      expect((turns * MEASURED.indexBytes * 100) / MEASURED.characters / sizing.shards).toBeLessThan(
        LIMITS.shardBytes,
      );
    const built = months.flatMap(({ steps }) => steps).filter(step => step.includes('new generation'));
    expect(built.length).toBeGreaterThan(1);
    expect(built.length).toBeLessThan(8);
  });

  it('adds nothing to what doesn’t grow', () => {
    expect(
      grown({ load: { turns: 1_000, recallsADay: 0 } })
        .slice(1)
        .flatMap(({ steps }) => steps),
    ).toEqual([]);
  });
});
