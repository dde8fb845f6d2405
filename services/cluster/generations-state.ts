import type { Registry } from '../../infra/cluster/elasticsearch/registry.ts';
import {
  type Generational,
  type Registered,
  servingOf,
  wrongVersion,
} from '../../infra/cluster/generations/generations.ts';
import type { Engines } from '../core/ports/engines.ts';
import type { Gauge } from '../core/watch/gauges.ts';

const PROJECTIONS: readonly Generational[] = ['recall', 'usage'];

/** What a generation was dropped for, where it was no operator who did it. */
const alarmsOf = ({ generations }: Registered): string[] =>
  generations.flatMap(({ number, state, reason }) =>
    reason !== undefined && (state === 'building' || (state === 'dropped' && !BY_OPERATORS.has(reason)))
      ? [`generation ${number} is no longer written to: ${reason}`]
      : [],
  );

const BY_OPERATORS = new Set(['replaced', 'retired', 'of another version']);

const wordOf = (projection: Generational, registered: Registered | undefined, version: string): string => {
  const serving = registered && servingOf(registered);
  return [
    wrongVersion(projection, registered, version) ?? `${projection} serves generation ${serving?.number}`,
    ...(registered ? alarmsOf(registered) : []),
  ].join('; ');
};

/** What /readyz and /metrics tell of the generations: calls are answered whatever it is. */
export const watchGenerations = (
  registry: Registry,
  versions: Readonly<Record<Generational, string>>,
): { probe: Engines['probes'][string]; gauge: Gauge } => ({
  probe: async () => {
    const words = PROJECTIONS.map(async projection =>
      wordOf(projection, await registry.read(projection), versions[projection]),
    );
    // An engine that is away is told of by its own probe.
    return Promise.all(words).then(
      all => all.join('; '),
      () => 'unknown for now',
    );
  },
  gauge: {
    name: 'turnstone_generations_dropped',
    help: 'Generations that failed and are no longer written to',
    read: async () => {
      const all = await Promise.all(PROJECTIONS.map(projection => registry.read(projection)));
      return all.reduce((sum, registered) => sum + (registered ? alarmsOf(registered).length : 0), 0);
    },
  },
});
