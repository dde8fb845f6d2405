/**
 * Holds what helm makes of the chart to the manifests in test/fixtures/helm. `UPDATE_MANIFESTS=1` writes them
 * anew: read the difference before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnProgram } from '../../../support/processes/command-line.ts';
import { describeWithHelm, HELM } from '../../../support/processes/helm.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';
import { CHART_FOLDER, manifestFileOf, SETS, type Values, valuesFileOf } from './manifests.ts';

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** `over`: put on top of the set `minimal`. */
const helm = (command: readonly string[], ...over: string[]): Promise<Outcome> => {
  const files = [valuesFileOf('minimal'), ...over].flatMap(file => ['--values', file]);
  return spawnProgram(HELM, [...command, ...files], { cwd: CHART_FOLDER, environment: {}, within: 120_000 });
};
const overOf = (set: string): string[] => (set === 'minimal' ? [] : [valuesFileOf(set)]);
/** A helm that was built by Go alone takes itself for one of Kubernetes 1.20. */
const KUBERNETES = ['--kube-version', '1.33.0'];
const TEMPLATE = ['template', 'turnstone', CHART_FOLDER, '--namespace', 'memory', ...KUBERNETES];

/** The sentences with which the templates refuse these values. */
const faultsOf = async (values: Values): Promise<string[]> => {
  const { status, stdout, stderr } = await helm(TEMPLATE, fileWith(values));
  expect([status === 0, stdout]).toEqual([false, '']);
  const [, said = ''] = stderr.split('templates/validate.yaml');
  const [, ...lines] = said.split('\n');
  return lines.slice(0, lines.indexOf(''));
};

const fileWith = (values: Values): string => {
  const file = join(temporaryFolder(), 'values.json');
  writeFileSync(file, JSON.stringify(values));
  return file;
};

const secret = { secret: 'mine' };

/** Values on top of `minimal` that contradict each other, and the beginning of what is said of it. */
const CONTRADICTIONS: readonly [fault: string, values: Values][] = [
  ['image.repository is empty', { image: { repository: '' } }],
  ['image.digest and a tag', { image: { digest: `sha256:${'0'.repeat(64)}` }, api: { imageTag: '1.2.3' } }],
  ['keys.secret is empty', { keys: { secret: '' } }],
  ['kafka.brokers is empty', { kafka: { brokers: [] } }],
  ['kafka.tls is false', { kafka: { ca: secret } }],
  ['kafka.sasl is none', { kafka: { user: 'turnstone', password: secret } }],
  ['kafka.sasl is plain, which needs', { kafka: { sasl: 'plain', user: 'turnstone' } }],
  ['kafka.sasl is oauthbearer', { kafka: { sasl: 'oauthbearer', user: 'turnstone', password: secret } }],
  [
    'kafka.tokenUrl and tokenScope are for kafka.sasl oauthbearer',
    { kafka: { sasl: 'plain', user: 'turnstone', password: secret, tokenScope: 'kafka' } },
  ],
  ['elasticsearch.url is empty', { elasticsearch: { url: '' } }],
  ['clickhouse.url and clickhouse.urlFrom are set', { clickhouse: { urlFrom: secret } }],
  ['clickhouse.url holds a user', { clickhouse: { url: 'http://default:hunter2@clickhouse:8123' } }],
  ['redis.url is not encrypted', { redis: { client: secret } }],
  ['elasticsearch.apiKey and elasticsearch.user', { elasticsearch: { apiKey: secret, user: 'turnstone' } }],
  ['redis.cluster and redis.primary', { redis: { cluster: true, primary: 'mymaster' } }],
  ['redis.url names several servers', { redis: { url: 'redis://one:6379,redis://two:6379' } }],
  ['redis.sentinelUser or redis.sentinelPassword', { redis: { sentinelPassword: secret } }],
  ['extractor.kind is llm', { extractor: { kind: 'llm', model: 'llama3.1' } }],
  ['extractor.kind is rules', { extractor: { model: 'llama3.1' } }],
  ['embeddings.baseUrl is set', { embeddings: { baseUrl: 'http://models:8081/v1' } }],
  ['embeddings.model or embeddings.apiKey', { embeddings: { model: 'e5' } }],
  ['rerank.model or rerank.apiKey', { rerank: { apiKey: secret } }],
  ['api.replicas is set while', { api: { replicas: 4 } }],
  ['api.autoscaling.minReplicas is above', { api: { autoscaling: { minReplicas: 7 } } }],
  ['api.resources.requests.cpu is not set', { api: { resources: { requests: { cpu: null } } } }],
  ['projector.replicas is set while', { keda: { enabled: true }, projector: { replicas: 4 } }],
  ['enricher.replicas is above partitions (12)', { enricher: { replicas: 13 } }],
  ['projector.scaling.maxReplicas is above partitions (12)', { projector: { scaling: { maxReplicas: 13 } } }],
  ['projector.scaling.minReplicas is above', { projector: { scaling: { minReplicas: 13 } } }],
  ['projector.replicas is 0', { projector: { replicas: 0 } }],
  ['networkPolicy.callers is empty', { networkPolicy: { enabled: true } }],
  ['networkPolicy.callers, scrapers or egress', { networkPolicy: { scrapers: [{ podSelector: {} }] } }],
];

describeWithHelm('the chart', () => {
  it.each(SETS)('leads to the manifests that are kept: %s', async set => {
    const { status, stdout, stderr } = await helm(TEMPLATE, ...overOf(set));
    expect([status, stderr]).toEqual([0, '']);
    if (process.env.UPDATE_MANIFESTS) writeFileSync(manifestFileOf(set), stdout);
    expect(stdout).toBe(readFileSync(manifestFileOf(set), 'utf8'));
  });

  it.each(SETS)('has nothing for helm lint to find: %s', async set => {
    const { status, stdout } = await helm(
      ['lint', CHART_FOLDER, '--strict', '--quiet', ...KUBERNETES],
      ...overOf(set),
    );
    expect([status, stdout.trim()]).toEqual([0, '']);
  });

  const said: string[] = [];

  it.each(CONTRADICTIONS)('refuses with one sentence: %s', async (fault, values) => {
    const faults = await faultsOf(values);
    said.push(...faults);
    expect(faults).toEqual([expect.stringMatching(/^[a-z].*[.]$/)]);
    expect(faults[0]!.slice(0, fault.length)).toBe(fault);
  });

  it('refuses each contradiction that its templates name, by a case above', () => {
    const templates = readFileSync(join(CHART_FOLDER, 'templates/_faults.tpl'), 'utf8');
    const sentences = templates.split('\n').filter(line => /^([a-z]|\{\{ \$).*[.]$/.test(line));
    expect(sentences.length).toBeGreaterThan(25);
    const without = sentences.filter(sentence => {
      const parts = sentence.split(/\{\{.*?\}\}/).map(part => part.replaceAll(/[()[\].]/g, '\\$&'));
      return !said.some(fault => new RegExp(`^${parts.join('.*')}$`).test(fault));
    });
    expect(without).toEqual([]);
  });

  it('tells all faults together', async () => {
    const faults = await faultsOf({ keys: { secret: '' }, kafka: { brokers: [], user: 'turnstone' } });
    expect(faults).toHaveLength(3);
  });

  it('refuses what the schema does not know', async () => {
    const { status, stderr } = await helm(TEMPLATE, fileWith({ kafka: { password: 'hunter2' } }));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/schema[\s\S]*kafka[\s\S]*password/)]);
  });
});
