import { eventsBetween, positionsIn } from '../../core/log/positions.ts';
import type { EventLog, Positions, Topic } from '../../core/ports.ts';
import type { Gauge } from '../../core/watch/gauges.ts';
import { PROJECTED_TOPICS } from '../../projections/all.ts';
import type { WatchedConsumer } from './consumer.ts';
import { type Progress, STOP_CAUSES } from './progress.ts';

/** How long the log's ends are cached: the gauges of one scrape share one read. */
const ONE_SCRAPE_MS = 100;

type Watched = Pick<WatchedConsumer, 'progress' | 'positions'>;

/** Metric names must not contain hyphens. */
const inMetrics = (name: string): string => name.replaceAll('-', '_');

/** How many events the projector and the other consumers are behind the log, over all processes. */
export const lagGauges = (
  log: Pick<EventLog, 'ends'>,
  projector: Watched,
  consumers: readonly WatchedConsumer[],
  keyIndex?: Watched,
): Gauge[] => {
  const ends = endsOfScrape(log);
  const gauges = (name: string, topics: readonly Topic[], watched: Watched, help: [string, string]) => [
    { name: `turnstone_${inMetrics(name)}_events`, help: help[0], read: watched.progress.events },
    {
      name: `turnstone_${inMetrics(name)}_lag_events`,
      help: help[1],
      read: async () => eventsBetween(await watched.positions(), positionsIn(await ends(), topics)),
    },
  ];
  return [
    ...gauges('projector', PROJECTED_TOPICS, projector, [
      'Events projected since the start',
      'Events in the log that are not projected yet',
    ]),
    ...(keyIndex
      ? gauges('key-index', ['keys'], keyIndex, [
          'Records of the topic keys written to its index since the start',
          'Records of the topic keys that its index does not have yet',
        ])
      : []),
    ...consumers.flatMap(({ definition: { name, topics, counts }, ...watched }) =>
      gauges(name, topics, watched, [counts, `Events in the log that the ${name} has not seen yet`]),
    ),
  ];
};

const endsOfScrape = (log: Pick<EventLog, 'ends'>): (() => Promise<Positions>) => {
  let readAt = Number.NEGATIVE_INFINITY;
  let ends: Promise<Positions>;
  return () => {
    if (performance.now() - readAt > ONE_SCRAPE_MS) {
      readAt = performance.now();
      ends = log.ends();
    }
    return ends;
  };
};

/**
 * The dead letters of this process's projector, and whether it has stopped. A process without a projector
 * must not report them: its zero would be read as no dead letters anywhere.
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
