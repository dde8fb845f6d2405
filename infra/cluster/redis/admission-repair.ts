import { unavailable } from '../../../services/core/errors.ts';
import type { Logged, Positions, Tokens } from '../../../services/core/ports.ts';
import type { Repaired } from './account-repair.ts';
import { dayNumber, loggedEvent, restoredJob } from './admission-records.ts';
import { runScript } from './admission-scripts.ts';
import type { RedisClient } from './client.ts';
import { keysOfOrganization } from './names.ts';
import type { DayTotal } from './rebuild.ts';

const MOST_ROUNDS = 10;

export interface RepairAdmissionOptions {
  /** The gate's connection. */
  redis: RedisClient;
  /** Of the last rebuild. */
  epoch: string;
  namespace: string;
  /** Unix milliseconds. */
  clock: () => number;
  organizations: readonly string[];
  /** UTC days whose counters are compared. */
  days: readonly string[];
  /** Next offsets that the projectors have not acknowledged, and the log's ends. */
  committed: () => Promise<Positions>;
  ends: () => Promise<Positions>;
  readLogged: (from: Positions, to: Positions) => AsyncIterable<readonly Logged[]>;
  /** Totals of these days, by the usage store's distinct rows below the positions. */
  totals: (below: Positions) => Promise<readonly DayTotal[]>;
  dryRun: boolean;
}

type Entry = [member: string, offset: string, claim: string, held: number];

interface Survey {
  /** Unix milliseconds on Redis' clock. */
  at: number;
  counters: Tokens[];
  /** By partition name: the next offset that the index has not settled, and the tail's entries. */
  partitions: Map<string, { settled: number; entries: Entry[] }>;
}

