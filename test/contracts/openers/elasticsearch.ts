/** The recall index of the mode `cluster` on a real Elasticsearch, for the contract suites. */

import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import type { Positions } from '../../../core/ports.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import type { Limits } from '../../../domain/search/candidates.ts';
import { openAccountEntities } from '../../../infra/cluster/elasticsearch/accounts/account-entities.ts';
import {
  accountIndex,
  migrateAccountIndex,
} from '../../../infra/cluster/elasticsearch/accounts/account-index.ts';
import { migrateIndex, recallAlias } from '../../../infra/cluster/elasticsearch/index/index.ts';
import { registryIndex } from '../../../infra/cluster/elasticsearch/index/registry.ts';
import { openElasticsearchIndex } from '../../../infra/cluster/elasticsearch/recall-index.ts';
import { openSearchedIndex } from '../../../infra/cluster/elasticsearch/search/searched-index.ts';
import { connectRecallRows } from '../../../infra/cluster/elasticsearch/verify/verifiable-documents.ts';
import { openClusterRows } from '../../../infra/cluster/verifiable-rows.ts';
import { PROJECTIONS } from '../../../projections/all.ts';
import type { RecallWrite } from '../../../projections/recall/recall-writes.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { deleteInElasticsearch } from '../../support/engines/drop-namespace.ts';
import { clusterConfig } from '../../support/engines/engines.ts';
import { fold, language } from './embedded.ts';
import { findIn } from './finding.ts';
import type { OpenListing } from './listing.ts';
import type { OpenProjections } from './projections.ts';

export const openIndex = (config: ClusterConfig, limits?: Limits, clock: () => number = Date.now) => {
  const opened = openElasticsearchIndex({ config, clock, decodeDocument });
  const { analyse } = language();
  const searched = openSearchedIndex({
    connection: config,
    clock,
    decodeDocument,
    analyse,
    makeYieldWhenDue,
    limits,
  });
  return {
    ...opened,
    index: { ...searched.retrieval, ...opened.details },
    close: async () => {
      await opened.close();
      await searched.close();
    },
  };
};

/** Makes all that was written visible to searches. */
const refresh = async (config: ClusterConfig): Promise<void> => {
  await fetch(
    `${config.elasticsearchUrl}/${recallAlias(config)}-*,${accountIndex(config)}/_refresh?ignore_unavailable=true`,
    {
      method: 'POST',
    },
  );
};

/** Removes all that a namespace has in Elasticsearch. */
const dropIndexes = async (config: ClusterConfig): Promise<void> => {
  const alias = recallAlias(config);
  const indices = await fetch(`${config.elasticsearchUrl}/${alias}-*?filter_path=*.aliases`);
  const names = Object.keys((await indices.json()) as object);
  for (const path of [
    ...names,
    registryIndex(config),
    accountIndex(config),
    `_index_template/${alias}`,
    `_index_template/${accountIndex(config)}`,
  ])
    await deleteInElasticsearch(config, path);
};

export type ElasticsearchProjections = OpenProjections & {
  config: ClusterConfig;
  opened: ReturnType<typeof openIndex>;
};

/** Positions are Redis's in the product; here a map stands for them. */
export const openElasticsearchProjections = async (
  config = clusterConfig(),
  positions: Positions = {},
  clock: () => number = Date.now,
): Promise<ElasticsearchProjections> => {
  await migrateIndex(config);
  const opened = openIndex(config, undefined, clock);
  const recall = connectRecallRows(config, decodeDocument, { generation: 1, isServing: true });
  let accounts = 0;
  const others: ReturnType<typeof openIndex>[] = [];
  const closeAll = async (): Promise<void> => {
    for (const one of [opened, recall, ...others]) await one.close();
  };
  return {
    config,
    opened,
    store: {
      positions: async () => ({ ...positions }),
      apply: async batch => {
        const written = await opened.store.apply(batch.recall);
        if (written.kind === 'written' && written.refused.size === 0)
          Object.assign(positions, batch.positions);
        return written;
      },
      close: async () => {},
    },
    index: opened.index,
    listing: opened.listing,
    feed: opened.feedOf(async () => ({ ...positions })),
    sweep: async now => {
      await refresh(config);
      while (await opened.sweep(now)) await refresh(config);
      await refresh(config);
    },
    swept: opened.swept,
    known: opened.isIndexed,
    rows: openClusterRows({
      positions: async () => ({ ...positions }),
      firstDay: undefined,
      stores: { recall },
    }),
    kept: async () => {
      const kinds = { terms: { kind: ['turn', 'said', 'extracted', 'mention', 'vectors'] } };
      const { count } = await opened.elasticsearch.ask<{ count: number }>(
        'POST',
        `/${recallAlias(config)}/_count`,
        { body: { query: kinds } },
      );
      return count;
    },
    account: async events => {
      await migrateAccountIndex(config);
      const entities = openAccountEntities(config);
      const topic = { topic: 'accounts', partition: 0 } as const;
      const logged = events.map((event, n) => ({ ...event, ...topic, offset: accounts + n }));
      const range = { ...topic, from: accounts, next: accounts + events.length };
      accounts = await entities.apply(logged, range, clock());
      await entities.close();
    },
    indexOf: limits => {
      const one = openIndex(config, limits, clock);
      others.push(one);
      return one.index;
    },
    reopen: async () => {
      await closeAll();
      return openElasticsearchProjections(config, positions, clock);
    },
    close: async () => {
      await closeAll();
      await dropIndexes(config);
    },
  };
};

/** How the tests replay: other generations of an index, which projectors write to once they are served. */
export const generationsOf = ({ opened: { engine, registry } }: ElasticsearchProjections) => {
  /** Reads go to it from now on; all are written to. */
  const serve = async (number: number, version: string = PROJECTIONS.recall.version): Promise<void> => {
    await registry.change('recall', ({ generations, last }) => ({
      generations: [
        ...generations
          .filter(one => one.number !== number)
          .map(one => ({ ...one, state: 'standby' as const })),
        { number, version, state: 'serving' },
      ],
      last: Math.max(last, number),
    }));
    await engine.serve(number);
  };
  return {
    serve,
    /** The next one, made of these writes alone. */
    replay: async (writes: readonly RecallWrite[]): Promise<void> => {
      const number = (await registry.read('recall'))!.last + 1;
      await engine.make(number);
      for (const request of engine.requests(writes)) await engine.send(number, request);
      await engine.finish(number);
      await serve(number);
    },
  };
};

export const openElasticsearchListing = async (): Promise<OpenListing> => {
  const projections = await openElasticsearchProjections();
  const { store, index, opened, close } = projections;
  const { replay } = generationsOf(projections);
  return {
    listing: opened.listing,
    details: index,
    find: findIn(index),
    apply: async events => void (await store.apply({ ...fold(events), positions: {} })),
    promote: events => replay(fold(events).recall),
    close,
  };
};
