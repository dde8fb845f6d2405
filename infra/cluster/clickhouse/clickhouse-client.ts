import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  TupleParam,
} from '@clickhouse/client';
import { unavailable } from '../../../core/errors.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { withTlsFault } from '../tls.ts';

/**
 * The outages among ClickHouse's error codes (src/Common/ErrorCodes.cpp). The HTTP status doesn't distinguish
 * them: a misspelt column is a 500 too. Any other code is a bug or a wrong configuration, which retrying
 * doesn't fix.
 */
const OUTAGES = new Set([
  ...['74', '75', '76', '243', '425', '432', '439'], // files, no space, the system, no thread available
  ...['159', '160', '209', '210', '279', '1000'], // timeouts, network, a failure of the library beneath
  ...['202', '203', '241', '252', '745'], // too many queries, out of memory, too many parts, overloaded
  ...['225', '236', '242', '319', '394', '735', '999'], // Keeper, aborted, read-only, unknown outcome, cancelled
  ...['285', '286', '289'], // too few replicas
]);

const isOutage = (error: unknown): boolean => {
  if (error instanceof ClickHouseError) return OUTAGES.has(error.code);
  // An error without a ClickHouse code comes from the connection or a proxy.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
};

type Parameters = Record<string, unknown>;

export interface Clickhouse {
  /**
   * Runs a query. Values are bound as `{name:Type}`, never spliced. Throws `unavailable` for an outage, like
   * all methods.
   */
  rows<Row>(query: string, parameters?: Parameters): Promise<Row[]>;
  /** Resolves when the rows are on disk. */
  insert(table: string, rows: readonly object[]): Promise<void>;
  command(query: string, parameters?: Parameters): Promise<void>;
  close(): Promise<void>;
}

/** Returns a bound value of the type Tuple. */
export const tuple = (...values: readonly string[]): object => new TupleParam(values);

/**
 * The most bytes of bound values in a request: they are in its URL, and Node limits it with all headers to 16
 * KiB.
 */
const MOST_PARAMETER_BYTES = 10_000;

/** The connection settings; without `clickhouse`, only the URL's credentials are used. */
type ClickhouseConnection = Pick<ClusterConfig, 'clickhouseUrl' | 'namespace'> &
  Partial<Pick<ClusterConfig, 'clickhouse'>>;

const securityOf = ({ user, password, ca }: Partial<ClusterConfig['clickhouse']> = {}) => ({
  ...(user !== undefined && { username: user }),
  ...(password !== undefined && { password }),
  ...(ca !== undefined && { tls: { ca_cert: Buffer.from(ca) } }),
});

/** Connects a client to the installation's database, or to the server itself when `database` is ''. */
export const connectClickhouse = (
  { clickhouseUrl, clickhouse, namespace }: ClickhouseConnection,
  { timeoutMs, database = namespace }: { timeoutMs: number; database?: string },
): Clickhouse => {
  const url = new URL(clickhouseUrl);
  // A database in the URL would override ours.
  url.pathname = '';
  const client: ClickHouseClient = createClient({
    url,
    ...securityOf(clickhouse),
    application: 'turnstone',
    ...(database === '' ? {} : { database }),
    request_timeout: timeoutMs,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // Acknowledged means stored. We batch inserts ourselves (group-writes.ts), regardless of the server's
      // profile.
      async_insert: 0,
      wait_for_async_insert: 1,
      // Every mark counts, even if it equals the previous one, which replicated tables would drop as a
      // duplicate.
      insert_deduplicate: 0,
      // An error in the middle of a response gets an error status.
      wait_end_of_query: 1,
      // Equal keys have the same day and are therefore in one partition.
      do_not_merge_across_partitions_select_final: 1,
    },
  });

  const reach = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw isOutage(error) ? unavailable(withTlsFault('ClickHouse is unreachable', error), error) : error;
    }
  };

  return {
    rows: <Row>(query: string, query_params: Parameters = {}): Promise<Row[]> =>
      reach(async () => {
        const result = await client.query({ query, query_params, format: 'JSONEachRow' });
        return await result.json<Row>();
      }),
    insert: (table, values) =>
      reach(async () => {
        await client.insert({ table, values: [...values], format: 'JSONEachRow' });
      }),
    command: (query, query_params = {}) =>
      reach(async () => {
        await client.command({ query, query_params });
      }),
    close: () => client.close(),
  };
};

/** Splits items into lists whose bound values fit into a request. */
export const inRequests = <T>(items: readonly T[], textOf: (item: T) => string): T[][] => {
  const requests: T[][] = [];
  let room = 0;
  for (const item of items) {
    // 9: quotes and a comma, escaped.
    const bytes = encodeURIComponent(textOf(item)).length + 9;
    if (bytes > room || requests.length === 0) {
      requests.push([]);
      room = MOST_PARAMETER_BYTES;
    }
    requests.at(-1)!.push(item);
    room -= bytes;
  }
  return requests;
};
