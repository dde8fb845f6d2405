/** A number, or several numbers with different label values. */
export type Reading = number | readonly { labels: Readonly<Record<string, string>>; value: number }[];

/** A metric that is read for each text of `GET /metrics`. */
export interface Gauge {
  name: string;
  help: string;
  labels?: readonly string[];
  read: () => Reading | Promise<Reading>;
}
