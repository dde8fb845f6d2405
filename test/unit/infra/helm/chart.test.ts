/**
 * Holds the chart to the service without helm: the manifests of test/fixtures/helm are what helm made of the
 * value sets beside them, which manifests.slow.test.ts checks where there is helm.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig, unknownVariables } from '../../../../core/config.ts';
import { serviceOperations } from '../../../../schemas/http/service.ts';
import { CLOSE_WITHIN_MS } from '../../../../services/surfaces/cli/serve.ts';
import { consumersOf } from '../../../../services/workers/consumers.ts';
import { PROJECTOR_GROUP } from '../../../../services/workers/projector/group.ts';
import { namesInTemplates } from '../../../docs/chart-pages.ts';
import { type Certificates, makeCertificates } from '../../../support/engines/certificates.ts';
import { ROOT, temporaryFolder } from '../../../support/processes/server.ts';
import {
  CHART_FOLDER,
  type Manifest,
  manifestsOf,
  podsOf,
  readValues,
  SETS,
  type Values,
  valuesFileOf,
} from './manifests.ts';

const PODS = SETS.flatMap(podsOf);
const ROLES = ['api', 'projector', 'enricher'];

describe('the values', () => {
  let accepts: ValidateFunction;
  beforeAll(() => {
    const schema = JSON.parse(readFileSync(join(CHART_FOLDER, 'values.schema.json'), 'utf8'));
    accepts = new Ajv({ allowUnionTypes: true }).compile(schema);
  });
  const defaults = readValues(join(CHART_FOLDER, 'values.yaml'));

  it('have a schema that accepts the defaults and every set', () => {
    for (const values of [defaults, ...SETS.map(set => readValues(valuesFileOf(set)))]) {
      accepts(values);
      expect(accepts.errors).toBeNull();
    }
  });

  it('have a schema that knows each of the defaults, and no other value', () => {
    const pathsIn = (values: unknown, path = ''): string[] =>
      typeof values === 'object' &&
      values !== null &&
      !Array.isArray(values) &&
      Object.keys(values).length > 0
        ? Object.entries(values).flatMap(([name, value]) => pathsIn(value, `${path}.${name}`))
        : [path];
    const schema = JSON.parse(readFileSync(join(CHART_FOLDER, 'values.schema.json'), 'utf8'));
    // biome-ignore lint/suspicious/noExplicitAny: a part of a JSON schema
    const declaredIn = (part: any, path = ''): string[] => {
      const at = part.$ref ? schema.definitions[part.$ref.split('/').at(-1)] : part;
      return at.properties
        ? Object.entries(at.properties).flatMap(([name, value]) => declaredIn(value, `${path}.${name}`))
        : [path];
    };
    const open = /^\.(global|config)$|\.(requests|limits|claims)\b/;
    const kept = (paths: string[]): string[] => paths.filter(path => !open.test(path)).toSorted();
    expect(kept(declaredIn(schema))).toEqual(kept(pathsIn(defaults)));
  });

  it.each<[string, Values]>([
    ['a name that is none', { kafak: {} }],
    ['a password', { kafka: { password: 'hunter2' } }],
    ['a password beside its Secret', { redis: { password: { secret: 'redis', value: 'hunter2' } } }],
    ['a key', { embeddings: { apiKey: { value: 'hunter2' } } }],
    ['a variable that holds a secret', { config: { TURNSTONE_METRICS_TOKEN: 'hunter2' } }],
    ['a variable that has a place of its own', { config: { TURNSTONE_KAFKA_TLS: 'yes' } }],
    ['a variable that nothing reads', { config: { TURNSTONE_SINGUP: 'open' } }],
    ['a yes without quotes', { config: { TURNSTONE_READER: true } }],
    ['a credential in the address of a model', { extractor: { baseUrl: 'https://me:hunter2@models/v1' } }],
    ['no projector under KEDA', { projector: { scaling: { minReplicas: 0 } } }],
    ['metrics on the port of the API', { metrics: { port: 8080 } }],
    ['root', { user: 0 }],
  ])('are refused with %s', (_case, values) => {
    expect(accepts(values)).toBe(false);
  });
});

describe('the environment of a pod', () => {
  let certificates: Certificates;
  let folder: string;
  beforeAll(() => {
    certificates = makeCertificates();
    folder = temporaryFolder();
  });

  /** A file with what a Secret would hold. */
  const fileOf = (path: string): string => {
    const name = path.slice('/secrets/'.length);
    if (name.endsWith('-ca.pem')) return certificates.ca;
    if (name.endsWith('-cert.pem')) return certificates.clientCert;
    if (name.endsWith('-key.pem')) return certificates.clientKey;
    const urls: Record<string, string> = {
      'elasticsearch-url': 'https://elastic:hunter2@search:9200',
      'clickhouse-url': 'https://default:hunter2@clickhouse:8443',
      'redis-url': 'rediss://:hunter2@redis:6379',
    };
    const file = join(folder, name);
    writeFileSync(file, urls[name] ?? randomBytes(32).toString('base64'));
    return file;
  };
  const mountedHere = (environment: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.startsWith('/secrets/') ? fileOf(value) : value,
      ]),
    );

  it.each(PODS)('is read by the service without a fault: $role of $set', ({ role, environment }) => {
    const read = readConfig(mountedHere(environment));
    expect(read.ok ? [] : read.faults).toEqual([]);
    expect(unknownVariables(environment)).toEqual([]);
    expect(read.ok && [read.config.mode, read.config.role]).toEqual([
      'cluster',
      role === 'migrate' ? 'all' : role,
    ]);
  });

  it('names variables alone that the service has', () => {
    const names = [...namesInTemplates()];
    expect(names.length).toBeGreaterThan(40);
    expect(unknownVariables(Object.fromEntries(names.map(name => [name, 'x'])))).toEqual([]);
  });

  it.each(PODS)('has secrets as files alone, each of them mounted: $role of $set', pod => {
    const { container, environment, template } = pod;
    expect(container.env.filter(({ valueFrom }) => valueFrom !== undefined)).toEqual([]);
    const secrets = template.spec.volumes.find(({ name }) => name === 'secrets');
    const mounted = secrets!.projected!.sources.flatMap(({ secret }) => secret.items.map(({ path }) => path));
    const named = Object.values(environment).filter(value => value.startsWith('/secrets/'));
    expect(named.map(path => path.slice('/secrets/'.length))).toEqual(mounted);
    expect(new Set(mounted).size).toBe(mounted.length);
    expect(container.volumeMounts).toContainEqual({ name: 'secrets', mountPath: '/secrets', readOnly: true });
    // By a variable of its own, a secret would be in the manifest.
    const given = Object.entries(environment).filter(([name]) => /PASSWORD|TOKEN$|API_KEY/.test(name));
    expect(
      given.filter(([name, value]) => !name.endsWith('_FILE') && !value.startsWith('/secrets/')),
    ).toEqual([]);
  });

  it('of one value set is the same in every role, where it tells of the engines', () => {
    const shared =
      /^TURNSTONE_(MODE|NAMESPACE|PARTITIONS|KAFKA|ELASTICSEARCH|CLICKHOUSE|REDIS|INSTALLATION|SIGNING)/;
    for (const set of SETS) {
      const [first, ...others] = podsOf(set).map(({ environment }) =>
        Object.entries(environment).filter(([name]) => shared.test(name)),
      );
      for (const other of others) expect(other).toEqual(first);
    }
  });
});

