import type { Config } from '../../schemas/config.ts';
import type { ConsumerDefinition, WatchedConsumer } from './consumer.ts';
import { embedderOf } from './embedder/embedder.ts';
import { enricherOf } from './enricher/enricher.ts';
import type { Progress } from './progress.ts';

/**
 * The consumers of the log beside the projector. Each has a thread in the mode `embedded`, and a role in
 * `cluster`.
 */
export const consumersOf = ({ extractor, embeddings }: Config): readonly ConsumerDefinition[] => [
  enricherOf(extractor),
  ...(embeddings ? embeddings.models.map(model => embedderOf(embeddings, model)) : []),
];

export const progressOf = (
  consumers: readonly WatchedConsumer[],
  name: ConsumerDefinition['name'],
): Progress => consumers.find(({ definition }) => definition.name === name)!.progress;
