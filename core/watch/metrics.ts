import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Gauge as WatchedGauge } from './gauges.ts';
import { STATE_MS, sharedFor } from './shared.ts';

export interface Metrics {
  /** Registers metrics that are counted elsewhere. */
  registry: Registry;
  /** A value that is read for each text. */
  gauge(gauge: WatchedGauge): void;
  requestBegan(): void;
  requestEnded(request: { method: string; route: string; status: number; seconds: number }): void;
  /** All metrics with their values. */
  values(): Promise<MetricValues[]>;
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

  return {
    registry,
    gauge: ({ name, help, labels = [], read }) => {
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        async collect() {
          // A value that can't be read must not make the others fail.
          try {
            const reading = await read();
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
    render: sharedFor(STATE_MS, async () => ({
      contentType: registry.contentType,
      text: Buffer.from(await registry.metrics()),
    })),
  };
};
