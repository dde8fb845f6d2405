import type { Watch } from '../../core/ports/engines.ts';
import type { PolledLog } from '../../core/ports.ts';
import type { Unsettled } from '../../infra/embedded/admission/unsettled.ts';
import type { WatchedConsumer } from '../workers/consumer.ts';
import { heldBackGauges } from '../workers/held-back.ts';
import { deadLetterGauges, lagGauges } from '../workers/lag-gauges.ts';
import type { Progress } from '../workers/progress.ts';
import type { RunningGenerations } from './replay/generations.ts';

interface Counted {
  log: { log: PolledLog };
  serving: { projector: Progress; unsettled: Unsettled; generations: RunningGenerations };
  consumers: readonly WatchedConsumer[];
}

/** The gauges of one process: the tail, the generations and the consumers of the log. */
export const gaugesOf = ({
  log: { log },
  serving: { projector, unsettled, generations },
  consumers,
}: Counted): Watch['gauges'] => [
  {
    name: 'turnstone_tail_events',
    help: 'Acknowledged events that the projections do not show yet',
    read: unsettled.size,
  },
  {
    name: 'turnstone_tail_bytes',
    help: 'About the memory that these events take',
    read: unsettled.bytes,
  },
  {
    name: 'turnstone_generations_dropped',
    help: 'Generations of the projections that failed and were removed, since the start',
    read: generations.dropped,
  },
  ...lagGauges(log, { progress: projector, positions: projector.positions }, consumers),
  ...deadLetterGauges(projector),
  ...heldBackGauges(projector),
  ...consumers.flatMap(({ definition, progress }) => definition.gauges?.(progress) ?? []),
];
