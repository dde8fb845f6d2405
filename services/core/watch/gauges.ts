/** A number, or several with the same labels and other values of them. */
export type Reading = number | readonly { labels: Readonly<Record<string, string>>; value: number }[];

/** A metric that is read when somebody scrapes `GET /metrics`. */
export interface Gauge {
  name: string;
  help: string;
  labels?: readonly string[];
  read: () => Reading | Promise<Reading>;
}
