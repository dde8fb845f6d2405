import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ERROR_CODES, type ErrorCode } from '../errors.ts';
import { within } from '../timing/within.ts';
import type { Gauge as WatchedGauge } from './gauges.ts';
import { STATE_MS, sharedFor } from './shared.ts';

/** A metric that is counted where something happens. */
interface Counted<Label extends string> {
  name: string;
  help: string;
  labels?: readonly Label[];
}

export interface Metrics {
  /** Registers metrics that are counted elsewhere. */
  registry: Registry;
  /** A value that is read for each text. */
  gauge(gauge: WatchedGauge): void;
  /** Registers a counter; returns the function that adds to it. */
  counter<Label extends string>(
    counted: Counted<Label>,
  ): (by: number, labels?: Readonly<Record<Label, string>>) => void;
  /** Registers a histogram without labels; returns the function that observes a value. */
  histogram(counted: Counted<never> & { buckets: readonly number[] }): (value: number) => void;
  requestBegan(): void;
  requestEnded(request: { method: string; route: string; status: number; seconds: number }): void;
  /** All metrics with their values. */
  values(): Promise<MetricValues[]>;
  requestRefused(code: ErrorCode): void;
  /** All metrics in the text format of Prometheus, in UTF-8; scrapes within `STATE_MS` share one text. */
  render(): Promise<{ contentType: string; text: Uint8Array }>;
}

/** A metric with its values; a histogram has a row for each bucket, its sum and its count. */
export interface MetricValues {
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram' | 'summary';
  values: readonly {
    /** The row of a histogram that it is. */
    metricName?: string;
    labels: Readonly<Record<string, string | number | undefined>>;
    value: number;
  }[];
}

/**
 * The longest wait for one value: less than a scrape may take, and more than a readiness check waits for an
 * engine.
 */
const READ_WITHIN_MS = 5_000;

/** Seconds: from a recall of a small scope up to a time-out. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const makeMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'turnstone_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  const ofRoutes = new Map<string, ReturnType<typeof durations.labels>>();
  const inFlight = new Gauge({
    name: 'turnstone_http_requests_in_flight',
    help: 'Requests whose answer has not ended',
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'turnstone_http_refusals_total',
    help: 'Requests that were refused since the start, by the code of the error',
    labelNames: ['code'] as const,
    registers: [registry],
  });
  // A series that begins with its first refusal would hide it: nothing increases.
  for (const code of ERROR_CODES) refusals.inc({ code }, 0);

  return {
    registry,
    gauge: ({ name, help, labels = [], read }) => {
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        async collect() {
          // A value that can't be read, or not in time, must not cost the others.
          try {
            const asked = Promise.resolve(read());
            const reading = await within(READ_WITHIN_MS, asked, () => new Error('is late'));
            if (typeof reading === 'number') return this.set(reading);
            this.reset();
            for (const { labels, value } of reading) this.set(labels, value);
          } catch {
            if (labels.length === 0) this.set(Number.NaN);
            else this.reset();
          }
        },
      });
    },
    counter: ({ name, help, labels = [] }) => {
      const counter = new Counter<string>({ name, help, labelNames: labels, registers: [registry] });
      return (by, of) => (of ? counter.inc(of, by) : counter.inc(by));
    },
    histogram: ({ name, help, buckets }) => {
      const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [registry] });
      return value => histogram.observe(value);
    },
    requestBegan: () => inFlight.inc(),
    requestEnded: ({ method, route, status, seconds }) => {
      inFlight.dec();
      // Methods, routes and statuses are few: those of the contract.
      const name = `${method} ${status} ${route}`;
      const known = ofRoutes.get(name) ?? durations.labels({ method, route, status });
      ofRoutes.set(name, known);
      known.observe(seconds);
    },
    // Its types say that the type of a metric is a number; it is a name.
    values: async () => (await registry.getMetricsAsJSON()) as unknown as MetricValues[],
    requestRefused: code => refusals.inc({ code }),
    render: sharedFor(STATE_MS, async () => ({
      contentType: registry.contentType,
      text: Buffer.from(await registry.metrics()),
    })),
  };
};
