/** The chart's files, its value sets, and the manifests that helm makes of these. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { CHART } from '../../../docs/chart-pages.ts';
import { ROOT } from '../../../support/processes/server.ts';

export const CHART_FOLDER = join(ROOT, CHART);
const FIXTURES = join(ROOT, 'test/fixtures/helm');

/** The names of the value sets. All but `minimal` are put on top of it. */
export const SETS: readonly string[] = globSync('*.yaml', { cwd: join(FIXTURES, 'values') })
  .map(file => basename(file, '.yaml'))
  .toSorted();

export const valuesFileOf = (set: string): string => join(FIXTURES, 'values', `${set}.yaml`);
export const manifestFileOf = (set: string): string => join(FIXTURES, 'manifests', `${set}.yaml`);

export type Values = { [name: string]: unknown };

export const readValues = (file: string): Values => load(readFileSync(file, 'utf8')) as Values;

export interface Variable {
  name: string;
  value?: string;
  valueFrom?: unknown;
}

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}

export interface Container {
  name: string;
  image: string;
  args: string[];
  env: Variable[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  securityContext: unknown;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

interface Volume {
  name: string;
  emptyDir?: unknown;
  projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] };
}

export interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    volumes: Volume[];
    securityContext: Record<string, unknown>;
    automountServiceAccountToken: boolean;
    enableServiceLinks: boolean;
    terminationGracePeriodSeconds?: number;
  };
}

export interface Manifest {
  kind: string;
  metadata: { name: string; namespace: string; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: of each kind another one
  spec: any;
}

export const manifestsOf = (set: string): Manifest[] =>
  (loadAll(readFileSync(manifestFileOf(set), 'utf8')) as (Manifest | null)[]).filter(one => one !== null);

export interface Pod {
  /** The value set, and the role. */
  set: string;
  role: string;
  template: PodTemplate;
  container: Container;
  environment: Record<string, string>;
}

/** The pods that a value set leads to. */
export const podsOf = (set: string): Pod[] =>
  manifestsOf(set)
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ spec }) => {
      const template: PodTemplate = spec.template;
      const container = template.spec.containers[0]!;
      return {
        set,
        role: template.metadata.labels['app.kubernetes.io/component']!,
        template,
        container,
        environment: Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value])),
      };
    });
