/** The recall index of the mode `cluster` on a real Elasticsearch, for the contract suites. */
import { migrateIndex } from '../../infra/cluster/elasticsearch-index.ts';
import { openElasticsearchIndex } from '../../infra/cluster/elasticsearch-recall-index.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import type { Limits } from '../../projections/recall/candidates.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { makeBreathe } from '../../services/breathe.ts';
import type { Positions } from '../../services/ports.ts';
import { language } from './contracts-embedded.ts';
import type { OpenProjections } from './contracts-projections.ts';
import { clusterConfig } from './engines.ts';

export const openIndex = (config: ClusterConfig, limits?: Limits) =>
  openElasticsearchIndex({ config, decodeDocument, analyse: language().analyse, makeBreathe, limits });

/** Removes all that a namespace has in Elasticsearch. */
const dropIndexes = async ({ elasticsearchUrl, namespace }: ClusterConfig): Promise<void> => {
  for (const path of [`${namespace}-recall-000001`, `_index_template/${namespace}-recall`]) {
    await fetch(`${elasticsearchUrl}/${path}`, { method: 'DELETE' });
  }
};

export type ElasticsearchProjections = OpenProjections & {
  config: ClusterConfig;
  opened: ReturnType<typeof openIndex>;
};

/** Positions are Redis's in the product; here a map stands for them. */
export const openElasticsearchProjections = async (
  config = clusterConfig(),
  positions: Positions = {},
): Promise<ElasticsearchProjections> => {
  await migrateIndex(config);
  const opened = openIndex(config);
  const others: ReturnType<typeof openIndex>[] = [];
  const closeAll = async (): Promise<void> => {
    for (const one of [opened, ...others]) await one.close();
  };
  return {
    config,
    opened,
    store: {
      positions: async () => ({ ...positions }),
      apply: async batch => {
        await opened.store.apply(batch.recall);
        Object.assign(positions, batch.positions);
      },
      close: async () => {},
    },
    index: opened.index,
    feed: opened.feedOf(async () => ({ ...positions })),
    indexOf: limits => {
      const one = openIndex(config, limits);
      others.push(one);
      return one.index;
    },
    reopen: async () => {
      await closeAll();
      return openElasticsearchProjections(config, positions);
    },
    close: async () => {
      await closeAll();
      await dropIndexes(config);
    },
  };
};
