import { createClient } from '@clickhouse/client';
import { openUsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../infra/cluster/clickhouse/usage-tables.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics.ts';
import type { Tokens } from '../../services/core/ports.ts';
import { FIRST_ALONE } from '../support/cluster-generations.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { deleteTopics } from '../support/kafka.ts';
import { describeDeadLetters } from './dead-letters.contract.ts';
import { describeFrames } from './frames.contract.ts';
import type { OpenDeadLetters, OpenReadModels } from './openers/dead-letters.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';

const sumOf = (days: Iterable<Tokens>): Tokens => {
  const sum = { tokensIn: 0, tokensOut: 0 };
  for (const { tokensIn, tokensOut } of days) {
    sum.tokensIn += tokensIn;
    sum.tokensOut += tokensOut;
  }
  return sum;
};

describeOnEngines('dead letters', () => {
  const open = async (): Promise<OpenDeadLetters> => {
    const config = clusterConfig({ partitions: 2 });
    await migrateTopics(config);
    const log = await openKafkaLog(config);
    const closers: (() => unknown)[] = [() => log.close(), () => deleteTopics(config)].reverse();
    return {
      log,
      readModels: async (): Promise<OpenReadModels> => {
        const own = clusterConfig();
        await migrateUsage(own);
        const { store, index, close } = await openElasticsearchProjections(own);
        const usage = openUsageStore({
          config: own,
          clock: () => Date.parse('2026-03-20T12:00:00Z'),
          generations: FIRST_ALONE,
          paceMs: 1,
        });
        const client = createClient({ url: own.clickhouseUrl });
        closers.push(
          async () => {
            await client.command({ query: `DROP DATABASE IF EXISTS \`${own.namespace}\`` });
            await client.close();
          },
          () => usage.close(),
          close,
        );
        return {
          store: {
            apply: async batch => {
              const written = await store.apply(batch);
              const isWhole = written.kind === 'written' && written.refused.size === 0;
              return isWhole ? usage.append(batch.usage) : written;
            },
          },
          index,
          billed: async (from, to) => sumOf((await usage.daily('acme', from, to)).values()),
        };
      },
      close: async () => {
        for (const closer of closers.reverse()) await closer();
      },
    };
  };

  describeDeadLetters('cluster', open, { ordersByPlace: true });
  describeFrames('cluster', open);
});
