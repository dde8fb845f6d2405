import { connectClickhouse } from '../../infra/cluster/clickhouse-client.ts';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch-client.ts';
import { recallAlias } from '../../infra/cluster/elasticsearch-index.ts';
import { openClusterRows } from '../../infra/cluster/verifiable-rows.ts';
import type { AccountEvent } from '../../projections/accounts/projection.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import { makeRecallProjection } from '../../projections/recall/projection.ts';
import { projectUsage } from '../../projections/usage/projection.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import type { AccountStore } from '../accounts/store.ts';
import type { Decoded } from '../events.ts';
import type { VerifyMessage } from '../operator/verification.ts';
import type { LogRecord } from '../ports.ts';
import { PROJECTOR_GROUP } from '../projector/shared.ts';
import { utcDay } from '../quota.ts';
import { makeVerify, type VerifyOptions } from '../verify/verify.ts';
import type { Adapters } from './adapters.ts';

const DAY_MS = 86_400_000;
/** Sums over all rows of all organizations. */
const TIMEOUT_MS = 600_000;

/** Compares what serves in the shared engines with the log, in this process, over connections of its own. */
export const makeClusterVerify = (
  { log, language, clock }: Pick<Adapters, 'log' | 'language' | 'clock'>,
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
  return async function* (options: VerifyOptions, signal: AbortSignal): AsyncGenerator<VerifyMessage> {
    const elasticsearch = connectElasticsearch(cluster);
    const clickhouse = connectClickhouse(cluster, { timeoutMs: TIMEOUT_MS });
    const days = cluster.usageRetentionDays;
    try {
      const rows = openClusterRows({
        positions: () => log.committed(PROJECTOR_GROUP),
        recall: { elasticsearch, index: recallAlias(cluster), decodeDocument },
        usage: {
          clickhouse,
          tables: { rows: 'usage_rows', marks: 'usage_marks', days: 'usage_days' },
          firstDay: days > 0 ? utcDay(clock() - days * DAY_MS) : undefined,
        },
        accounts: { list: kind => accounts.list(kind) },
      });
      yield* verify(rows, options, signal);
    } finally {
      await Promise.all([elasticsearch.close(), clickhouse.close()]);
    }
  };
};
