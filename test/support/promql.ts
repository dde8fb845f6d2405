/** Reads what expressions of PromQL name, and what a scrape exposes: enough of both for ours. */

const GROUPING = /\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const WORDS = new Set(['and', 'or', 'unless', 'offset', 'bool']);

export interface Named {
  metrics: string[];
  /** The labels that a metric's own conditions name. */
  conditions: { metric: string; labels: string[] }[];
  /** Those of aggregations and matchings. */
  grouping: string[];
}

export const namedIn = (expr: string): Named => {
  const conditions = [...expr.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].map(
    ([, metric = '', inside = '']) => ({
      metric,
      labels: [...inside.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label!),
    }),
  );
  const grouping = [...expr.matchAll(GROUPING)].flatMap(([, inside = '']) =>
    inside
      .split(',')
      .map(label => label.trim())
      .filter(Boolean),
  );
  const bare = expr
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(GROUPING, ' ');
  const metrics = [...bare.matchAll(/\b([a-zA-Z_:][\w:]*)\b(?!\s*\()/g)]
    .map(([, word]) => word!)
    .filter(word => !WORDS.has(word));
  return { metrics: [...new Set(metrics)], conditions, grouping: [...new Set(grouping)] };
};

/** The labels that a legend of Grafana names, as `{{engine}}`. */
export const labelsInLegend = (legend = ''): string[] =>
  [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label]) => label!);

export interface Scrape {
  /** By metric, as `# TYPE` says it. */
  types: ReadonlyMap<string, string>;
  /** The labels of all samples, by name of sample: `…_bucket` is one. */
  labels: ReadonlyMap<string, ReadonlySet<string>>;
  /** By name and labels, as they stand in the text. */
  values: ReadonlyMap<string, number>;
}

export const scrapeOf = (text: string): Scrape => {
  const types = new Map<string, string>();
  const labels = new Map<string, Set<string>>();
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, metric, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (metric && type) types.set(metric, type);
    const [, name, inside = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const own = labels.get(name) ?? new Set();
    for (const [, label] of inside.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) own.add(label!);
    labels.set(name, own);
    values.set(inside === '' ? name : `${name}{${inside}}`, Number(value));
  }
  return { types, labels, values };
};
