/**
 * Measures the cost of a filter in a recall from a scope of 20,000 turns, against the same recall without
 * one, in this process and over HTTP to Elasticsearch: the search alone, without admission and billing.
 *
 *   node tools/bench/filters.ts embedded
 *   node tools/bench/filters.ts --elasticsearch http://127.0.0.1:9200
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeYieldWhenDue } from '../../core/fairness/yield-when-due.ts';
import type { Listing, Retrieval, TurnDetails } from '../../core/ports.ts';
import { conditionIn } from '../../domain/filter/condition.ts';
import { makeLanguage } from '../../domain/language/language.ts';
import { decodeDocument } from '../../domain/language/vectors/codec.ts';
import { migrateIndex, recallAlias } from '../../infra/cluster/elasticsearch/index/index.ts';
import { openElasticsearchIndex } from '../../infra/cluster/elasticsearch/recall-index.ts';
import { openSearchedIndex } from '../../infra/cluster/elasticsearch/search/searched-index.ts';
import { createProjectionsDatabase } from '../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../infra/embedded/index/file/projection-store.ts';
import { openListing } from '../../infra/embedded/index/read/lists/listing.ts';
import { openRecallDetails } from '../../infra/embedded/index/read/recall-details.ts';
import { openAnswersReader } from '../../infra/embedded/index/read/search/answers-reader.ts';
import { openRetrieval } from '../../infra/embedded/index/retrieval.ts';
import { makeRecallProjection } from '../../projections/recall/recall-fold.ts';
import type { RecallWrite } from '../../projections/recall/recall-writes.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import type { Filter } from '../../schemas/http/queries/filter.ts';
import { makeSearch } from '../../services/use-cases/recall/search.ts';
import { minute, turnRecorded } from '../../test/support/worlds/builders.ts';
import { quantile } from './measure/quantile.ts';

const TURNS = 20_000;
const TURNS_OF_A_SESSION = 50;
const WRITTEN_TOGETHER = 2_000;
const RUNS = 3;
const QUERIES = 40;
const WARM_UP = 10;

/** Filters that leave 20, all, half, all, and all but 20 of the 20,000 turns. */
const FILTERS: Record<string, Filter | undefined> = {
  'no filter': undefined,
  'eq that leaves 20': { key: 'ticket', eq: 7 },
  'eq that leaves all': { key: 'agent_id', eq: 'planner' },
  'a range that leaves half': { key: 'step', gte: TURNS / 2 },
  'exists that leaves all': { key: 'step', exists: true },
  'not that leaves all but 20': { not: { key: 'ticket', eq: 7 } },
};

const language = makeLanguage(
  readFileSync(new URL('../../domain/language/vectors/static-vectors.bin', import.meta.url)),
);

interface Opened {
  retrieval: Retrieval;
  details: TurnDetails;
  listing: Pick<Listing, 'entities' | 'entitiesById'>;
  apply(writes: readonly RecallWrite[]): Promise<void>;
  close(): Promise<void>;
}

const openEmbedded = async (): Promise<Opened> => {
  const folder = mkdtempSync(join(tmpdir(), 'turnstone-filters-'));
  const path = join(folder, 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const reader = openAnswersReader(path, Date.now);
  const { analyse } = language;
  return {
    retrieval: openRetrieval({ reader, decodeDocument, analyse, makeYieldWhenDue }),
    details: openRecallDetails(reader),
    listing: openListing(reader, makeYieldWhenDue),
    apply: async recall => {
      await store.apply({
        recall: [...recall],
        usage: [],
        accounts: [],
        audit: [],
        activity: [],
        logged: [],
        positions: {},
      });
    },
    close: async () => {
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
};

const openElasticsearch = async (elasticsearchUrl: string): Promise<Opened> => {
  const config = {
    namespace: `bench-${randomBytes(5).toString('hex')}`,
    elasticsearchUrl,
    elasticsearch: {},
    partitions: 1,
    shards: 1,
    replicas: 0,
  } as ClusterConfig;
  await migrateIndex(config);
  const { analyse } = language;
  const clock = Date.now;
  const opened = openElasticsearchIndex({ config, clock, decodeDocument });
  const searched = openSearchedIndex({
    connection: config,
    clock,
    decodeDocument,
    analyse,
    makeYieldWhenDue,
  });
  const { ask } = opened.elasticsearch;
  return {
    ...searched,
    apply: async writes => void (await opened.store.apply(writes)),
    close: async () => {
      const { indices } = await ask<{ indices: { name: string }[] }>(
        'GET',
        `/_resolve/index/${config.namespace}-*`,
      );
      for (const { name } of indices) await ask('DELETE', `/${name}`);
      await ask('DELETE', `/_index_template/${recallAlias(config)}`);
      await opened.close();
      await searched.close();
    },
  };
};

const { elasticsearch } = parseArgs({ options: { elasticsearch: { type: 'string' } } }).values;
const { retrieval, details, listing, apply, close } = await (elasticsearch
  ? openElasticsearch(elasticsearch)
  : openEmbedded());

/** Returns the p50 of recalls under a filter, in milliseconds, and the number of turns that it leaves. */
const measure = async (filter: Filter | undefined): Promise<{ p50: number; turns: number }> => {
  const search = makeSearch({ retrieval, details, listing, language });
  const scope = { org: 'acme', user: 'ada', filter: conditionIn(filter) };
  const took: number[] = [];
  for (let n = 0; n < WARM_UP + QUERIES; n++) {
    const q = `Who repaired the telescope in Lisbon, ref${n * 97}?`;
    const started = performance.now();
    await search({
      scope,
      q,
      mode: 'active',
      kinds: ['turn', 'observation'],
      tail: [],
      topK: 10,
      moment: minute(TURNS),
    });
    if (n >= WARM_UP) took.push(performance.now() - started);
  }
  const { statistics } = await retrieval.retrieve(scope, () => language.analyseQuery('telescope', []), []);
  return { p50: quantile(took, 0.5), turns: statistics.turns };
};

try {
  const project = makeRecallProjection(language);
  for (let first = 0; first < TURNS; first += WRITTEN_TOGETHER) {
    const events = Array.from({ length: WRITTEN_TOGETHER }, (_, i) => {
      const n = first + i;
      const metadata = { agent_id: 'planner', ticket: n % 1_000, step: n };
      return turnRecorded(n, { session: `s${Math.floor(n / TURNS_OF_A_SESSION)}`, metadata });
    });
    await apply(events.flatMap(project));
  }
  const runs: Map<string, { p50: number; turns: number }>[] = [];
  for (let run = 0; run < RUNS; run++) {
    const measured = new Map<string, { p50: number; turns: number }>();
    for (const [name, filter] of Object.entries(FILTERS)) measured.set(name, await measure(filter));
    runs.push(measured);
  }
  for (const name of Object.keys(FILTERS)) {
    const p50 = quantile(
      runs.map(run => run.get(name)!.p50),
      0.5,
    );
    console.log(`${name.padEnd(28)} ${runs[0]!.get(name)!.turns} turns, p50 ${p50.toFixed(1)} ms`);
  }
} finally {
  await close();
}
