import { unavailable } from '../../../../../core/errors.ts';
import { addressName, parsePartition } from '../../../../../core/log/positions.ts';
import type { Logged, Positions, TailTurn, Tokens } from '../../../../../core/ports.ts';
import { type Repaired, repairOrganizations } from '../../accounts/repair-organizations.ts';
import { keysOfOrganization } from '../../key-names.ts';
import type { RedisClient } from '../../redis-client.ts';
import {
  type Counter,
  dayNumber,
  loggedEvent,
  ofAdmission,
  restoredJob,
  tokensOf,
} from '../admission-records.ts';
import { type Fence, type Named, runScript } from '../admission-scripts.ts';
import type { SealedTail } from '../sealed-tail.ts';
import type { DayTotal } from './rebuild.ts';

const MOST_ROUNDS = 10;

export interface RepairAdmissionOptions {
  /** The gate's connection. */
  redis: RedisClient;
  /** The last rebuild. */
  fence: Fence;
  namespace: string;
  tail: Pick<SealedTail, 'seal'>;
  /** Unix milliseconds. */
  clock: () => number;
  organizations: readonly string[];
  /** UTC days whose counters are compared. */
  days: readonly string[];
  /** The next offsets that the projectors have not acknowledged, and the log's ends. */
  committed: () => Promise<Positions>;
  ends: () => Promise<Positions>;
  readLogged: (from: Positions, to: Positions) => AsyncIterable<readonly Logged[]>;
  /** Returns the totals of these days, from the usage store's distinct rows below the positions. */
  totals: (below: Positions) => Promise<readonly DayTotal[]>;
  dryRun: boolean;
}

/**
 * Compares the counters, tails and jobs of each organization with the log and the usage store, under load. A
 * survey reads everything in Redis at one moment; then the log and the store are read up to that moment;
 * finally one script adjusts the counters by their error at the survey, which keeps everything billed since.
 * A recall's claim ends a fixed time after it was billed, so Redis's own clock tells whether the survey
 * included it.
 */
export const repairAdmission = (options: RepairAdmissionOptions): Promise<Repaired> =>
  repairOrganizations(
    options.organizations,
    { mostRounds: MOST_ROUNDS, giveUp: 'The organization is billed without a pause.' },
    org => repairOrganization(org, scriptsOf(org, options), options),
  );

/** Resolves to undefined if a recall was billed in the same millisecond as the survey. */
const repairOrganization = async (
  org: string,
  run: RunScript,
  { days, tail, committed, ends, readLogged, totals, dryRun }: RepairAdmissionOptions,
): Promise<Repaired | undefined> => {
  const numbers = days.map(dayNumber);
  const projected = ofAdmission(await committed());
  const seen = await survey(run, numbers, Object.keys(projected));
  if (!seen) return { checked: 0, replaced: 0, removed: 0 };

  /** All events below are settled and in the usage store. */
  const below: Positions = {};
  for (const [name, { settled }] of seen.partitions) below[name] = Math.max(settled, projected[name] ?? 0);
  const logged: Logged[] = [];
  for await (const page of readLogged(below, ofAdmission(await ends())))
    logged.push(...page.filter(event => event.org === org));
  const stored = (await totals(below)).filter(total => total.org === org);
  const recalls = await recallsBefore(run, logged, seen.at);
  if (!recalls) return undefined;

  const { foreign, held, billed } = compareEntries(seen, logged, below);
  const expected = [
    ...stored.map(({ day, ...tokens }) => ({ day: dayNumber(day), tokens })),
    ...billed,
    ...recalls,
  ];
  const counters = errorsOf(seen.counters, numbers, expected);
  const missing = missingFrom(held, logged);
  const entries = [...seen.partitions.values()].reduce((sum, each) => sum + each.entries.length, 0);
  const checked = days.length + entries;
  if (dryRun) return { checked, replaced: counters.length, removed: foreign.length };

  const partitions = Object.keys(below);
  const ask = { counters, foreign, missing: missing.map(({ entry }) => entry), partitions };
  const values = await tail.seal(missing.map(({ value }) => value));
  const reply = await run('repair', ask, values);
  if (!reply) throw unavailable('Redis was rebuilt from the log meanwhile.');
  return { checked, replaced: Number(reply[0]), removed: Number(reply[1]) };
};

/**
 * Runs a script over the organization's keys; undefined if the organization had no call since the last
 * rebuild.
 */
type RunScript = (...call: Named) => Promise<unknown[] | undefined>;

const scriptsOf =
  (org: string, { redis, fence, namespace, clock }: RepairAdmissionOptions): RunScript =>
  async (...call) => {
    const prefix = keysOfOrganization(namespace, org);
    const [kind, ...reply] = await runScript(redis, prefix, fence, clock(), ...call);
    return kind === 'ok' ? reply : undefined;
  };

