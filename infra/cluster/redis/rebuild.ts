import { ServiceError } from '../../../services/core/errors.ts';
import { offsetIn, partitionsOf } from '../../../services/core/log/positions.ts';
import type { Logged, Positions } from '../../../services/core/ports.ts';
import type { RebuiltFrom } from './admission-options.ts';
import { dayNumber, loggedEvent, lookUpUntil, ofAdmission, restoredJob } from './admission-records.ts';
import { type Ask, beginOrganization, runScript } from './admission-scripts.ts';
import type { RedisClient } from './client.ts';
import { keysOfOrganization } from './names.ts';
import type { SealedTail } from './sealed-tail.ts';

/** Settled events of a partition that are read again: a second copy of one, or its `remember`, may still arrive. */
const LOOK_BACK = 2_000;
/** Concurrent scripts. */
const AT_ONCE = 100;

/** The tokens billed to an organization on a UTC day. */
export interface DayTotal {
  org: string;
  day: string;
  tokensIn: number;
  tokensOut: number;
}

export interface RebuildAdmission {
  /** A connection that bypasses the gate (gate.ts); what it writes belongs to this epoch. */
  inside: RedisClient;
  epoch: string;
  namespace: string;
  tail: Pick<SealedTail, 'seal'>;
  /** Unix milliseconds. */
  clock: () => number;
  /** The next offsets that the projector has not applied to every store. */
  committed: () => Promise<Positions>;
  /** The log's ends. */
  ends: () => Promise<Positions>;
  /** The log's events of turns and usage, each partition in order; `from` may precede the log's first remaining event. */
  readLogged: (from: Positions, to: Positions) => AsyncIterable<readonly Logged[]>;
  /** Totals of at least the three latest UTC days, from the usage store's distinct rows below the positions. */
  totals: (below: Positions) => Promise<readonly DayTotal[]>;
  /** Returns which of an organization's events the usage store has below the positions. */
  isBilled: (org: string, ids: readonly string[], below: Positions) => Promise<ReadonlySet<string>>;
  /** The organizations whose index has turns dated later than this, with the latest date (Unix milliseconds). */
  datedAhead: (after: number) => AsyncIterable<{ org: string; timestamp: number }>;
}

/**
 * Restores claims, tails, jobs and counters from the log and the usage store, before the first call is admitted. The
 * counters up to the projector's positions come from the usage store, the rest from the log; an event with copies on both
 * sides counts once, by the first copy. An event that is appended or remembered meanwhile finds no claim later, and makes
 * its own.
 */
export const rebuildAdmission = async (ports: RebuildAdmission): Promise<RebuiltFrom> => {
  const { inside, epoch, namespace, tail, clock, readLogged } = ports;
  const now = Number((await inside.time())[0]) * 1_000;
  const floor = ofAdmission(await ports.committed());
  const ends = ofAdmission(await ports.ends());
  /** By organization: the partitions of what was restored from the log. */
  const begun = new Map<string, Set<string>>();

  const run = async (
    name: 'restore' | 'settled',
    org: string,
    ask: Ask,
    values: readonly string[] = [],
  ): Promise<void> => {
    const prefix = keysOfOrganization(namespace, org);
    if (!begun.has(org)) {
      await beginOrganization(inside, prefix, epoch);
      begun.set(org, new Set());
    }
    const [kind] = await runScript(inside, prefix, { epoch, floor }, clock(), name, ask, values);
    if (kind !== 'ok') throw new Error('another rebuild writes to the same organization');
  };

  const restore = (org: string, ask: Ask, values?: readonly string[]): Promise<void> =>
    run('restore', org, ask, values);

  /** Returns until when unclaimed turns are looked up: for ever when the index can't say which dates lie ahead. */
  const restoreAhead = async (): Promise<number> => {
    try {
      for await (const { org, timestamp } of ports.datedAhead(now))
        await restore(org, { totals: [], events: [], ahead: timestamp });
      return lookUpUntil(now);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'unavailable') return Number.MAX_SAFE_INTEGER;
      throw error;
    }
  };

  const byOrganization = Map.groupBy(await ports.totals(floor), total => total.org);
  await atMost(AT_ONCE, byOrganization, ([org, days]) =>
    restore(org, {
      totals: days.map(({ day, tokensIn, tokensOut }) => ({ day: dayNumber(day), tokensIn, tokensOut })),
      events: [],
    }),
  );

  const from = Object.fromEntries(
    Object.keys(ends).map(name => [name, Math.max((floor[name] ?? 0) - LOOK_BACK, 0)]),
  );
  for await (const logged of readLogged(from, ends)) {
    await atMost(
      AT_ONCE,
      Map.groupBy(logged, event => event.org),
      async ([org, events]) => {
        const beyond = events.filter(event => bills(event) && event.offset >= offsetIn(floor, event));
        const ids = beyond.map(({ id }) => id);
        const billed = ids.length === 0 ? new Set<string>() : await ports.isBilled(org, ids, floor);
        const restored = events.flatMap(event => {
          const { turn, job } = event;
          const entry = job ? restoredJob(job) : loggedEvent(event);
          const projected = event.offset < offsetIn(floor, event) || billed.has(event.id);
          return entry
            ? { entry: { ...entry, projected }, value: projected ? undefined : (turn ?? job) }
            : [];
        });
        const ask = { totals: [], events: restored.map(({ entry }) => entry) };
        const sealed = restored.map(async ({ value }) => (value ? (await tail.seal([value]))[0]! : ''));
        await restore(org, ask, await Promise.all(sealed));
        for (const { entry } of restored) begun.get(org)!.add(entry.partition);
      },
    );
  }

  // A projector may have settled a batch just before the wipe and committed it since: it will not be projected again.
  const since = ofAdmission(await ports.committed());
  await atMost(AT_ONCE, begun, async ([org, restored]) => {
    const partitions = [...restored].filter(name => since[name] !== undefined);
    const positions = Object.fromEntries(partitions.map(name => [name, since[name]]));
    await run('settled', org, { events: [], positions, partitions });
  });

  const wasProjected = partitionsOf(floor, 'turns').some(({ offset }) => offset > 0);
  return { floor, lookUpUntil: wasProjected ? await restoreAhead() : 0 };
};

const bills = ({ turn, erasedTurn, topic }: Logged): boolean =>
  turn !== undefined || erasedTurn === true || topic === 'usage';

const atMost = async <T>(
  size: number,
  all: Iterable<T>,
  each: (one: T) => Promise<unknown>,
): Promise<void> => {
  const queue = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await each(next.value);
  };
  await Promise.all(Array.from({ length: size }, worker));
};
