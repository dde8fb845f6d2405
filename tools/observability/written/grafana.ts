/** Dashboards as Grafana imports them, from version 10 on. */
import type { Dashboard, Panel, Row } from '../dashboards/dashboard.ts';

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
/** Grafana's grid: columns, and the rows of a panel. */
const COLUMNS = 24;
const NUMBER_HEIGHT = 4;
const LINES_HEIGHT = 8;

const TYPES = {
  lines: 'timeseries',
  stacked: 'timeseries',
  number: 'stat',
  states: 'state-timeline',
  heat: 'heatmap',
  table: 'table',
} as const satisfies Record<NonNullable<Panel['kind']>, string>;

const isNumber = ({ kind }: Panel): boolean => kind === 'number';

/** Says what a panel shows, and why it may be empty. */
export const aboutPanel = ({ about, only }: Panel): string => {
  if (only === undefined) return about;
  const where =
    only === 'embedded' || only === 'cluster' ? `in the mode ${only}` : `with a configured ${only}`;
  return `${about} Only ${where}.`;
};

const thresholdsOf = ({ bounds }: Panel) => ({
  mode: 'absolute',
  steps: [
    { color: bounds ? 'green' : 'text', value: null },
    ...(bounds && bounds[0] !== bounds[1] ? [{ color: 'yellow', value: bounds[0] }] : []),
    ...(bounds ? [{ color: 'red', value: bounds[1] }] : []),
  ],
});

const WELL = [
  {
    type: 'value',
    options: { 0: { text: 'not well', color: 'red' }, 1: { text: 'well', color: 'green' } },
  },
];

const LINES = {
  drawStyle: 'line',
  lineWidth: 1,
  fillOpacity: 10,
  showPoints: 'never',
};

const fieldsOf = (panel: Panel) => {
  const { kind = 'lines', unit = 'short' } = panel;
  const isLines = kind === 'lines' || kind === 'stacked';
  return {
    defaults: {
      unit,
      ...(kind !== 'table' && { min: 0 }),
      ...(isNumber(panel) && { color: { mode: 'thresholds' }, thresholds: thresholdsOf(panel) }),
      ...(kind === 'states' && { mappings: WELL }),
      ...(isLines && {
        custom: { ...LINES, stacking: { mode: kind === 'stacked' ? 'normal' : 'none', group: 'A' } },
      }),
    },
    overrides: [],
  };
};

const LEGEND = { displayMode: 'list', placement: 'bottom', showLegend: true };

const OPTIONS: Record<NonNullable<Panel['kind']>, object> = {
  lines: { legend: LEGEND, tooltip: { mode: 'multi', sort: 'desc' } },
  stacked: { legend: LEGEND, tooltip: { mode: 'multi', sort: 'desc' } },
  number: {
    colorMode: 'value',
    graphMode: 'area',
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  },
  states: { showValue: 'never', mergeValues: true, legend: LEGEND },
  heat: { calculate: false, color: { mode: 'scheme', scheme: 'Oranges' }, yAxis: { unit: 'short' } },
  table: { showHeader: true },
};

const FORMATS: Partial<Record<NonNullable<Panel['kind']>, object>> = {
  heat: { format: 'heatmap' },
  table: { format: 'table', instant: true },
};

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

const panelOf = (panel: Panel, gridPos: Place, id: number): object => {
  const { kind = 'lines', title, queries } = panel;
  return {
    id,
    type: TYPES[kind],
    title,
    description: aboutPanel(panel),
    gridPos,
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + n),
      datasource: DATASOURCE,
      expr,
      ...(legend !== undefined && { legendFormat: legend }),
      ...FORMATS[kind],
    })),
    fieldConfig: fieldsOf(panel),
    options: OPTIONS[kind],
  };
};

/** Places the panels of a row below `y`: numbers side by side, then the others in pairs. */
const placesIn = ({ panels }: Row, y: number): { places: Place[]; end: number } => {
  const numbers = panels.filter(isNumber).length;
  const below = y + (numbers > 0 ? NUMBER_HEIGHT : 0);
  const width = Math.floor(COLUMNS / Math.max(numbers, 1));
  let number = 0;
  let other = 0;
  const places = panels.map((panel): Place => {
    if (isNumber(panel)) return { x: width * number++, y, w: width, h: NUMBER_HEIGHT };
    const at = other++;
    const half = COLUMNS / 2;
    return { x: half * (at % 2), y: below + LINES_HEIGHT * Math.floor(at / 2), w: half, h: LINES_HEIGHT };
  });
  return { places, end: below + LINES_HEIGHT * Math.ceil(other / 2) };
};

const panelsOf = (rows: readonly Row[]): object[] => {
  let id = 0;
  let y = 0;
  return rows.flatMap(row => {
    const head = {
      id: ++id,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    };
    const { places, end } = placesIn(row, y + 1);
    y = end;
    return [head, ...row.panels.map((panel, n) => panelOf(panel, places[n]!, ++id))];
  });
};

const choice = (name: string, label: string, query: string): object => ({
  name,
  label,
  type: 'query',
  datasource: DATASOURCE,
  query: { query, refId: name },
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.+',
  current: { text: 'All', value: '$__all' },
});

const VARIABLES = [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  choice('job', 'Job', 'label_values(turnstone_ready, job)'),
  choice('instance', 'Instance', 'label_values(turnstone_ready{job=~"$job"}, instance)'),
];

/** Returns the text of a dashboard's file. */
export const grafanaFile = ({ name, title, about, rows }: Dashboard): string =>
  `${JSON.stringify(
    {
      uid: `turnstone-${name}`,
      title: `Turnstone: ${title}`,
      description: about,
      tags: ['turnstone'],
      schemaVersion: 39,
      editable: true,
      graphTooltip: 1,
      refresh: '30s',
      time: { from: 'now-6h', to: 'now' },
      links: [
        {
          type: 'dashboards',
          title: 'Turnstone',
          tags: ['turnstone'],
          asDropdown: true,
          includeVars: true,
          keepTime: true,
        },
      ],
      templating: { list: VARIABLES },
      panels: panelsOf(rows),
    },
    null,
    2,
  )}\n`;
