import type { openEmbeddings } from '../../infra/llm/embeddings.ts';
import type { Config } from '../../schemas/config.ts';
import { embedderGroup } from '../workers/embedder/embedder.ts';
import type { Opened, Reading } from './engines.ts';

/**
 * The embedding model that recalls use, where one is configured, and how far the log has its vectors.
 *
 * @param open connects to its endpoint
 */
export const modelOf = (
  { embeddings }: Pick<Config, 'embeddings'>,
  log: Opened['log']['log'],
  { readers }: Pick<Reading, 'readers'>,
  open: typeof openEmbeddings,
): Opened['model'] => {
  const model = embeddings?.models[0];
  if (!embeddings || model === undefined) return { embeddings: undefined, vectors: undefined };
  return {
    embeddings: {
      embed: open(embeddings),
      models: embeddings.models,
      served: async () => readers.servedModel(),
    },
    vectors: { ends: () => log.ends(), embedded: () => log.committed(embedderGroup(model)) },
  };
};
