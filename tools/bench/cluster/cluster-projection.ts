/** Measures one projector on the events of the ingestion, and a plain `bulk` of the resulting documents. */

import type { Positions, SharedLog } from '../../../core/ports.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallAlias } from '../../../infra/cluster/elasticsearch/index/index.ts';
import { openKafkaLog } from '../../../infra/cluster/kafka/log.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { PROJECTOR_GROUP } from '../../../services/workers/projector/group.ts';
import { deleteInElasticsearch } from '../../../test/support/engines/drop-namespace.ts';
import { pause } from '../load/load.ts';
import { type CpuSeconds, cpuSeconds, spent } from '../load/process.ts';
import type { Installation } from './installation.ts';

const LOOK_MS = 100;
const DRAIN_SECONDS = 300;
const PROJECTED = /^(turns|observations|usage|accounts)\//;
/** Records per step of the projector (infra/cluster/kafka/consumer.ts). */
const STEP_RECORDS = 500;
/** Maximum documents, which are held in memory. */
const MOST_DOCUMENTS = 100_000;
const PAGE = 1_000;
/** Time between two pages, after which the scroll ends by itself. */
const SCROLL = '20s';
const MERGE_SECONDS = 60;

export interface ClusterProjection {
  events: number;
  documents: number;
  /** From the first projected event to the last. */
  seconds: number;
  /** CPU microseconds per event, by kind of thread. */
  cpu: CpuSeconds;
  floor: { documents: number; seconds: number; bulk: number };
}

/** Returns the number of events that the projector has not committed yet. */
const projectorLag = async (log: SharedLog): Promise<number> => {
  const [ends, committed]: Positions[] = await Promise.all([log.ends(), log.committed(PROJECTOR_GROUP)]);
  return Object.entries(ends!)
    .filter(([topicPartition]) => PROJECTED.test(topicPartition))
    .reduce((sum, [topicPartition, end]) => sum + Math.max(end - (committed![topicPartition] ?? 0), 0), 0);
};

/** Returns the seconds until nothing is left to project, from the last check before any was projected. */
export const drain = async (log: SharedLog, onStart: () => void = () => {}): Promise<number> => {
  const behind = await projectorLag(log);
  const limit = performance.now() + DRAIN_SECONDS * 1_000;
  let started = performance.now();
  for (let lag = behind; lag > 0; lag = await projectorLag(log)) {
    if (lag === behind) {
      started = performance.now();
      onStart();
    }
    if (performance.now() > limit)
      throw new Error(`${lag} events are not projected after ${DRAIN_SECONDS} s`);
    await pause(LOOK_MS);
  }
  return (performance.now() - started) / 1_000;
};

/** Waits for merges of earlier writes, so that they don't disturb the next measurement. */
export const settleMerges = async (elasticsearch: Elasticsearch, alias: string): Promise<void> => {
  type Stats = { _all: { total: { merges: { current: number } } } };
  const limit = performance.now() + MERGE_SECONDS * 1_000;
  while (performance.now() < limit) {
    const stats = await elasticsearch.ask<Stats>('GET', `/${alias}/_stats/merge`);
    if (stats._all.total.merges.current === 0) return;
    await pause(250);
  }
};

interface Page {
  _scroll_id: string;
  hits: { hits: { _id: string; _routing: string; _source: object }[] };
}

/** Returns the documents of the index as the lines of bulk requests. */
export const readBulks = async (
  elasticsearch: Elasticsearch,
  alias: string,
  size: number,
): Promise<string[][]> => {
  const lines: string[] = [];
  let page = await elasticsearch.ask<Page>('POST', `/${alias}/_search`, {
    query: { scroll: SCROLL, size: PAGE, sort: '_doc' },
  });
  while (page.hits.hits.length > 0 && lines.length < 2 * MOST_DOCUMENTS) {
    for (const { _id, _routing: routing, _source: source } of page.hits.hits)
      lines.push(JSON.stringify({ create: { _id, routing } }), JSON.stringify(source));
    const { _scroll_id: scroll_id } = page;
    page = await elasticsearch.ask('POST', '/_search/scroll', { body: { scroll: SCROLL, scroll_id } });
  }
  return Array.from({ length: Math.ceil(lines.length / (2 * size)) }, (_, i) =>
    lines.slice(2 * size * i, 2 * size * (i + 1)),
  );
};

/** Returns the seconds for all of them, one request at a time, each visible when it is answered. */
const putBulks = async (
  elasticsearch: Elasticsearch,
  config: ClusterConfig,
  bulks: readonly string[][],
): Promise<number> => {
  // The template gives this index the same mapping.
  const index = `${recallAlias(config)}-floor`;
  await elasticsearch.ask('PUT', `/${index}`, { body: {} });
  const started = performance.now();
  for (const lines of bulks) {
    const { errors } = await elasticsearch.ask<{ errors: boolean }>('POST', `/${index}/_bulk`, {
      query: { refresh: true },
      lines,
      timeoutMs: 60_000,
    });
    if (errors) throw new Error('the floor of projection was refused a document');
  }
  const seconds = (performance.now() - started) / 1_000;
  await deleteInElasticsearch(config, index);
  return seconds;
};

export const measureClusterProjection = async ({
  cluster,
  config,
  say,
  profile,
}: Installation): Promise<ClusterProjection> => {
  const alias = recallAlias(config);
  const elasticsearch = connectElasticsearch(config);
  const log = await openKafkaLog(config, { clientId: 'bench' });
  try {
    const events = await projectorLag(log);
    say(`projecting ${events} events`);
    const projector = await cluster.start('projector', { profile });
    const pid = projector.child.pid!;
    let before: CpuSeconds = {};
    const seconds = await drain(log, () => {
      before = cpuSeconds(pid);
    });
    const cpu = Object.entries(spent(before, cpuSeconds(pid))).map(
      ([thread, each]) => [thread, (each * 1e6) / events] as const,
    );
    await projector.stop();

    const { count: documents } = await elasticsearch.ask<{ count: number }>('GET', `/${alias}/_count`);
    const bulk = Math.max(Math.round((STEP_RECORDS * documents) / events), 1);
    await settleMerges(elasticsearch, alias);
    const bulks = await readBulks(elasticsearch, alias, bulk);
    const put = bulks.reduce((sum, lines) => sum + lines.length / 2, 0);
    say(`${put} of its documents by plain bulks of ${bulk}`);
    const floorSeconds = await putBulks(elasticsearch, config, bulks);
    return {
      events,
      documents,
      seconds,
      cpu: Object.fromEntries(cpu),
      floor: { documents: put, seconds: floorSeconds, bulk },
    };
  } finally {
    await Promise.all([elasticsearch.close(), log.close()]);
  }
};
