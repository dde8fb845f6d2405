import { furthest } from '../../../../../core/log/positions.ts';
import type { Logged, Positions } from '../../../../../core/ports.ts';
import { ofAdmission } from '../admission-records.ts';
import { eachOrganization, type InsideGate, makeRestoring } from './restoring.ts';

export interface CatchUpAdmission extends InsideGate {
  /** The floor of the last rebuild. */
  floor: Positions;
  /** Everything below was already settled in the data that Redis holds. */
  from: Positions;
  /** The log's ends. */
  ends: Positions;
  /** The next offsets that the projector has not yet applied to every store. */
  committed: () => Promise<Positions>;
  /**
   * Reads the log's events of turns and usage, each partition in order. Records that are set aside bill
   * nothing.
   */
  readLogged: (from: Positions, to: Positions) => AsyncIterable<readonly Logged[]>;
}

/**
 * Applies the log's later events to the data that Redis came back with: settles what the projector settled,
 * and remembers the rest. Claims and counters change in one script, so an event with a claim was billed and
 * one without was not. Returns the number of events read, and the positions up to which everything is
 * settled.
 */
export const catchUpAdmission = async (
  ports: CatchUpAdmission,
): Promise<{ events: number; settled: Positions }> => {
  const { floor, readLogged } = ports;
  const from = ofAdmission(ports.from);
  const restoring = makeRestoring(ports, floor);
  const ends = ofAdmission(ports.ends);
  const settle = (since: Positions, until: Positions): Promise<number> =>
    eachOrganization(readLogged(since, until), restoring.settleEvents);

  const before = ofAdmission(await ports.committed());
  let events = await settle(from, before);
  events += await eachOrganization(readLogged(furthest(from, before), ends), (org, waiting) =>
    restoring.restoreEvents(org, waiting),
  );
  // The projector may have settled a batch before the restart and committed it since; it is not projected
  // again.
  const settled = ofAdmission(await ports.committed());
  events += await settle(furthest(from, before), settled);
  await restoring.settleUpTo(settled);
  return { events, settled: furthest(from, settled) };
};