describe('a pod', () => {
  it.each(PODS)('runs without rights and writes to /tmp alone: $role of $set', pod => {
    const { spec } = pod.template;
    expect(spec.containers).toHaveLength(1);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const writable = pod.container.volumeMounts.filter(({ readOnly }) => !readOnly);
    expect(writable).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
    expect([spec.automountServiceAccountToken, spec.enableServiceLinks]).toEqual([false, false]);
  });

  const services = PODS.filter(({ role }) => role !== 'migrate');

  it.each(services)('is asked where the service answers: $role of $set', ({ container, environment }) => {
    const { startupProbe, livenessProbe, readinessProbe, ports = [] } = container;
    expect(container.args).toEqual(['serve']);
    expect(Object.fromEntries(ports.map(({ name, containerPort }) => [name, String(containerPort)]))).toEqual(
      {
        http: environment.TURNSTONE_PORT,
        metrics: environment.TURNSTONE_METRICS_PORT,
      },
    );
    const health = { path: serviceOperations.health.path, port: 'http' };
    expect([startupProbe?.httpGet, livenessProbe?.httpGet]).toEqual([health, health]);
    expect(readinessProbe?.httpGet).toEqual({ path: serviceOperations.readiness.path, port: 'http' });
  });

  it.each(services)('has the time to end that the service takes: $role of $set', pod => {
    const { environment, template, container } = pod;
    const pause = Number(environment.TURNSTONE_SHUTDOWN_PAUSE_SECONDS ?? 0);
    const given = template.spec.terminationGracePeriodSeconds!;
    expect(1_000 * given).toBeGreaterThan(1_000 * pause + CLOSE_WITHIN_MS);
    if (pod.role !== 'api') return;
    const { periodSeconds, failureThreshold } = container.readinessProbe!;
    expect(pause).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  it('of the migration runs its command, before all others', () => {
    const [job] = manifestsOf('minimal').filter(({ kind }) => kind === 'Job');
    expect(job!.spec.template.spec.containers[0].args).toEqual(['migrate']);
    expect(existsSync(join(ROOT, 'services/surfaces/cli/migrate.ts'))).toBe(true);
    expect(job!.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
  });
});

describe('a value set', () => {
  const selected = (selector: Record<string, string>, labels: Record<string, string>): boolean =>
    Object.entries(selector).every(([name, value]) => labels[name] === value);
  const named = (all: Manifest[], kind: string): Manifest[] => all.filter(one => one.kind === kind);

  it.each(SETS)('has the same roles as the service, and nothing of a Secret: %s', set => {
    const all = manifestsOf(set);
    expect(named(all, 'Deployment').map(({ spec }) => spec.template.metadata.labels)).toEqual(
      expect.arrayContaining(
        ROLES.map(role => expect.objectContaining({ 'app.kubernetes.io/component': role })),
      ),
    );
    expect(all.filter(({ kind }) => kind === 'Secret' || kind === 'ConfigMap')).toEqual([]);
    expect(new Set(all.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).size).toBe(all.length);
  });

  it.each(SETS)('selects pods of one role with each Service, budget and policy: %s', set => {
    const pods = podsOf(set);
    const selectors = manifestsOf(set).flatMap(({ kind, metadata, spec }) => {
      if (kind === 'Service') return [{ name: metadata.name, selector: spec.selector }];
      if (kind === 'NetworkPolicy') return [{ name: metadata.name, selector: spec.podSelector.matchLabels }];
      if (kind === 'PodDisruptionBudget' || kind === 'Deployment')
        return [{ name: metadata.name, selector: spec.selector.matchLabels }];
      return [];
    });
    expect(selectors.length).toBeGreaterThanOrEqual(7);
    for (const { name, selector } of selectors) {
      const roles = pods
        .filter(({ template }) => selected(selector, template.metadata.labels))
        .map(({ role }) => role);
      expect(roles, name).toEqual([name.slice(name.lastIndexOf('-') + 1)]);
    }
  });

  it.each(SETS)('leaves the number of pods to one hand: %s', set => {
    const all = manifestsOf(set);
    const scaled = all
      .filter(({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
      .map(({ spec }) => spec.scaleTargetRef.name);
    for (const { metadata, spec } of named(all, 'Deployment'))
      expect([metadata.name, spec.replicas === undefined]).toEqual([
        metadata.name,
        scaled.includes(metadata.name),
      ]);
    expect(new Set(scaled).size).toBe(scaled.length);
  });

  it.each(['keda', 'everything'])('scales by the groups of the service, within the partitions: %s', set => {
    for (const role of ['projector', 'enricher']) {
      const { environment } = podsOf(set).find(pod => pod.role === role)!;
      const object = named(manifestsOf(set), 'ScaledObject').find(({ metadata }) =>
        metadata.name.endsWith(role),
      )!;
      const read = readConfig({
        TURNSTONE_EMBEDDINGS_BASE_URL: environment.TURNSTONE_EMBEDDINGS_BASE_URL,
        TURNSTONE_EMBEDDINGS_MODEL: environment.TURNSTONE_EMBEDDINGS_MODEL,
      });
      const groups =
        role === 'projector' || !read.ok ? [PROJECTOR_GROUP] : consumersOf(read.config).map(one => one.group);
      const triggers = object.spec.triggers.map(({ metadata }: { metadata: Values }) => metadata);
      expect(triggers.map(({ consumerGroup }: Values) => consumerGroup)).toEqual(
        groups.map(group => `${environment.TURNSTONE_NAMESPACE}.${group}`),
      );
      const credentials = named(manifestsOf(set), 'TriggerAuthentication').map(
        ({ metadata }) => metadata.name,
      );
      for (const { authenticationRef } of object.spec.triggers)
        expect(authenticationRef === undefined ? [] : [authenticationRef.name]).toEqual(credentials);
      // A number as a float would say 1e+06.
      for (const { lagThreshold } of triggers) expect(lagThreshold).toMatch(/^\d+$/);
      expect(object.spec.minReplicaCount).toBeGreaterThanOrEqual(1);
      expect(object.spec.maxReplicaCount).toBeLessThanOrEqual(Number(environment.TURNSTONE_PARTITIONS));
    }
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(readValues(join(CHART_FOLDER, 'Chart.yaml'))).toMatchObject({ appVersion: version });
  });
});
