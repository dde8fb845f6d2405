import { isOutage } from '../../../../../core/errors.ts';
import { offsetIn, partitionsOf } from '../../../../../core/log/positions.ts';
import type { Logged, Positions } from '../../../../../core/ports.ts';
import type { RebuiltFrom } from '../admission-options.ts';
import { dayNumber, lookUpUntil, ofAdmission } from '../admission-records.ts';
import { atMost, eachOrganization, type InsideGate, makeRestoring } from './restoring.ts';

/**
 * The number of settled events of a partition to read again: a second copy, or its `remember`, may still
 * arrive.
 */
const LOOK_BACK = 2_000;

/** The tokens billed to an organization on a UTC day. */
export interface DayTotal {
  org: string;
  day: string;
  tokensIn: number;
  tokensOut: number;
}

export interface RebuildAdmission extends InsideGate {
  /** The next offsets that the projector has not yet applied to every store. */
  committed: () => Promise<Positions>;
  /** The log's ends. */
  ends: () => Promise<Positions>;
  /**
   * Reads the log's events of turns and usage, each partition in order; `from` may precede the first event
   * left in the log.
   */
  readLogged: (from: Positions, to: Positions) => AsyncIterable<readonly Logged[]>;
  /**
   * Returns totals of at least the three latest UTC days, from the usage store's distinct rows below the
   * positions.
   */
  totals: (below: Positions) => Promise<readonly DayTotal[]>;
  /** Returns those of an organization's events that the usage store has below the positions. */
  isBilled: (org: string, ids: readonly string[], below: Positions) => Promise<ReadonlySet<string>>;
  /**
   * Returns the organizations whose index has turns dated later than this (Unix milliseconds), with their
   * days from 1970; of very many, some and the last.
   */
  datedAhead: (after: number) => AsyncIterable<{ org: string; days: number[]; to?: number }>;
}

/**
 * Restores claims, tails, jobs and counters from the log and the usage store, before the first call is
 * admitted. The counters up to the projector's positions come from the usage store, the rest from the log. An
 * event with copies on both sides counts once, by its first copy. An event that is appended or remembered
 * meanwhile finds no claim and makes its own.
 */
export const rebuildAdmission = async (ports: RebuildAdmission): Promise<RebuiltFrom> => {
  const now = Number((await ports.inside.time())[0]) * 1_000;
  const floor = ofAdmission(await ports.committed());
  const ends = ofAdmission(await ports.ends());
  const restoring = makeRestoring(ports, floor);

  /** Returns until when to look up unclaimed turns: forever if the index can't report the dates ahead. */
  const restoreAhead = async (): Promise<number> => {
    try {
      for await (const { org, days, to } of ports.datedAhead(now))
        await restoring.restore(org, { ahead: days, aheadTo: to });
      return lookUpUntil(now);
    } catch (error) {
      if (isOutage(error)) return Number.MAX_SAFE_INTEGER;
      throw error;
    }
  };

  const byOrganization = Map.groupBy(await ports.totals(floor), total => total.org);
  await atMost(byOrganization, ([org, days]) =>
    restoring.restore(org, {
      totals: days.map(({ day, tokensIn, tokensOut }) => ({ day: dayNumber(day), tokensIn, tokensOut })),
    }),
  );

  const from = Object.fromEntries(
    Object.keys(ends).map(name => [name, Math.max((floor[name] ?? 0) - LOOK_BACK, 0)]),
  );
  await eachOrganization(ports.readLogged(from, ends), async (org, events) => {
    const beyond = events.filter(event => bills(event) && event.offset >= offsetIn(floor, event));
    const ids = beyond.map(({ id }) => id);
    const billed = ids.length === 0 ? new Set<string>() : await ports.isBilled(org, ids, floor);
    await restoring.restoreEvents(
      org,
      events,
      event => event.offset < offsetIn(floor, event) || billed.has(event.id),
    );
  });

  // The projector may have settled a batch before the wipe and committed it since; it is not projected again.
  await restoring.settleUpTo(ofAdmission(await ports.committed()));

  const wasProjected = partitionsOf(floor, 'turns').some(({ offset }) => offset > 0);
  return { floor, lookUpUntil: wasProjected ? await restoreAhead() : 0 };
};

const bills = ({ turn, erasedTurn, topic }: Logged): boolean =>
  turn !== undefined || erasedTurn === true || topic === 'usage';
