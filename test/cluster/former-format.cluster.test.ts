import { afterAll, afterEach, expect, it } from 'vitest';
import { FORMAT } from '../../core/format.ts';
import { connectClickhouse } from '../../infra/cluster/clickhouse/clickhouse-client.ts';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { registryIndex } from '../../infra/cluster/elasticsearch/index/registry.ts';
import { migrateEngines } from '../../services/cluster/open.ts';
import { deleteInElasticsearch } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { topicsOf } from '../support/engines/kafka.ts';

describeOnEngines('what is of another format', () => {
  const config = clusterConfig();
  const elasticsearch = connectElasticsearch(config);
  const clickhouse = connectClickhouse(config, { timeoutMs: 60_000, database: '' });
  const database = `\`${config.namespace}\``;
  afterEach(async () => {
    await deleteInElasticsearch(config, registryIndex(config));
    await clickhouse.command(`DROP DATABASE IF EXISTS ${database} SYNC`);
  });
  afterAll(() => Promise.all([elasticsearch.close(), clickhouse.close()]));

  /** Nothing is made beside it, either. */
  const expectRefused = async (data: string, found: string): Promise<void> => {
    const made: string[] = [];
    await expect(migrateEngines(config, line => made.push(line))).rejects.toThrow(
      `The data in the ${data} was written by a development version before 0.1.0 (${found}; this version reads format ${FORMAT}). Start with another TURNSTONE_NAMESPACE.`,
    );
    expect(made).toEqual([]);
    expect(await topicsOf(config)).toEqual([]);
  };

  it('is refused in one sentence where it is in indices', async () => {
    await elasticsearch.ask('PUT', `/${registryIndex(config)}`, {
      body: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    });
    await expectRefused(`indices ${config.namespace}-*`, 'no format number');
  });

  it.each([
    ['', 'no format number'],
    [`COMMENT 'format ${FORMAT - 1}'`, `format ${FORMAT - 1}`],
  ])('is refused in one sentence where it is in tables, %s', async (comment, found) => {
    await clickhouse.command(`CREATE DATABASE ${database}`);
    await clickhouse.command(
      `CREATE TABLE ${database}.usage_rows (org String) ENGINE = MergeTree ORDER BY org ${comment}`,
    );
    await expectRefused(`database ${config.namespace}`, found);
  });
});
