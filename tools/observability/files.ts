/** Everything that is written from the lists of metrics, dashboards and alerts, by its path. */
import { RUNBOOK_PAGES } from './alerts/alert.ts';
import { DASHBOARDS } from './dashboards/all.ts';
import { grafanaFile } from './written/grafana.ts';
import { alertsPage, dashboardsPage, metricsPage, runbooksPage } from './written/pages.ts';
import { RULES_FILE, rulesFile, ruleTestsFile } from './written/rules.ts';

export const OBSERVABILITY_FILES: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    DASHBOARDS.map(dashboard => [`infra/dashboards/${dashboard.name}.json`, () => grafanaFile(dashboard)]),
  ),
  [`infra/alerts/${RULES_FILE}`]: rulesFile,
  'infra/alerts/turnstone.test.yaml': ruleTestsFile,
  'docs/operate/monitor/alerts.md': alertsPage,
  'docs/operate/monitor/dashboards.md': dashboardsPage,
  ...Object.fromEntries(
    RUNBOOK_PAGES.map(name => [`docs/operate/monitor/runbooks-${name}.md`, () => runbooksPage(name)]),
  ),
  'docs/reference/metrics.md': metricsPage,
};
