/** An alert with its runbook, and the series by which a test of the rules sees it fire and clear. */
export interface Alert {
  name: string;
  /** Critical: somebody is woken. Warning: somebody looks today. Info: it is on the dashboard. */
  severity: 'critical' | 'warning' | 'info';
  /** PromQL. */
  expr: string;
  /** How long it has to be so; undefined: at once. */
  for?: string;
  /** A sentence for whoever is paged; `{{ $labels.x }}` stands for a label. */
  summary: string;
  /** The runbook, in Markdown, with links from docs/operate/monitor/. */
  means: string;
  look: string;
  act: string;
  test: AlertTest;
}

interface AlertTest {
  /** Time between two values of a series; default: a minute. */
  interval?: string;
  /** By series, values as `promtool test rules` reads them: `0x9` is ten zeros, `0+5x9` is 0, 5, … 45. */
  series: Readonly<Record<string, string>>;
  /** When it does not fire yet, does, and no longer does, since the first value. */
  before: string;
  fires: string;
  clears: string;
  /** The labels of the alert that fires, beside its severity. */
  labels?: Readonly<Record<string, string>>;
}

export const RUNBOOK_PAGES = ['service', 'log', 'memory'] as const;

export interface AlertGroup {
  /** The name of its rule group. */
  name: 'service' | 'log' | 'cluster' | 'models' | 'memory' | 'tenants';
  /** The end of the name of the page that has its runbooks. */
  page: (typeof RUNBOOK_PAGES)[number];
  title: string;
  about: string;
  alerts: readonly Alert[];
}
