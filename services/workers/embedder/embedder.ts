import { hash } from 'node:crypto';
import type { Gauge } from '../../../core/watch/gauges.ts';
import type { EmbeddingsConfig } from '../../../schemas/config.ts';
import type { ConsumerDefinition } from '../consumer.ts';
import type { Progress } from '../progress.ts';

/** Turns per append, or those of one record. */
const TURNS_AT_ONCE = 64;

/**
 * fetch → embed → append vectors → checkpoint. A consumer of its own for each model: facts don't wait for it,
 * and a model that is new reads the log from its first turn, so that what is there gets its vectors too.
 */
export const embedderOf = (config: EmbeddingsConfig, model: string): ConsumerDefinition => {
  const name = model === config.models[0] ? 'embedder' : 'embedder-former';
  return {
    role: 'enricher',
    name,
    group: embedderGroup(model),
    topics: ['turns'],
    counts: 'Turns that were given to the embedding model since the start',
    gauges: progress => embedderGauges(name, progress),
    open: async ({ openEmbeddings, report, ...ports }) => {
      const [{ makeEmbed }, { makeEmbedTurns }] = await Promise.all([
        import('./embed.ts'),
        import('./embed-turns.ts'),
      ]);
      const embedTurns = makeEmbedTurns({
        embed: openEmbeddings(config),
        model,
        onState: ({ waitsFor, ...counts }) =>
          report({ kind: 'service', state: { service: 'the embedding model', waitsFor, counts } }),
      });
      const embed = makeEmbed({ ...ports, embedTurns, model });
      return {
        atOnce: TURNS_AT_ONCE,
        handle: async (records, signal) => {
          const { records: append, turns } = await embed(records, signal);
          return { append, events: turns };
        },
      };
    },
  };
};

/**
 * The name of a model's group: a new one for a new model, and the same again for one that was used before.
 */
export const embedderGroup = (model: string): string => `embedder-${hash('sha256', model).slice(0, 16)}`;

const embedderGauges = (
  name: ConsumerDefinition['name'],
  { service, waitsFor }: Pick<Progress, 'service' | 'waitsFor'>,
): Gauge[] => {
  const gauge = (what: string, help: string, read: () => number): Gauge => ({
    name: `turnstone_${name.replace('embedder', 'embeddings').replace('-', '_')}_${what}`,
    help,
    read,
  });
  const count = (of: string) => () => service()?.counts[of] ?? 0;
  return [
    gauge('requests', 'Requests for vectors of turns since the start', count('requests')),
    gauge(
      'faults',
      'Requests for vectors of turns that brought nothing of use, since the start',
      count('faults'),
    ),
    gauge('turns_given_up', 'Turns that got no vector for faults, since the start', count('givenUp')),
    gauge('waiting', '1 while the embedding model is out of reach and turns wait for it', () =>
      waitsFor() === undefined ? 0 : 1,
    ),
  ];
};
