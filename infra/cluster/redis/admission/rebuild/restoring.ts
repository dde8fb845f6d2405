import { partitionName } from '../../../../../core/log/positions.ts';
import type { Logged, Positions } from '../../../../../core/ports.ts';
import { keysOfOrganization } from '../../key-names.ts';
import type { RedisClient } from '../../redis-client.ts';
import { eventsOf, loggedEvent, restoredJob } from '../admission-records.ts';
import { type Ask, beginOrganization, runScript } from '../admission-scripts.ts';
import type { SealedTail } from '../sealed-tail.ts';

/** Concurrent scripts. */
const AT_ONCE = 100;

/** The target of a rebuild or a repair. */
export interface InsideGate {
  /** A connection that bypasses the gate (gate.ts); its writes belong to this epoch. */
  inside: RedisClient;
  epoch: string;
  namespace: string;
  tail: Pick<SealedTail, 'seal'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The argument of the script `restore`, beside events. */
interface Restored {
  totals?: readonly { day: number; tokensIn: number; tokensOut: number }[];
  /** The days of turns dated ahead, from 1970. */
  ahead?: readonly number[];
  /** Where these are too many: the last one, up to which each day counts as one of them. */
  aheadTo?: number | undefined;
}

/**
 * Returns writers of claims, tails, jobs and counters for use before the first admitted call. `floor`: see
 * `RebuiltFrom`.
 */
export const makeRestoring = ({ inside, epoch, namespace, tail, clock }: InsideGate, floor: Positions) => {
  /** By organization: the partitions of its restored events. */
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
  const touch = (org: string, partitions: Iterable<string>): void => {
    for (const each of partitions) begun.get(org)!.add(each);
  };

  return {
    restore: (org: string, { totals = [], ...more }: Restored): Promise<void> =>
      run('restore', org, { totals, events: [], ...more }),

    /**
     * Restores events that have no claim, or a pending one. Those that are `isProjected` are known: neither
     * billed nor in the tail.
     */
    restoreEvents: async (
      org: string,
      events: readonly Logged[],
      isProjected: (event: Logged) => boolean = () => false,
    ): Promise<void> => {
      const restored = events.flatMap(event => {
        const { turn, job } = event;
        const entry = job ? restoredJob(job) : loggedEvent(event);
        const projected = isProjected(event);
        return entry
          ? [{ entry: { ...entry, projected }, value: projected ? undefined : (turn ?? job) }]
          : [];
      });
      const sealed = restored.map(async ({ value }) => (value ? (await tail.seal([value]))[0]! : ''));
      const entries = restored.map(({ entry }) => entry);
      const partitions = [...new Set(entries.map(({ partition }) => partition))];
      await run('restore', org, { totals: [], events: entries, partitions }, await Promise.all(sealed));
      touch(org, partitions);
    },

    /** Settles events as the projector does; entries of the tail leave it with `settleUpTo`. */
    settleEvents: async (org: string, its: readonly Logged[]): Promise<void> => {
      const partitions = [...new Set(its.map(partitionName))];
      await run('settled', org, { events: eventsOf(its), positions: {}, partitions });
      touch(org, partitions);
    },

    /**
     * Removes entries below the positions from the tails, for the organizations and partitions of the
     * restored events.
     */
    settleUpTo: (positions: Positions): Promise<void> =>
      atMost(begun, async ([org, restored]) => {
        const partitions = [...restored].filter(name => positions[name] !== undefined);
        const own = Object.fromEntries(partitions.map(name => [name, positions[name]]));
        await run('settled', org, { events: [], positions: own, partitions });
      }),
  };
};

/** Calls `each` for all, a hundred at a time. */
export const atMost = async <T>(all: Iterable<T>, each: (one: T) => Promise<unknown>): Promise<void> => {
  const queue = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await each(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/** Calls `each` with each organization's events of a page; returns the number of all events. */
export const eachOrganization = async (
  pages: AsyncIterable<readonly Logged[]>,
  each: (org: string, events: readonly Logged[]) => Promise<void>,
): Promise<number> => {
  let count = 0;
  for await (const page of pages) {
    count += page.length;
    await atMost(
      Map.groupBy(page, event => event.org),
      ([org, events]) => each(org, events),
    );
  }
  return count;
};
