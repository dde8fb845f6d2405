import { type Registered, servingOf, wrongVersion } from '../../core/generations.ts';
import type { Watch } from '../../core/ports/engines.ts';
import type { GenerationRegistry } from '../../core/ports/projection/generation-registry.ts';
import type { Gauge } from '../../core/watch/gauges.ts';
import { GENERATIONAL, type Generational, PROJECTIONS } from '../../projections/all.ts';

const BY_OPERATORS = new Set(['replaced', 'retired', 'of another version']);

/** Alarms for generations that failed, whether dropped or still building. */
const alarmsOf = ({ generations }: Registered): string[] =>
  generations.flatMap(({ number, state, reason }) =>
    reason !== undefined && (state === 'building' || (state === 'dropped' && !BY_OPERATORS.has(reason)))
      ? [`generation ${number} is no longer written to: ${reason}`]
      : [],
  );

const statusOf = (projection: Generational, registered: Registered | undefined): string => {
  const serving = registered && servingOf(registered);
  return [
    wrongVersion(projection, registered, PROJECTIONS[projection].version) ??
      `${projection} serves generation ${serving?.number}`,
    ...(registered ? alarmsOf(registered) : []),
  ].join('; ');
};

/** The generations in /readyz and /metrics. Calls are answered whatever their state. */
export const watchGenerations = (
  registry: GenerationRegistry,
): { probe: Watch['probes'][string]; gauge: Gauge } => ({
  probe: async () => {
    const statuses = GENERATIONAL.map(async projection =>
      statusOf(projection, await registry.read(projection)),
    );
    // An unreachable engine fails its own probe.
    return Promise.all(statuses).then(
      all => all.join('; '),
      () => 'unknown for now',
    );
  },
  gauge: {
    name: 'turnstone_generations_dropped',
    help: 'Generations that failed and are no longer written to',
    read: async () => {
      const all = await Promise.all(GENERATIONAL.map(projection => registry.read(projection)));
      return all.reduce((sum, registered) => sum + (registered ? alarmsOf(registered).length : 0), 0);
    },
  },
});
