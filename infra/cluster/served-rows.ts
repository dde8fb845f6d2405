import type { AccountDocuments, AccountKind } from '../../projections/accounts/projection.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import type { Positions, VerifiableRows } from '../../services/core/ports.ts';
import { connectClickhouse } from './clickhouse/client.ts';
import { usageTableOf } from './clickhouse/tables.ts';
import { connectElasticsearch } from './elasticsearch/client.ts';
import { recallAlias, recallIndexOf } from './elasticsearch/index.ts';
import { openClusterRows } from './verifiable-rows.ts';

/** Sums over all rows of all organizations. */
const TIMEOUT_MS = 600_000;

/** A generation that doesn't serve yet. */
export interface OneGeneration {
  projection: 'recall' | 'usage';
  generation: number;
}

export interface ServedRowsOptions {
  config: ClusterConfig;
  /** Next offsets: everything below is written and visible. */
  positions: () => Promise<Positions>;
  /** The generation of usage that serves. */
  servingUsage: () => Promise<number>;
  /** The first UTC day of usage that is kept; undefined: all are. */
  firstDay: string | undefined;
  accounts: (kind: AccountKind) => Promise<AccountDocuments[AccountKind][]>;
}

/**
 * The rows of what serves, or of one generation alone, over connections of their own: a verification reads everything,
 * and must not slow down calls. `close` ends the connections.
 */
export const connectServedRows = async (
  { config, positions, servingUsage, firstDay, accounts }: ServedRowsOptions,
  only: OneGeneration | undefined,
): Promise<{ rows: VerifiableRows; close(): Promise<void> }> => {
  const elasticsearch = connectElasticsearch(config);
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  const close = async (): Promise<void> => {
    await Promise.all([elasticsearch.close(), clickhouse.close()]);
  };
  try {
    const index = only ? recallIndexOf(config, only.generation) : recallAlias(config);
    const recall = { elasticsearch, index, decodeDocument };
    const usageOf = async () => ({
      clickhouse,
      tables: {
        rows: usageTableOf(only?.generation ?? (await servingUsage())),
        isServing: only === undefined,
      },
      firstDay,
    });
    const rows = openClusterRows({
      positions,
      ...(only?.projection !== 'usage' && { recall }),
      ...(only?.projection !== 'recall' && { usage: await usageOf() }),
      ...(only === undefined && { accounts: { list: accounts } }),
    });
    return { rows, close };
  } catch (error) {
    await close();
    throw error;
  }
};
