import { readConfig } from '../../../core/config.ts';
import { makeLog } from '../../../core/watch/logger.ts';
import { connectElasticsearch } from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallIndexOf } from '../../../infra/cluster/elasticsearch/index/index.ts';
import { openEngines } from '../../../services/cluster/open.ts';
import { dropNamespace } from '../../support/engines/drop-namespace.ts';
import { clusterConfig } from '../../support/engines/engines.ts';
import { runCommand } from '../../support/processes/command-line.ts';
import { temporaryFolder } from '../../support/processes/server.ts';
import { benchOf, type OpenGenerations } from './generations.ts';

/** The shared engines with every role in this process. */
export const openClusterGenerations: OpenGenerations = async () => {
  const folder = temporaryFolder();
  const { stdout } = await runCommand(['init-secrets', folder]);
  const installationKey = /TURNSTONE_INSTALLATION_KEY=(.+)/.exec(stdout)![1]!;
  const cluster = clusterConfig({ installationKey });
  const read = readConfig({ TURNSTONE_DATA_DIR: folder });
  if (!read.ok) throw new Error(read.faults.join('\n'));
  const engines = await openEngines({ ...read.config, mode: 'cluster', cluster }, makeLog('silent'), 0);
  await engines.watch.caughtUp;
  const elasticsearch = connectElasticsearch(cluster);
  return {
    ...benchOf(engines, 'recall'),
    damage: async generation => {
      const index = recallIndexOf(cluster, generation);
      await elasticsearch.ask('POST', `/${index}/_refresh`);
      type Found = { hits: { hits: { _id: string; _routing: string; _source: { text?: string } }[] } };
      const { hits } = await elasticsearch.ask<Found>('POST', `/${index}/_search`, {
        body: { query: { exists: { field: 'text' } }, size: 1 },
      });
      const { _id, _routing, _source } = hits.hits[0]!;
      await elasticsearch.ask('PUT', `/${index}/_doc/${_id}`, {
        query: { routing: _routing, refresh: true },
        body: { ..._source, text: 'x' },
      });
    },
    close: async () => {
      await engines.close();
      await elasticsearch.close();
      await dropNamespace(cluster);
    },
  };
};
