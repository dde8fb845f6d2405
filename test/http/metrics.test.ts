import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLog } from '../../core/watch/logger.ts';
import { lagGauges } from '../../services/workers/lag-gauges.ts';
import { makeProgress } from '../../services/workers/progress.ts';
import { ALERT_GROUPS } from '../../tools/observability/alerts/all.ts';
import { DASHBOARDS } from '../../tools/observability/dashboards/all.ts';
import { METRICS, NODE_METRICS, PROMETHEUS_METRICS } from '../../tools/observability/metrics.ts';
import { inFolder } from '../contracts/openers/log.ts';
import { type Client, connect, expectStatus, send } from '../support/http/client.ts';
import { ROOT, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { labelsInLegend, namedIn, type Scrape, scrapeOf } from '../support/promql.ts';
import { until } from '../support/wait.ts';

/**
 * Tests that a running service exposes what dashboards and alerts are made of. Its models are out of reach,
 * so that it has their metrics, too; one record of its log can't be projected.
 */

const NOBODY = 'http://127.0.0.1:9';

let server: Server;
let client: Client;
let scrape: Scrape;
let billed: { tokens_in: number; tokens_out: number };

const said = '2026-03-01T10:00:00Z';

beforeAll(async () => {
  const dataDir = temporaryFolder();
  const record = { topic: 'turns' as const, key: JSON.stringify(['local', 'ada', 's']), headers: {} };
  await inFolder(dataDir, ({ log }) => log.append([{ ...record, value: Buffer.from('no event') }]));
  server = await startServer({
    dataDir,
    environment: {
      TURNSTONE_EXTRACTOR: 'llm',
      TURNSTONE_LLM_BASE_URL: NOBODY,
      TURNSTONE_LLM_MODEL: 'none',
      TURNSTONE_EMBEDDINGS_BASE_URL: NOBODY,
      TURNSTONE_EMBEDDINGS_MODEL: 'none',
    },
  });
  client = await connect(server);
  const scope = { user_id: 'ada', session_id: 's' };
  await client.ingest({ scope, turns: [{ role: 'Ada', text: 'Grace moved to Lisbon.', timestamp: said }] });
  for (const value of ['Lisbon', 'Porto']) {
    const text = `Grace lives in ${value}.`;
    const fact = { scope: { org_id: 'any', ...scope }, text, subject: 'Grace', attribute: 'home', value };
    expectStatus(await client.request('POST', '/memory/observations', { ...fact, timestamp: said }), 201);
  }
  await client.recall({ q: 'Where does Grace live?', holds: 'ever' });
  await client.recall({ scope: { user_id: 'nobody' }, q: 'Where does Grace live?' });
  expect((await send(`${server.url}/me`, 'GET', undefined, 'no token')).status).toBe(401);
  billed = await client.today();
  await until('everything is counted', async () => {
    scrape = scrapeOf((await send<string>(`${server.url}/metrics`, 'GET')).body);
    return valueAt('turnstone_dead_letters') === 1 && valueAt('turnstone_recall_confidence_count') === 2;
  });
});
afterAll(async () => {
  await server.stop();
});

const valueAt = (sample: string): number | undefined => scrape.values.get(sample);

describe('the metrics of a service', () => {
  it.each(METRICS.filter(({ where }) => where !== 'cluster'))(
    'have $name with its type and labels',
    ({ name, type, labels = [] }) => {
      expect(scrape.types.get(name)).toBe(type);
      const samples = type === 'histogram' ? [`${name}_sum`, `${name}_count`] : [name];
      for (const sample of samples)
        expect([...(scrape.labels.get(sample) ?? ['no sample'])].toSorted(), sample).toEqual(
          labels.toSorted(),
        );
    },
  );

  it('have none of ours that the list lacks', () => {
    const own = [...scrape.types.keys()].filter(name => name.startsWith('turnstone_'));
    expect(own.toSorted()).toEqual(
      METRICS.filter(({ where }) => where !== 'cluster')
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('count recalls by confidence, the empty ones, and those without a model', () => {
    expect(valueAt('turnstone_recalls_empty_total')).toBe(1);
    expect(valueAt('turnstone_recall_confidence_sum')).toBeGreaterThan(0);
    expect(valueAt('turnstone_recalls_degraded_total{model="embeddings"}')).toBe(2);
    expect(valueAt('turnstone_recalls_degraded_total{model="reader"}')).toBe(0);
  });

  it('count the facts among the hits by whether they hold', () => {
    const [holds, superseded, disputed] = ['holds', 'superseded', 'disputed'].map(state =>
      valueAt(`turnstone_recalled_facts_total{state="${state}"}`),
    );
    expect([holds, superseded, disputed]).toEqual([1, 1, 0]);
  });

  it('count the tokens that were billed, as the usage of the day has them', () => {
    const tokens = (direction: string): number =>
      ['ingest', 'recall', 'say', 'correct'].reduce(
        (sum, call) =>
          sum + valueAt(`turnstone_tokens_billed_total{call="${call}",direction="${direction}"}`)!,
        0,
      );
    expect([tokens('in'), tokens('out')]).toEqual([billed.tokens_in, billed.tokens_out]);
    expect(tokens('in')).toBeGreaterThan(0);
  });

  it('count refused calls by their code, from 0 on', () => {
    expect(valueAt('turnstone_http_refusals_total{code="unauthenticated"}')).toBe(1);
    expect(valueAt('turnstone_http_refusals_total{code="quota_exceeded"}')).toBe(0);
  });

  it('say what /readyz says', async () => {
    const { body } = await send<{ engines: Record<string, { ok: boolean }> }>(`${server.url}/readyz`, 'GET');
    expect(valueAt('turnstone_ready')).toBe(1);
    for (const [engine, { ok }] of Object.entries(body.engines))
      expect(valueAt(`turnstone_engine_up{engine="${engine}"}`), engine).toBe(ok ? 1 : 0);
    expect(valueAt('turnstone_build_info{version="0.1.0",mode="embedded",role="all"}')).toBe(1);
  });
});

const CLUSTER = METRICS.filter(({ where }) => where === 'cluster');

it('the metrics of the cluster are declared by its sources', () => {
  const progress = makeProgress('any', makeLog('silent'));
  const watched = { progress, positions: () => ({}) };
  const lags = lagGauges({ ends: async () => ({}) }, watched, [], watched).map(({ name }) => name);
  const sources = ['accounts/account-index', 'upkeep/log-guard', 'upkeep/store-guard'].map(file =>
    readFileSync(join(ROOT, `services/cluster/${file}.ts`), 'utf8'),
  );
  const declared = sources.flatMap(text =>
    [...text.matchAll(/name: '(turnstone_\w+)'/g)].map(([, name]) => name),
  );
  expect(CLUSTER.map(({ name }) => name).filter(name => ![...lags, ...declared].includes(name))).toEqual([]);
});

const expressions: [string, string, string | undefined][] = [
  ...DASHBOARDS.flatMap(({ rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) =>
        queries.map(({ expr, legend }): [string, string, string | undefined] => [title, expr, legend]),
      ),
    ),
  ),
  ...ALERT_GROUPS.flatMap(({ alerts }) =>
    alerts.map(({ name, expr }): [string, string, undefined] => [name, expr, undefined]),
  ),
];

describe('what panels and alerts ask for', () => {
  it.each(expressions)('is exposed, with its labels: %s', (_, expr, legend) => {
    const elsewhere = [...PROMETHEUS_METRICS, ...CLUSTER.map(({ name }) => name)];
    const { metrics, conditions, grouping } = namedIn(expr);
    const here = metrics.filter(name => !elsewhere.includes(name));
    expect(here.filter(name => !scrape.labels.has(name))).toEqual([]);
    const labelsOf = (name: string): string[] => ['job', 'instance', ...(scrape.labels.get(name) ?? [])];
    for (const { metric, labels } of conditions.filter(({ metric }) => here.includes(metric)))
      expect(labels.filter(label => !labelsOf(metric).includes(label))).toEqual([]);
    if (here.length < metrics.length) return;
    const all = here.flatMap(labelsOf);
    expect([...grouping, ...labelsInLegend(legend)].filter(label => !all.includes(label))).toEqual([]);
  });

  it('is exposed of Node.js', () => {
    expect(NODE_METRICS.filter(name => !scrape.labels.has(name))).toEqual([]);
  });
});
