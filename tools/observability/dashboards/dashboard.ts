/** A dashboard as it is declared; written/grafana.ts makes the file of it that Grafana imports. */

export interface Query {
  /** PromQL. */
  expr: string;
  /** The name of a series; `{{x}}` stands for a label. Default: all labels. */
  legend?: string;
}

export interface Panel {
  title: string;
  /** Says what it shows, and what is bad about a value; the (i) of the panel. */
  about: string;
  /** `states`: values over time as colours. `heat`: the buckets of a histogram. Default: lines. */
  kind?: 'lines' | 'stacked' | 'number' | 'states' | 'heat' | 'table';
  /** By Grafana's name of it; default: a plain number. */
  unit?: 's' | 'bytes' | 'percentunit' | 'reqps' | 'cps' | 'short';
  queries: readonly Query[];
  /** From where on a number is yellow, and red; a descending pair: below it. */
  bounds?: readonly [warning: number, bad: number];
  /** Only such installations have the data. */
  only?: 'embedded' | 'cluster' | 'language model' | 'embedding model';
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}

export interface Dashboard {
  /** The name of its file, and the end of its uid. */
  name: 'service' | 'log' | 'memory' | 'tenants';
  title: string;
  about: string;
  rows: readonly Row[];
}

/** The labels by which a dashboard's variables choose processes. */
const CHOSEN = 'job=~"$job",instance=~"$instance"';

/** A metric of the chosen processes, with further conditions on its labels. */
export const of = (metric: string, ...conditions: string[]): string =>
  `${metric}{${[CHOSEN, ...conditions].join(',')}}`;

/** The increase per second of a counter of the chosen processes. */
export const rate = (metric: string, ...conditions: string[]): string =>
  `rate(${of(metric, ...conditions)}[$__rate_interval])`;
