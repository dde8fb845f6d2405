import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALERT_GROUPS } from '../../../../tools/observability/alerts/all.ts';
import { DASHBOARDS } from '../../../../tools/observability/dashboards/all.ts';
import { OBSERVABILITY_FILES } from '../../../../tools/observability/files.ts';
import {
  METRICS,
  NODE_METRICS,
  PROMETHEUS_LABELS,
  PROMETHEUS_METRICS,
} from '../../../../tools/observability/metrics.ts';
import { ROOT } from '../../../support/processes/server.ts';
import { labelsInLegend, namedIn } from '../../../support/promql.ts';

it.each(Object.entries(OBSERVABILITY_FILES))(
  '%s is what the lists say: else run npm run observability',
  (file, text) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text());
  },
);

it('the folders of dashboards, alerts and runbooks have no file that the lists do not write', () => {
  const written = globSync('{infra/{dashboards,alerts},docs/operate/monitor}/*', { cwd: ROOT });
  const expected = Object.keys(OBSERVABILITY_FILES).filter(file => !file.startsWith('docs/reference/'));
  expect(written.toSorted()).toEqual(expected.toSorted());
});

const alerts = ALERT_GROUPS.flatMap(({ alerts }) => alerts);
const panels = DASHBOARDS.flatMap(({ title, rows }) =>
  rows.flatMap(row => row.panels.map(panel => ({ ...panel, title: `${title}: ${panel.title}` }))),
);
const expressions: [string, string, string[]][] = [
  ...panels.flatMap(({ title, queries }) =>
    queries.map(({ expr, legend }): [string, string, string[]] => [title, expr, labelsInLegend(legend)]),
  ),
  ...alerts.map(({ name, expr, summary }): [string, string, string[]] => [
    name,
    expr,
    [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!),
  ]),
];

/** The labels of each sample that the lists know. */
const KNOWN = new Map<string, readonly string[]>([
  ...METRICS.flatMap(({ name, type, labels = [] }): [string, readonly string[]][] =>
    type === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]],
  ),
  ...NODE_METRICS.map((name): [string, readonly string[]] => [name, name.includes('_gc_') ? ['kind'] : []]),
  ...PROMETHEUS_METRICS.map((name): [string, readonly string[]] => [name, []]),
]);

describe('the expressions of panels and alerts', () => {
  it.each(expressions)('name metrics and labels of the list: %s', (_, expr, shown) => {
    const { metrics, conditions, grouping } = namedIn(expr);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter(name => !KNOWN.has(name))).toEqual([]);
    const labelsOf = (metric: string): readonly string[] => [...KNOWN.get(metric)!, ...PROMETHEUS_LABELS];
    for (const { metric, labels } of conditions)
      expect(labels.filter(label => !labelsOf(metric).includes(label))).toEqual([]);
    const all = metrics.flatMap(labelsOf);
    expect([...grouping, ...shown].filter(label => !all.includes(label))).toEqual([]);
  });

  it('show every metric of ours somewhere', () => {
    const shown = new Set(
      expressions.flatMap(([, expr]) =>
        namedIn(expr).metrics.map(name => name.replace(/_(bucket|sum|count)$/, '')),
      ),
    );
    expect(METRICS.map(({ name }) => name).filter(name => !shown.has(name))).toEqual([]);
  });
});

describe('the list of alerts', () => {
  it('names each once, and gives it a runbook that says what it means, what to look at and what to do', () => {
    const names = alerts.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, summary, means, look, act } of alerts) {
      expect(name).toMatch(/^Turnstone[A-Z]\w+$/);
      for (const text of [means, look, act]) expect(text, name).toMatch(/^\S.*[.:)]$/);
      expect(summary, name).not.toMatch(/\.$/);
    }
  });

  it('has no expression in which a quote would end its text in the file', () => {
    for (const { expr } of alerts) expect(expr).not.toMatch(/['\n]/);
  });
});

describe('the list of dashboards', () => {
  it('has titles that are unique, and says of each panel what it shows', () => {
    const titles = panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const { title, about, queries } of panels) {
      expect(about, title).toMatch(/^\S.*\.$/);
      expect(queries.length, title).toBeGreaterThan(0);
    }
  });

  it('places no panel over another', () => {
    for (const { name } of DASHBOARDS) {
      const { panels } = JSON.parse(readFileSync(join(ROOT, `infra/dashboards/${name}.json`), 'utf8')) as {
        panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
      };
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, n) => `${x + (n % w)}/${y + Math.floor(n / w)}`),
      );
      expect(new Set(cells).size, name).toBe(cells.length);
      expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    }
  });
});
