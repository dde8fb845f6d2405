/** Prometheus' files: the rules, and the tests by which promtool sees each alert fire and clear. */
import type { Alert, AlertGroup } from '../alerts/alert.ts';
import { ALERT_GROUPS } from '../alerts/all.ts';
import { type Yaml, yaml } from './yaml.ts';

export const RULES_FILE = 'turnstone.yaml';
const HEAD = '# Written by `npm run observability`.\n';

/** Where a running service has the runbook: behind its own address. */
const runbookOf = (group: AlertGroup, { name }: Alert): string =>
  `/docs/operate/monitor/runbooks-${group.page}#${name.toLowerCase()}`;

const annotationsOf = (group: AlertGroup, alert: Alert) => ({
  summary: alert.summary,
  runbook_url: runbookOf(group, alert),
});

const ruleOf = (group: AlertGroup, alert: Alert): Yaml => ({
  alert: alert.name,
  expr: alert.expr,
  for: alert.for,
  labels: { severity: alert.severity },
  annotations: annotationsOf(group, alert),
});

export const rulesFile = (): string =>
  HEAD +
  yaml({
    groups: ALERT_GROUPS.map(group => ({
      name: `turnstone-${group.name}`,
      rules: group.alerts.map(alert => ruleOf(group, alert)),
    })),
  });

/** Returns a text as Prometheus shows it of an alert with these labels. */
const withLabels = (text: string, labels: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');

const testOf = (group: AlertGroup, alert: Alert): Yaml => {
  const { interval = '1m', series, before, fires, clears, labels = {} } = alert.test;
  const annotations = annotationsOf(group, alert);
  const firing = {
    exp_labels: { severity: alert.severity, ...labels },
    exp_annotations: { ...annotations, summary: withLabels(annotations.summary, labels) },
  };
  const at = (eval_time: string, exp_alerts: readonly Yaml[]) => ({
    eval_time,
    alertname: alert.name,
    exp_alerts,
  });
  return {
    name: alert.name,
    interval,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [at(before, []), at(fires, [firing]), at(clears, [])],
  };
};

export const ruleTestsFile = (): string =>
  HEAD +
  yaml({
    rule_files: [RULES_FILE],
    evaluation_interval: '1m',
    tests: ALERT_GROUPS.flatMap(group => group.alerts.map(alert => testOf(group, alert))),
  });
