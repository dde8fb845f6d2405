import { connectClickhouse } from '../../infra/cluster/clickhouse/client.ts';
import { usageTableOf } from '../../infra/cluster/clickhouse/tables.ts';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/client.ts';
import { recallAlias, recallIndexOf } from '../../infra/cluster/elasticsearch/index.ts';
import { openClusterRows } from '../../infra/cluster/verifiable-rows.ts';
import type { AccountEvent } from '../../projections/accounts/projection.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import { makeRecallProjection } from '../../projections/recall/projection.ts';
import { projectUsage } from '../../projections/usage/projection.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { servingOf } from '../core/generations.ts';
import type { Decoded } from '../core/log/events.ts';
import type { AccountStore } from '../core/ports/account-store.ts';
import type { LogRecord } from '../core/ports.ts';
import { utcDay } from '../core/quota-exceeded.ts';
import type { VerifyMessage } from '../operations/operator/verification.ts';
import { makeVerify, type VerifyOptions } from '../operations/verify/verify.ts';
import { PROJECTOR_GROUP } from '../workers/projector/group.ts';
import type { Adapters } from './adapters.ts';

const DAY_MS = 86_400_000;
/** Sums over all rows of all organizations. */
const TIMEOUT_MS = 600_000;

/** Compares what serves in the shared engines with the log, in this process, over connections of its own. */
export const makeClusterVerify = (
  { log, language, clock, recall }: Pick<Adapters, 'log' | 'language' | 'clock' | 'recall'>,
  cluster: ClusterConfig,
  decode: (record: LogRecord) => Promise<Decoded>,
  accounts: Pick<AccountStore, 'list'>,
) => {
  const verify = makeVerify({
    log,
    decode,
    folds: {
      recall: makeRecallProjection(language),
      usage: projectUsage,
      accounts: event => (event.topic === 'accounts' ? [event as unknown as AccountEvent] : []),
    },
    clock,
  });
  const servingOfUsage = async (): Promise<number> => {
    const registered = await recall.registry.read('usage');
    return (registered && servingOf(registered)?.number) ?? 1;
  };

  /** `only`: a generation that doesn't serve yet; without it what serves. */
  return async function* (
    options: VerifyOptions,
    signal: AbortSignal,
    only?: { projection: 'recall' | 'usage'; generation: number },
  ): AsyncGenerator<VerifyMessage> {
    const elasticsearch = connectElasticsearch(cluster);
    const clickhouse = connectClickhouse(cluster, { timeoutMs: TIMEOUT_MS });
    const days = cluster.usageRetentionDays;
    try {
      const rows = openClusterRows({
        positions: () => log.committed(PROJECTOR_GROUP),
        ...(only?.projection !== 'usage' && {
          recall: {
            elasticsearch,
            index: only ? recallIndexOf(cluster, only.generation) : recallAlias(cluster),
            decodeDocument,
          },
        }),
        ...(only?.projection !== 'recall' && {
          usage: {
            clickhouse,
            tables: {
              rows: usageTableOf(only?.generation ?? (await servingOfUsage())),
              isServing: only === undefined,
            },
            firstDay: days > 0 ? utcDay(clock() - days * DAY_MS) : undefined,
          },
        }),
        ...(only === undefined && { accounts: { list: kind => accounts.list(kind) } }),
      });
      yield* verify(rows, options, signal);
    } finally {
      await Promise.all([elasticsearch.close(), clickhouse.close()]);
    }
  };
};
