/**
 * OpenTelemetry's SDK: sends spans and metrics to an OTLP/HTTP receiver. Loaded only where one is configured.
 * The provider isn't registered with the API, so that no library adds spans of its own, which would name what
 * they were asked.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { startTracing, stopTracing } from '../../core/tracing/calls.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Metrics } from '../../core/watch/metrics.ts';
import type { Config } from '../../schemas/config.ts';
import { metricsProducer } from './metrics-producer.ts';
import { type Sampling, samplingOf } from './sampler.ts';

/** How long a close waits for what has not been sent. */
const CLOSE_MS = 1_000;
/** A receiver that is away is logged once in this time. */
const TOLD_EVERY_MS = 60_000;

export interface Telemetry {
  /** Sends what is left, if the receiver takes it within a second. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  telemetry: Config['telemetry'] & { endpoint: string };
  /** Attributes of everything that is sent, beside the configured ones. */
  about: Readonly<Record<string, string>>;
  metrics: Pick<Metrics, 'values'>;
  log: Pick<Log, 'warn'>;
}

/** Starts the export; call it before what is traced is made. */
export const openTelemetry = ({ telemetry, about, metrics, log }: TelemetryOptions): Telemetry => {
  const resource = resourceFromAttributes({
    ...about,
    ...telemetry.attributes,
    'service.name': telemetry.service,
  });
  reportFaults(log);
  const sampling = samplingOf(telemetry.sampler, telemetry.ratio);
  const open = [
    ...(telemetry.traces === 'otlp' && sampling ? [openTraces(telemetry, resource, sampling)] : []),
    ...(telemetry.metrics === 'otlp' ? [openMetrics(telemetry, resource, metrics)] : []),
  ];
  return {
    close: async () => {
      stopTracing();
      const sent = Promise.allSettled(open.map(one => one.shutdown()));
      await Promise.race([sent, pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
};

type Endpoint = TelemetryOptions['telemetry'];

const exporterOf = ({ endpoint, headers }: Endpoint, path: string) => ({
  url: `${endpoint.replace(/\/+$/, '')}${path}`,
  headers,
});

const openTraces = (
  telemetry: Endpoint,
  resource: Resource,
  { share, sampler }: Sampling,
): { shutdown(): Promise<void> } => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter(exporterOf(telemetry, '/v1/traces'));
  const provider = new BasicTracerProvider({
    resource,
    sampler,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  startTracing(provider.getTracer('turnstone'), share);
  return provider;
};

const openMetrics = (
  telemetry: Endpoint,
  resource: Resource,
  metrics: Pick<Metrics, 'values'>,
): { shutdown(): Promise<void> } => {
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(exporterOf(telemetry, '/v1/metrics')),
    exportIntervalMillis: telemetry.metricsMs,
    exportTimeoutMillis: Math.min(telemetry.metricsMs, 30_000),
    metricProducers: [metricsProducer(metrics, resource)],
  });
  return new MeterProvider({ resource, readers: [reader] });
};

/** The message of a fault may quote the receiver's answer: only its code or its name is logged. */
const reportFaults = (log: Pick<Log, 'warn'>): void => {
  let toldAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler(fault => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    const { code, name } = fault as { code?: unknown; name?: unknown };
    log.warn({ reason: String(code ?? name ?? 'fault') }, 'telemetry could not be sent');
  });
};
