import { resourceFromAttributes } from '@opentelemetry/resources';
import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import { expect, it } from 'vitest';
import { makeMetrics } from '../../../../core/watch/metrics.ts';
import { metricsProducer } from '../../../../infra/telemetry/metrics-producer.ts';

const collected = async (metrics: ReturnType<typeof makeMetrics>): Promise<MetricData[]> => {
  const { resourceMetrics } = await metricsProducer(metrics, resourceFromAttributes({})).collect();
  return resourceMetrics.scopeMetrics.flatMap(scope => scope.metrics);
};

const request = { method: 'GET', route: '/turns', status: 200 };

it('gives a histogram one point for each set of labels, whose counts are those of each bucket', async () => {
  const metrics = makeMetrics();
  for (const seconds of [0.0005, 0.003, 0.003, 60]) {
    metrics.requestBegan();
    metrics.requestEnded({ ...request, seconds });
  }
  metrics.requestBegan();
  metrics.requestEnded({ ...request, status: 503, seconds: 1 });
  const all = await collected(metrics);
  const durations = all.find(
    ({ descriptor }) => descriptor.name === 'turnstone_http_request_duration_seconds',
  )!;
  if (durations.dataPointType !== DataPointType.HISTOGRAM) throw new Error('no histogram');
  const [ok, failed] = durations.dataPoints;
  expect(ok!.attributes).toEqual({ method: 'GET', route: '/turns', status: 200 });
  expect(ok!.value.count).toBe(4);
  expect(ok!.value.sum).toBeCloseTo(60.0065);
  expect(ok!.value.buckets.boundaries.slice(0, 3)).toEqual([0.001, 0.0025, 0.005]);
  // One more than there are bounds: the last is of what is above all of them.
  expect(ok!.value.buckets.counts).toEqual([1, 0, 2, ...Array(11).fill(0), 1]);
  expect(failed!.value.count).toBe(1);
});

it('gives gauges and counters their values, and leaves out what could not be read', async () => {
  const metrics = makeMetrics();
  metrics.gauge({
    name: 'lag',
    help: 'of two',
    labels: ['of'],
    read: () => [{ labels: { of: 'a' }, value: 3 }],
  });
  metrics.gauge({
    name: 'away',
    help: 'an engine',
    read: () => {
      throw new Error('away');
    },
  });
  const all = await collected(metrics);
  const named = (name: string): MetricData => all.find(({ descriptor }) => descriptor.name === name)!;
  expect(named('lag')).toMatchObject({
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ value: 3, attributes: { of: 'a' } }],
  });
  expect(named('away').dataPoints).toEqual([]);
  expect(named('process_cpu_user_seconds_total')).toMatchObject({
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
  });
});
