import { eventsBehind, eventsBetween, positionsIn } from '../core/log/positions.ts';
import type { EventLog, Positions } from '../core/ports.ts';
import type { Gauge } from '../core/watch/gauges.ts';
import { type Progress, STOP_CAUSES } from './progress.ts';

/** A scrape reads all gauges at once: the ends of the log are asked for once. */
const ONE_SCRAPE_MS = 100;

interface Watched {
  log: Pick<EventLog, 'ends'>;
  projector: Pick<Progress, 'events'>;
  enricher: Pick<Progress, 'events'>;
  /** Next offsets. */
  projected: () => Positions | Promise<Positions>;
  enriched: () => Positions | Promise<Positions>;
}

/** How far projections and enrichment are behind the log, in events: of all processes together. */
export const lagGauges = ({ log, projector, enricher, projected, enriched }: Watched): Gauge[] => {
  let asked = Number.NEGATIVE_INFINITY;
  let ends: Promise<Positions>;
  const currentEnds = (): Promise<Positions> => {
    if (performance.now() - asked > ONE_SCRAPE_MS) {
      asked = performance.now();
      ends = log.ends();
    }
    return ends;
  };

  return [
    {
      name: 'turnstone_projector_events',
      help: 'Events projected since the start',
      read: projector.events,
    },
    {
      name: 'turnstone_projector_lag_events',
      help: 'Events in the log that are not projected yet',
      read: async () => eventsBehind(await projected(), await currentEnds()),
    },
    { name: 'turnstone_enricher_events', help: 'Turns enriched since the start', read: enricher.events },
    {
      name: 'turnstone_enricher_lag_events',
      help: 'Events in the log that the enricher has not seen yet',
      read: async () => eventsBetween(await enriched(), positionsIn(await currentEnds(), ['turns'])),
    },
  ];
};

/**
 * What this process's projector has set aside, and whether it has stopped. A process without a projector must not tell
 * them: its nought would be read as nothing set aside anywhere.
 */
export const deadLetterGauges = (
  projector: Pick<Progress, 'deadLetters' | 'deadLettersByKind' | 'stoppedBy'>,
): Gauge[] => [
  {
    name: 'turnstone_dead_letters',
    help: 'Events set aside since the start',
    read: projector.deadLetters,
  },
  {
    name: 'turnstone_dead_letters_by_reason',
    help: 'Events set aside since the start, by the step that could not go on and what was wrong',
    labels: ['step', 'reason'],
    read: () =>
      projector
        .deadLettersByKind()
        .map(({ step, reason, count }) => ({ labels: { step, reason }, value: count })),
  },
  {
    name: 'turnstone_projector_stopped',
    help: 'Whether the projector has stopped, by what stopped it: a limit of dead letters, or another fault',
    labels: ['reason'],
    read: () =>
      STOP_CAUSES.map(reason => ({
        labels: { reason },
        value: projector.stoppedBy() === reason ? 1 : 0,
      })),
  },
];
