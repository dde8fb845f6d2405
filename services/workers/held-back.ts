import type { Gauge } from '../../core/watch/gauges.ts';
import type { Progress } from './progress.ts';

type Held = Pick<Progress, 'heldBack'>;

const sessionsOf = ({ heldBack }: Held): number =>
  [...heldBack().values()].reduce((sum, one) => sum + one, 0);

/** A probe: rejects while sessions of which all has expired keep their keys, until an operator says so. */
export const probeHeldBack = (progress: Held) => async (): Promise<string> => {
  const organizations = progress.heldBack().size;
  if (organizations === 0) return 'nothing is held back';
  throw new Error(
    `${sessionsOf(progress)} sessions of ${organizations} organizations have expired and are hidden, and not destroyed for now: they are too many for a day (turnstone orgs set-limits ORG --expiries PERCENT)`,
  );
};

export const heldBackGauges = (progress: Held): Gauge[] => [
  {
    name: 'turnstone_expiries_held_back',
    help: 'Expired sessions that are not destroyed yet, since they are too many of their organization for a day',
    read: () => sessionsOf(progress),
  },
];
