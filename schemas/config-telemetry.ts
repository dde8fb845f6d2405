/** The variables of OpenTelemetry that the service reads, under their standard names. */
import {
  fraction,
  httpUrlAlone,
  modelName,
  oneOf,
  optional,
  pairs,
  secret,
  variable,
  wholeNumber,
} from './config-values.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const TELEMETRY_SETTINGS = {
  /** Unset: no telemetry, and none of its modules is loaded. */
  endpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    optional(httpUrlAlone),
    'turns on [OpenTelemetry](../operate/monitor.md#opentelemetry): an OTLP/HTTP receiver such as `http://127.0.0.1:4318`; `/v1/traces` and `/v1/metrics` are appended',
  ),
  headers: secret(
    variable('OTEL_EXPORTER_OTLP_HEADERS', '', pairs, 'headers that are sent to it; values percent-encoded'),
  ),
  traces: variable('OTEL_TRACES_EXPORTER', 'otlp', oneOf('otlp', 'none'), 'whether spans are sent'),
  metrics: variable('OTEL_METRICS_EXPORTER', 'otlp', oneOf('otlp', 'none'), 'whether metrics are sent'),
  metricsMs: variable(
    'OTEL_METRIC_EXPORT_INTERVAL',
    '60000',
    wholeNumber(1_000, 86_400_000),
    'milliseconds from one export of the metrics to the next',
  ),
  sampler: variable(
    'OTEL_TRACES_SAMPLER',
    'parentbased_traceidratio',
    oneOf(...SAMPLERS),
    'which requests have spans; `parentbased_…`: of a request with a `traceparent`, its caller decides',
  ),
  ratio: variable('OTEL_TRACES_SAMPLER_ARG', '0.01', fraction, 'the share of requests of a `…traceidratio`'),
  service: variable('OTEL_SERVICE_NAME', 'turnstone', modelName, "the service's name"),
  attributes: variable(
    'OTEL_RESOURCE_ATTRIBUTES',
    '',
    pairs,
    'attributes of everything that is sent; values percent-encoded',
  ),
};
