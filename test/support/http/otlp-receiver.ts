/** A receiver of OTLP/HTTP in JSON, as a collector is: it keeps the spans and the metrics that it is sent. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

interface Value {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string | number;
  doubleValue?: number;
  arrayValue?: { values?: Value[] };
}
interface Attribute {
  key: string;
  value: Value;
}

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}

interface Points {
  dataPoints?: {
    attributes?: Attribute[];
    asDouble?: number;
    asInt?: string;
    count?: string | number;
    sum?: number;
  }[];
}

/** The parts of a metric that tests look at. */
export interface ReceivedMetric {
  name: string;
  gauge?: Points;
  sum?: Points & { isMonotonic?: boolean };
  histogram?: Points;
}

/** OTLP's numbers for kinds of spans. */
export const KIND = { server: 2, consumer: 5 };

export interface ReceivedSpan extends Omit<SentSpan, 'attributes' | 'links' | 'status'> {
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  status: number;
  /** The process that sent it. */
  resource: Record<string, unknown>;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  metrics: Map<string, ReceivedMetric>;
  /** All that came, as text. */
  bodies: string[];
  /** The headers of each request. */
  headers: IncomingHttpHeaders[];
  close(): Promise<void>;
}

const plain = ({ stringValue, boolValue, intValue, doubleValue, arrayValue }: Value): unknown =>
  stringValue ??
  boolValue ??
  (intValue === undefined ? undefined : Number(intValue)) ??
  doubleValue ??
  arrayValue?.values?.map(plain);

const record = (attributes: readonly Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const bytes = await buffer(request);
  return String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
};

interface Sent {
  resource?: { attributes?: Attribute[] };
  scopeSpans?: { spans?: SentSpan[] }[];
  scopeMetrics?: { metrics?: ReceivedMetric[] }[];
}

export const startOtlpReceiver = async (): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];

  const take = (path: string | undefined, body: string): boolean => {
    const sent = JSON.parse(body) as { resourceSpans?: Sent[]; resourceMetrics?: Sent[] };
    if (path === '/v1/traces') {
      for (const { resource, scopeSpans = [] } of sent.resourceSpans ?? [])
        for (const span of scopeSpans.flatMap(scope => scope.spans ?? []))
          spans.push({
            ...span,
            attributes: record(span.attributes),
            links: span.links ?? [],
            status: span.status?.code ?? 0,
            resource: record(resource?.attributes),
          });
      return true;
    }
    if (path !== '/v1/metrics') return false;
    for (const { scopeMetrics = [] } of sent.resourceMetrics ?? [])
      for (const metric of scopeMetrics.flatMap(scope => scope.metrics ?? []))
        metrics.set(metric.name, metric);
    return true;
  };

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    bodies.push(body);
    headers.push(request.headers);
    const isTaken = request.headers['content-type'] === 'application/json' && take(request.url, body);
    response.writeHead(isTaken ? 200 : 415, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    bodies,
    headers,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
};

/** A span's name with those of its children, in the order in which they began. */
export type SpanTree = [name: string, ...children: SpanTree[]];

/** Returns the tree of the spans below one; equal times keep their order of arrival. */
export const treeOf = (span: ReceivedSpan, spans: readonly ReceivedSpan[]): SpanTree => [
  span.name,
  ...spans
    .filter(one => one.traceId === span.traceId && one.parentSpanId === span.spanId)
    .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .map(child => treeOf(child, spans)),
];
