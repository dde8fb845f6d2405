import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import type { Tokens } from '../../core/ports.ts';
import { openUsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../infra/cluster/clickhouse/usage-tables.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import { openAdmission } from '../../infra/embedded/admission/admission.ts';
import { makeUnsettled } from '../../infra/embedded/admission/unsettled.ts';
import { openProjectionsReader } from '../../infra/embedded/index/file/projections-database.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { FIRST_ALONE } from '../support/engines/cluster-generations.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { deleteTopics } from '../support/engines/kafka.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { describeDeadLetters } from './dead-letters.contract.ts';
import { describeFrames } from './frames.contract.ts';
import type { OpenDeadLetters, OpenReadModels } from './openers/dead-letters.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';
import { openFolder } from './openers/log.ts';

describeInBothModes('dead letters', {
  embedded: () => {
    const open = async (): Promise<OpenDeadLetters> => {
      const { log, close } = await openFolder(temporaryFolder());
      const closers: (() => unknown)[] = [close];
      return {
        log,
        readModels: async () => {
          const folder = temporaryFolder();
          const { store, index, close } = await openProjections(folder);
          const reader = openProjectionsReader(join(folder, 'projections.db'));
          closers.push(close, () => reader.close());
          const { billed } = openAdmission(
            reader,
            makeUnsettled(() => false),
          );
          return { store, index, billed: (from, to) => billed('acme', from, to) };
        },
        close: async () => {
          for (const closer of closers.reverse()) await closer();
        },
      };
    };

    // Its segments order them by their arrival (docs/internals/decisions/projections/0015-dead-letters.md).
    describeDeadLetters('embedded', open, { ordersByAddress: false });
    describeFrames('embedded', open);
  },
  cluster: () => {
    const sumOf = (days: Iterable<Tokens>): Tokens => {
      const sum = { tokensIn: 0, tokensOut: 0 };
      for (const { tokensIn, tokensOut } of days) {
        sum.tokensIn += tokensIn;
        sum.tokensOut += tokensOut;
      }
      return sum;
    };

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

    describeDeadLetters('cluster', open, { ordersByAddress: true });
    describeFrames('cluster', open);
  },
});