type Entry = [id: string, member: string, offset: string, claim: string, held: number];

/** All data that Redis holds for an organization, at one moment. */
interface Survey {
  /** Unix milliseconds on Redis's clock. */
  at: number;
  /** In the order of the requested days. */
  counters: Tokens[];
  /** By partition name: the next offset that the index has not settled, and the tail's entries. */
  partitions: Map<string, { settled: number; entries: Entry[] }>;
}

const survey = async (
  run: RunScript,
  days: readonly number[],
  names: readonly string[],
): Promise<Survey | undefined> => {
  const reply = await run('survey', { days, partitions: names });
  if (!reply) return undefined;
  const [at, counters, found] = reply as [string, Counter[], [string, Entry[] | object][]];
  return {
    at: Number(at),
    counters: counters.map(tokensOf),
    partitions: new Map(
      found.map(([settled, entries], i) => [
        names[i]!,
        // Lua's empty table is encoded as an object.
        { settled: Number(settled), entries: Array.isArray(entries) ? (entries as Entry[]) : [] },
      ]),
    ),
  };
};

/** Tokens billed to a day, numbered from 1970. */
interface Billed {
  day: number;
  tokens: Tokens;
}

/**
 * Returns the recalls billed in Redis before the survey; undefined if one was billed in the same millisecond.
 */
const recallsBefore = async (
  run: RunScript,
  logged: readonly Logged[],
  surveyedAt: number,
): Promise<Billed[] | undefined> => {
  const recalls = logged.filter(({ topic }) => topic === 'usage');
  if (recalls.length === 0) return [];
  const reply = await run('billedAt', { ids: recalls.map(({ id }) => id) });
  const billedAt = (reply?.[0] as string[] | undefined)?.map(Number) ?? [];
  if (billedAt.includes(surveyedAt)) return undefined;
  return recalls
    .filter((_, i) => billedAt[i]! > 0 && billedAt[i]! < surveyedAt)
    .map(({ day, tokens }) => ({ day: dayNumber(day), tokens }));
};

/**
 * Compares the tail's entries with the log. Returns the entries that are settled or that the log doesn't have
 * at their offset, the ids of the others, whose turn or job is in the tail, and the tokens that their claims
 * billed.
 */
const compareEntries = ({ partitions }: Survey, logged: readonly Logged[], below: Positions) => {
  // A record may hold several entries.
  const inLog = new Set(logged.map(event => `${addressName(event)} ${event.job?.id ?? event.id}`));
  const foreign: { partition: string; member: string }[] = [];
  const held = new Set<string>();
  const billed: Billed[] = [];
  for (const [partition, { entries }] of partitions) {
    for (const [id, member, offset, claim, isHeld] of entries) {
      const address = addressName({ ...parsePartition(partition), offset: Number(offset) });
      // The log's ends were read after the survey, so an entry missing in the log was never appended.
      if (Number(offset) < below[partition]! || !inLog.has(`${address} ${id}`)) {
        foreign.push({ partition, member });
        continue;
      }
      if (isHeld === 1) held.add(id);
      const [state, , day, tokens] = claim.split(' ');
      if (state === 'K')
        billed.push({ day: Number(day), tokens: { tokensIn: Number(tokens), tokensOut: 0 } });
    }
  }
  return { foreign, held, billed };
};

/**
 * Returns the corrections that bring the counters to the expected values; days without an error are left out.
 */
const errorsOf = (counters: readonly Tokens[], days: readonly number[], expected: readonly Billed[]) => {
  const errors = days.map((day, i) => ({
    day,
    tokensIn: -counters[i]!.tokensIn,
    tokensOut: -counters[i]!.tokensOut,
  }));
  const byDay = new Map(errors.map(error => [error.day, error]));
  for (const { day, tokens } of expected) {
    const error = byDay.get(day);
    if (!error) continue;
    error.tokensIn += tokens.tokensIn;
    error.tokensOut += tokens.tokensOut;
  }
  return errors.filter(({ tokensIn, tokensOut }) => tokensIn !== 0 || tokensOut !== 0);
};

/** Returns the log's entries that are missing in the tail, each with its turn or job. */
const missingFrom = (held: ReadonlySet<string>, logged: readonly Logged[]) =>
  logged.flatMap<{ entry: object; value: TailTurn | NonNullable<Logged['job']> }>(event => {
    const { turn, job } = event;
    if (turn && !held.has(turn.id)) return [{ entry: loggedEvent(event)!, value: turn }];
    if (job && !held.has(job.id))
      return [{ entry: { ...restoredJob(job), turn: job.turnIds[0] ?? '' }, value: job }];
    return [];
  });
