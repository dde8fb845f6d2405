import type { Attributes, HrTime } from '@opentelemetry/api';
import { ValueType } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type PeriodicExportingMetricReaderOptions,
} from '@opentelemetry/sdk-metrics';
import type { Metrics, MetricValues } from '../../core/watch/metrics.ts';

type MetricProducer = NonNullable<PeriodicExportingMetricReaderOptions['metricProducers']>[number];

/** Gives the metrics of `GET /metrics` to the SDK under their names, read anew for each export. */
export const metricsProducer = (metrics: Pick<Metrics, 'values'>, resource: Resource): MetricProducer => {
  const startTime = hrTime();
  return {
    collect: async () => {
      const endTime = hrTime();
      const all = (await metrics.values()).flatMap(one => dataOf(one, startTime, endTime));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'turnstone' }, metrics: all }] },
        errors: [],
      };
    },
  };
};

const dataOf = (one: MetricValues, startTime: HrTime, endTime: HrTime): MetricData[] => {
  const descriptor = { name: one.name, description: one.help, unit: '', valueType: ValueType.DOUBLE };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const times = { startTime, endTime };
  const points = () =>
    one.values.flatMap(({ value, labels }) =>
      Number.isFinite(value) ? [{ ...times, value, attributes: attributesOf(labels) }] : [],
    );
  switch (one.type) {
    case 'gauge':
      return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }];
    case 'counter':
      return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }];
    case 'histogram': {
      const dataPoints = histogramsOf(one).map(point => ({ ...times, ...point }));
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
    }
    default:
      // There is no summary among them.
      return [];
  }
};

const attributesOf = (labels: MetricValues['values'][number]['labels']): Attributes =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, value ?? '']));

interface Buckets {
  attributes: Attributes;
  /** Upper bounds with the counts up to them, in their order. */
  upTo: [bound: number, count: number][];
  sum: number;
  count: number;
}

/** Puts the rows of a histogram in Prometheus' form together: one for each set of labels. */
const histogramsOf = ({ name, values }: MetricValues) => {
  const byLabels = new Map<string, Buckets>();
  for (const { metricName, labels, value } of values) {
    const { le, ...own } = labels as Record<string, string | number>;
    const key = JSON.stringify(own);
    const known = byLabels.get(key) ?? { attributes: attributesOf(own), upTo: [], sum: 0, count: 0 };
    byLabels.set(key, known);
    if (metricName === `${name}_sum`) known.sum = value;
    else if (metricName === `${name}_count`) known.count = value;
    else known.upTo.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value]);
  }
  return [...byLabels.values()].map(({ attributes, upTo, sum, count }) => ({
    attributes,
    value: {
      sum,
      count,
      buckets: {
        boundaries: upTo.map(([bound]) => bound).filter(Number.isFinite),
        counts: upTo.map(([, all], i) => all - (upTo[i - 1]?.[1] ?? 0)),
      },
    },
  }));
};
