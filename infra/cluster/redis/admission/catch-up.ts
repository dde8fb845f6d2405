import { furthest } from '../../../../core/log/positions.ts';
import type { Logged, Positions } from '../../../../core/ports.ts';
import { ofAdmission } from './admission-records.ts';
import { eachOrganization, type InsideGate, makeRestoring } from './restoring.ts';

export interface CatchUpAdmission extends InsideGate {
  /** Of the last rebuild. */
  floor: Positions;
  /** Everything below was settled in what Redis holds. */
  from: Positions;
  /** The log's ends. */
  ends: Positions;
  /** The next offsets that the projector has not applied to every store. */
  committed: () => Promise<Positions>;
  /** The log's events of turns and usage, each partition in order; those of records that are set aside bill nothing. */
  readLogged: (from: Positions, to: Positions) => AsyncIterable<readonly Logged[]>;
}

/**
 * Repeats on what Redis came back with whatever the log decided since: what was settled, as the projector did it, and what waits, as
 * if it were remembered. Claims and counters change in one script, so what is there was billed, and what was lost was not. Returns the
 * number of events that it read, and the positions up to which everything is settled.
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
  // A projector may have settled a batch just before the restart and committed it since: it will not be projected again.
  const settled = ofAdmission(await ports.committed());
  events += await settle(furthest(from, before), settled);
  await restoring.settleUpTo(settled);
  return { events, settled: furthest(from, settled) };
};
