import type { AccountDocuments, AccountKind, AccountState } from '../../projections/accounts/projection.ts';
import type { Document } from '../../projections/recall/document.ts';
import { accountRow, type Row, type VerifiedProjection } from '../../projections/verify/row.ts';
import type { Positions, VerifiableRows } from '../../services/core/ports.ts';
import type { Clickhouse } from './clickhouse/client.ts';
import { type UsageTables, usageRows } from './clickhouse/verifiable-rows.ts';
import type { Elasticsearch } from './elasticsearch/client.ts';
import { pictureIndex } from './elasticsearch/verifiable-rows.ts';

export interface ClusterRows {
  /** Next offsets: everything below is settled. */
  positions: () => Promise<Positions>;
  /** `index`: a generation's name, or an alias. */
  recall?: {
    elasticsearch: Elasticsearch;
    index: string;
    decodeDocument: (bytes: Uint8Array) => Document;
  };
  usage?: { clickhouse: Clickhouse; tables: UsageTables; firstDay?: string | undefined };
  accounts?: { list: (kind: AccountKind) => Promise<AccountDocuments[AccountKind][]> };
}

const KINDS: readonly AccountKind[] = ['organization', 'api_key', 'rotation', 'family'];

const idOf = (kind: AccountKind, document: object): string => {
  const names = { organization: 'org_id', api_key: 'key_id', rotation: 'token_id', family: 'family_id' };
  return String((document as Record<string, unknown>)[names[kind]]);
};

/**
 * The rows of a generation in the shared engines, of the given projections. The engines' data is newer than
 * the positions, which are read first: Elasticsearch's at one point in time, ClickHouse's below the
 * positions, Redis' documents as they are when they are read.
 */
export const openClusterRows = ({ positions, recall, usage, accounts }: ClusterRows): VerifiableRows => {
  const own = usage && usageRows(usage.clickhouse, usage.tables, usage.firstDay);
  const given: Record<VerifiedProjection, unknown> = { recall, usage, accounts };

  const accountRows = async function* (): AsyncGenerator<Row> {
    for (const kind of accounts ? KINDS : []) {
      for (const document of await accounts!.list(kind)) {
        const id = idOf(kind, document);
        yield accountRow({ kind, id, org: document.org_id, document } as AccountState);
      }
    }
  };

  return {
    projections: (Object.keys(given) as VerifiedProjection[]).filter(name => given[name] !== undefined),
    usage: 'billed',
    firstDay: usage?.firstDay,
    positions,
    open: async () => {
      const at = await positions();
      const picture =
        recall && (await pictureIndex(recall.elasticsearch, recall.index, recall.decodeDocument));
      return {
        positions: at,
        rows: async function* (sample) {
          if (picture) yield* picture.rows(sample);
          if (own) yield* own.rows(sample, at);
          yield* accountRows();
        },
        derived: async function* () {
          if (picture) yield* picture.derived();
          if (own) yield* await own.derived();
        },
        close: async () => picture?.close(),
      };
    },
  };
};