const ofAdmission = (positions: Positions): Positions =>
  Object.fromEntries(Object.entries(positions).filter(([name]) => /^(turns|usage)\//.test(name)));

/**
 * Compares counters, tails and jobs of each organization with the log and the usage store, under load. A survey reads
 * everything that Redis has at one moment; the log and the store are then read up to that moment; and one script changes
 * the counters by their error at the survey, so that whatever was billed since is kept. A recall's claim ends a fixed
 * time after it was billed, which shows on Redis' own clock whether the survey included it.
 */
export const repairAdmission = async (options: RepairAdmissionOptions): Promise<Repaired> => {
  const { redis, epoch, namespace, clock, organizations, days, dryRun } = options;
  const numbers = days.map(dayNumber);

  const run = async (
    name: Parameters<typeof runScript>[0],
    org: string,
    ask: object,
    values: readonly string[] = [],
  ): Promise<unknown[] | undefined> => {
    const call = { ...ask, epoch, now: clock() };
    const [kind, ...reply] = await runScript(name, redis, keysOfOrganization(namespace, org), call, values);
    // `stale`: no call for this organization since the last rebuild. The next call will begin it.
    return kind === 'ok' ? reply : undefined;
  };

  const survey = async (org: string, names: readonly string[]): Promise<Survey | undefined> => {
    const reply = await run('survey', org, { days: numbers, partitions: names });
    if (!reply) return undefined;
    const [at, counters, found] = reply as [
      string,
      [string | null, string | null][],
      [string, Entry[] | object][],
    ];
    return {
      at: Number(at),
      counters: counters.map(([tokensIn, tokensOut]) => ({
        tokensIn: Number(tokensIn ?? 0),
        tokensOut: Number(tokensOut ?? 0),
      })),
      partitions: new Map(
        found.map(([settled, entries], i) => [
          names[i]!,
          { settled: Number(settled), entries: Array.isArray(entries) ? (entries as Entry[]) : [] },
        ]),
      ),
    };
  };

  /** Undefined when a recall was billed in the same millisecond as the survey. */
  const repairOrganization = async (org: string): Promise<Repaired | undefined> => {
    const committed = ofAdmission(await options.committed());
    const seen = await survey(org, Object.keys(committed));
    if (!seen) return { checked: 0, replaced: 0, removed: 0 };
    const ends = ofAdmission(await options.ends());
    /** What lies below is settled, and in the usage store. */
    const below: Positions = {};
    for (const [name, { settled }] of seen.partitions) below[name] = Math.max(settled, committed[name] ?? 0);

    const logged: Logged[] = [];
    for await (const page of options.readLogged(below, ends))
      logged.push(...page.filter(event => event.org === org));
    const byAddress = new Map<string, Logged>(
      logged.map(event => [`${event.topic}/${event.partition}/${event.offset}`, event] as const),
    );

    const expected = days.map(() => ({ tokensIn: 0, tokensOut: 0 }));
    const bill = (day: number, { tokensIn, tokensOut }: Tokens): void => {
      const sum = expected[numbers.indexOf(day)];
      if (!sum) return;
      sum.tokensIn += tokensIn;
      sum.tokensOut += tokensOut;
    };
    for (const total of await options.totals(below)) if (total.org === org) bill(dayNumber(total.day), total);

    const foreign: { partition: string; member: string }[] = [];
    const held = new Set<string>();
    for (const [partition, { entries }] of seen.partitions) {
      for (const [member, offset, claim, isHeld] of entries) {
        const event = byAddress.get(`${partition}/${offset}`);
        const id = event?.job?.id ?? event?.id;
        // The log's ends were read after the survey: an entry that the log lacks was never appended.
        if (Number(offset) < below[partition]! || id !== member.split(' ').at(-1)) {
          foreign.push({ partition, member });
          continue;
        }
        if (isHeld === 1) held.add(member.split(' ').at(-1)!);
        const [state, , day, tokens] = claim.split(' ');
        if (state === 'K') bill(Number(day), { tokensIn: Number(tokens), tokensOut: 0 });
      }
    }
    const recalls = logged.filter(({ topic }) => topic === 'usage');
    if (recalls.length > 0) {
      const reply = await run('billedAt', org, { ids: recalls.map(({ id }) => id) });
      const at = (reply?.[0] as string[] | undefined)?.map(Number) ?? [];
      if (at.includes(seen.at)) return undefined;
      for (const [i, { day, tokens }] of recalls.entries())
        if (at[i]! > 0 && at[i]! < seen.at) bill(dayNumber(day), tokens);
    }

    const counters = numbers.flatMap((day, i) => {
      const off = {
        day,
        tokensIn: expected[i]!.tokensIn - seen.counters[i]!.tokensIn,
        tokensOut: expected[i]!.tokensOut - seen.counters[i]!.tokensOut,
      };
      return off.tokensIn === 0 && off.tokensOut === 0 ? [] : [off];
    });
    const missing = logged.flatMap(event => {
      const { turn, job } = event;
      if (turn && !held.has(turn.id)) return { entry: loggedEvent(event)!, value: JSON.stringify(turn) };
      if (job && !held.has(job.id))
        return { entry: { ...restoredJob(job), turn: job.turnIds[0] ?? '' }, value: JSON.stringify(job) };
      return [];
    });
    const checked =
      days.length + [...seen.partitions.values()].reduce((sum, { entries }) => sum + entries.length, 0);
    if (dryRun) return { checked, replaced: counters.length, removed: foreign.length };
    const reply = await run(
      'repair',
      org,
      { counters, foreign, missing: missing.map(({ entry }) => entry), partitions: Object.keys(below) },
      missing.map(({ value }) => value),
    );
    if (!reply) throw unavailable('Redis was rebuilt from the log meanwhile.');
    return { checked, replaced: Number(reply[0]), removed: Number(reply[1]) };
  };

  const total = { checked: 0, replaced: 0, removed: 0 };
  for (const org of organizations) {
    let repaired: Repaired | undefined;
    for (let round = 0; repaired === undefined; round++) {
      if (round === MOST_ROUNDS) throw unavailable('The organization is billed without a pause.');
      repaired = await repairOrganization(org);
    }
    total.checked += repaired.checked;
    total.replaced += repaired.replaced;
    total.removed += repaired.removed;
  }
  return total;
};
