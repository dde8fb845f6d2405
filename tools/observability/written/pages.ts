/** The documents about metrics, dashboards and alerts. */
import type { Alert, AlertGroup } from '../alerts/alert.ts';
import { ALERT_GROUPS } from '../alerts/all.ts';
import { DASHBOARDS } from '../dashboards/all.ts';
import type { Dashboard } from '../dashboards/dashboard.ts';
import { METRICS, type Metric, type Where } from '../metrics.ts';
import { aboutPanel } from './grafana.ts';

const WRITTEN = '<!-- Written by `npm run observability`. -->';

const code = (text: string): string => `\`${text}\``;

const page = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`;

const anchorOf = (group: AlertGroup, { name }: Alert): string =>
  `runbooks-${group.page}.md#${name.toLowerCase()}`;

const indexLine = (group: AlertGroup, alert: Alert): string => {
  const summary = alert.summary.replace(/\{\{ \$labels\.(\w+) \}\}/g, '_$1_');
  return `- [${alert.name}](${anchorOf(group, alert)}), ${alert.severity}: ${summary}`;
};

export const alertsPage = (): string =>
  page([
    '# Alerts',
    '',
    WRITTEN,
    '',
    'Rules for Prometheus are in `infra/alerts/turnstone.yaml`, beside the tests that see each of them fire and clear (`promtool test rules`).',
    '[Monitor](../monitor.md#dashboards-and-alerts) says how to load them. Critical: somebody is woken. Warning: somebody looks today. Info: it is good to know. Each has a',
    'runbook: what it means, what to look at, what to do. The bounds are where to begin: set them to your own objectives.',
    '',
    ...ALERT_GROUPS.flatMap(group => [
      `## ${group.title}`,
      '',
      ...group.alerts.map(alert => indexLine(group, alert)),
      '',
    ]),
  ]);

const runbook = (alert: Alert): string[] => [
  `### ${alert.name}`,
  '',
  `${alert.severity}${alert.for === undefined ? '' : `, after ${alert.for}`}. ${alert.means}`,
  '',
  `- **Look at**: ${alert.look}`,
  `- **Do**: ${alert.act}`,
  '',
  '```text',
  alert.expr,
  '```',
  '',
];

const TITLES: Readonly<Record<AlertGroup['page'], string>> = {
  service: 'the service',
  log: 'the log and its workers',
  memory: 'models, memory, tenants',
};

export const runbooksPage = (name: AlertGroup['page']): string =>
  page([
    `# Runbooks: ${TITLES[name]}`,
    '',
    WRITTEN,
    '',
    'What each [alert](alerts.md) means, what to look at and what to do. The expression is what Prometheus evaluates.',
    '',
    ...ALERT_GROUPS.filter(group => group.page === name).flatMap(({ title, about, alerts }) => [
      `## ${title}`,
      '',
      about,
      '',
      ...alerts.flatMap(runbook),
    ]),
  ]);
const dashboardSection = ({ name, title, about, rows }: Dashboard): string[] => [
  `## ${title}`,
  '',
  `${about} ${code(`infra/dashboards/${name}.json`)}`,
  '',
  ...rows.flatMap(row => row.panels.map(panel => `- **${panel.title}**: ${aboutPanel(panel)}`)),
  '',
];

export const dashboardsPage = (): string =>
  page([
    '# Dashboards',
    '',
    WRITTEN,
    '',
    'Four dashboards for Grafana, from version 10 on. [Monitor](../monitor.md#dashboards-and-alerts) says how to load them. Each has a choice of jobs and instances.',
    '',
    ...DASHBOARDS.flatMap(dashboardSection),
  ]);

const PLACES: Readonly<Record<Where, string>> = {
  everywhere: 'Every process',
  calls: 'Processes that answer calls',
  projector: 'Processes with a projector',
  embedded: 'The mode `embedded`',
  cluster: 'The mode `cluster`',
  'language model': 'Enrichers with a language model',
  'embedding model': 'Enrichers with an embedding model',
};

const metricLine = ({ name, type, labels = [], about }: Metric): string => {
  const by = labels.length > 0 ? ` by ${labels.map(code).join(', ')}` : '';
  return `- ${code(name)} (${type}${by}): ${about}`;
};

export const metricsPage = (): string =>
  page([
    '# Metrics',
    '',
    WRITTEN,
    '',
    "What `GET /metrics` tells in Prometheus' text format, beside the metrics of Node.js (`nodejs_…`, `process_…`). None has the name of an organization, a user or a key.",
    'A gauge that counts since the start of a process can be given to `rate()` like a counter. In the cluster every process reports the lag of the whole installation:',
    'take the maximum, not the sum. While a model is replaced, the one before has metrics of its own: `turnstone_embedder_former_…`, `turnstone_embeddings_former_…`.',
    '',
    ...Object.entries(PLACES).flatMap(([where, heading]) => [
      `## ${heading}`,
      '',
      ...METRICS.filter(metric => metric.where === where).map(metricLine),
      '',
    ]),
  ]);
