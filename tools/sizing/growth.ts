/** Simulates an installation that grows: what has to be added in which month, and what that costs. */
import { type Load, type Machines, type Sizing, sizeOf } from './sizing.ts';

const DAYS_OF_A_MONTH = 30.4;

export interface Growth {
  /** The load at the end. */
  load: Load;
  machines: Machines;
  months: number;
  /** How many times this month's turns the next month's are; 1: the same each month. */
  factor: number;
}

export interface Month {
  /** From 1. */
  month: number;
  turns: number;
  turnsADay: number;
  organizations: number;
  sizing: Sizing;
  /** For people, in the order in which they are done, while it serves. */
  steps: string[];
}

/** A part that grows by adding to it; nothing of it is moved by us. */
const ADDED: readonly [name: keyof Sizing, one: string, many: string][] = [
  ['brokers', 'broker', 'brokers'],
  ['indexNodes', 'node of Elasticsearch', 'nodes of Elasticsearch'],
  ['apis', 'API process', 'API processes'],
  ['projectors', 'projector', 'projectors'],
  ['enrichers', 'enricher', 'enrichers'],
];

/** Shards that are planned for: a new generation has room for this many times what there is. */
const SHARDS_AHEAD = 2;

/** Returns the stored turns and the turns a day of each month, the last of which ends with `turns`. */
export const storedByMonth = (
  turns: number,
  { months, factor }: Pick<Growth, 'months' | 'factor'>,
): { turns: number; turnsADay: number }[] => {
  const weights = Array.from({ length: months }, (_, month) => factor ** month);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map(weight => {
    const ofMonth = (turns * weight) / all;
    sum += ofMonth;
    return { turns: sum, turnsADay: ofMonth / DAYS_OF_A_MONTH };
  });
};

export const simulateGrowth = (growth: Growth): Month[] => {
  const { load, machines } = growth;
  const months = storedByMonth(load.turns, growth);
  // A topic's partitions can't be added later: an installation begins with those of its end.
  const last = months.at(-1)!;
  const { partitions } = sizeOf({ ...load, ...last }, machines);
  let shards = 0;
  let before: Sizing | undefined;
  return months.map(({ turns, turnsADay }, at) => {
    const organizations = (load.organizations * turns) / load.turns;
    const busy = turnsADay / last.turnsADay;
    const [recallsADay, sessionsAnHour] = [load.recallsADay * busy, load.sessionsAnHour * busy];
    const now = { ...load, turns, turnsADay, organizations, recallsADay, sessionsAnHour };
    const sizing = { ...sizeOf(now, machines), partitions };
    const steps: string[] = [];
    for (const [name, one, many] of ADDED) {
      const more = (sizing[name] as number) - ((before?.[name] as number | undefined) ?? 0);
      if (more > 0) steps.push(`${before ? '+' : ''}${more} ${more === 1 ? one : many}`);
    }
    if (sizing.shards > shards) {
      shards = sizing.shards * SHARDS_AHEAD;
      steps.push(
        before
          ? `a new generation with ${shards} shards, ${sizing.replayHours.toFixed(1)} h beside the old one`
          : `${shards} shards`,
      );
    }
    if (!before) steps.push(`${partitions} partitions, for all of its life`);
    if (sizing.redisServers > 1 && (before?.redisServers ?? 1) === 1)
      steps.push('a Redis Cluster: its data is rebuilt from the log, calls are 503 meanwhile');
    else if (sizing.redisServers > (before?.redisServers ?? 1)) steps.push('+1 server of the Redis Cluster');
    before = sizing;
    return { month: at + 1, turns, turnsADay, organizations, sizing: { ...sizing, shards }, steps };
  });
};
