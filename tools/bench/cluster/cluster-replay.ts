/**
 * Measures how fast a replay builds a generation of recall, and a bare bulk of the same documents, also with
 * several requests in flight.
 */
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallAlias } from '../../../infra/cluster/elasticsearch/index/index.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { deleteInElasticsearch } from '../../../test/support/engines/drop-namespace.ts';
import { ask } from '../../../test/support/processes/operator.ts';
import { readBulks, settleMerges } from './cluster-projection.ts';
import type { Installation } from './installation.ts';

/** As in services/cluster/replay: requests in flight, and approximate documents in each. */
const IN_FLIGHT = 3;
const BULK = 2_000;

export interface ClusterReplay {
  documents: number;
  /** From the plan to the comparison. */
  seconds: number;
  floors: { documents: number; seconds: number }[];
}

/** Writes the documents with one refresh at the end, since nobody reads them before. */
const putBare = async (
  elasticsearch: Elasticsearch,
  config: ClusterConfig,
  bulks: readonly string[][],
): Promise<number> => {
  const index = `${recallAlias(config)}-bare`;
  await elasticsearch.ask('PUT', `/${index}`, { body: {} });
  const queue = bulks.values();
  const started = performance.now();
  const worker = async (): Promise<void> => {
    for (const lines of queue) {
      const { errors } = await elasticsearch.ask<{ errors: boolean }>('POST', `/${index}/_bulk`, {
        lines,
        timeoutMs: 60_000,
      });
      if (errors) throw new Error('the floor of the replay was refused a document');
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  await elasticsearch.ask('POST', `/${index}/_refresh`, { timeoutMs: 60_000 });
  const seconds = (performance.now() - started) / 1_000;
  await deleteInElasticsearch(config, index);
  return seconds;
};

export const measureClusterReplay = async ({
  cluster,
  config,
  say,
}: Installation): Promise<ClusterReplay> => {
  const alias = recallAlias(config);
  const elasticsearch = connectElasticsearch(config);
  try {
    const { count: documents } = await elasticsearch.ask<{ count: number }>('GET', `/${alias}/_count`);
    const bulks = await readBulks(elasticsearch, alias, BULK);
    const put = bulks.reduce((sum, lines) => sum + lines.length / 2, 0);
    const floor = async (): Promise<ClusterReplay['floors'][number]> => {
      await settleMerges(elasticsearch, alias);
      say(`${put} documents by bare bulks`);
      return { documents: put, seconds: await putBare(elasticsearch, config, bulks) };
    };
    const before = await floor();
    say(`replaying ${documents} documents`);
    const replay = ask(cluster, 'replay', { projection: 'recall' });
    await replay.until(({ kind }) => kind === 'plan');
    const started = performance.now();
    await replay.until(({ phase }) => phase === 'verifying');
    const seconds = (performance.now() - started) / 1_000;
    await replay.until(({ kind }) => kind === 'promoted');
    await replay.done;
    return { documents, seconds, floors: [before, await floor()] };
  } finally {
    await elasticsearch.close();
  }
};
