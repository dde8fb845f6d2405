/** With the real SDK, whose exporter keeps the spans. */
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ServiceError, unavailable } from '../../../../core/errors.ts';
import {
  addStages,
  addStep,
  beginRequest,
  isExported,
  recordHeaders,
  startTracing,
  stopTracing,
  traceHeaders,
  traceIds,
} from '../../../../core/tracing/calls.ts';
import { inSpan, traced } from '../../../../core/tracing/spans.ts';
import { registerContext } from '../../../support/http/in-a-trace.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const REQUEST = { method: 'POST', route: '/recall' };

const exporter = new InMemorySpanExporter();
const start = (sampler: Sampler = new AlwaysOnSampler()): void => {
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  startTracing(new BasicTracerProvider({ sampler, spanProcessors }).getTracer('test'));
};

const named = (name: string): ReadableSpan => exporter.getFinishedSpans().find(span => span.name === name)!;

let unregister: () => void;
beforeAll(() => {
  unregister = registerContext();
});
afterEach(() => {
  stopTracing();
  exporter.reset();
});
afterAll(() => unregister());

it('makes children of the span of a request, which is a child of the span of its caller', async () => {
  start();
  const request = beginRequest(REQUEST, { traceparent: `00-${TRACE}-${PARENT}-01` })!;
  const double = traced('double', async (n: number) => inSpan('add', () => n + n), {
    attributes: n => ({ n }),
    outcome: sum => ({ sum }),
  });
  expect(await request.within(() => double(4))).toBe(8);
  request.end(200);
  const [server, outer, inner] = ['POST /recall', 'double', 'add'].map(named) as [
    ReadableSpan,
    ReadableSpan,
    ReadableSpan,
  ];
  expect(server.parentSpanContext?.spanId).toBe(PARENT);
  expect(server.kind).toBe(SpanKind.SERVER);
  expect(outer.parentSpanContext?.spanId).toBe(server.spanContext().spanId);
  expect(inner.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
  expect(new Set([server, outer, inner].map(span => span.spanContext().traceId))).toEqual(new Set([TRACE]));
  expect(outer.attributes).toEqual({ n: 4, sum: 8 });
  expect(request.ids).toEqual({ trace_id: TRACE, span_id: server.spanContext().spanId });
});

it('begins a trace of its own for a request whose traceparent is none', () => {
  start();
  beginRequest(REQUEST, { traceparent: 'garbage' })!.end(200);
  expect(named('POST /recall').parentSpanContext).toBeUndefined();
});

it('tells an error by its code or its name, never by its message, which may quote', async () => {
  start();
  const request = beginRequest(REQUEST, {})!;
  const failing = (name: string, error: Error) =>
    request.within(() =>
      expect(
        traced(name, async () => {
          throw error;
        })(),
      ).rejects.toBe(error),
    );
  await failing('refused', new ServiceError('invalid', 'quoted words'));
  await failing('outage', unavailable('quoted words'));
  await failing('fault', new TypeError('quoted words'));
  request.end(500);
  const told = (name: string) => [named(name).attributes['error.type'], named(name).status.code];
  expect(told('refused')).toEqual(['invalid', SpanStatusCode.UNSET]);
  expect(told('outage')).toEqual(['unavailable', SpanStatusCode.ERROR]);
  expect(told('fault')).toEqual(['TypeError', SpanStatusCode.ERROR]);
  expect(told('POST /recall')).toEqual(['500', SpanStatusCode.ERROR]);
  const all = exporter
    .getFinishedSpans()
    .map(({ attributes, events, status }) => ({ attributes, events, status }));
  expect(JSON.stringify(all)).not.toContain('quoted');
});

it('names the active span to the log, the logger and other services, within a call alone', () => {
  start();
  expect([traceIds(), recordHeaders(), traceHeaders()]).toEqual([{}, {}, {}]);
  const request = beginRequest(REQUEST, {})!;
  const traceparent = `00-${request.ids.trace_id}-${request.ids.span_id}-01`;
  request.within(() => {
    expect(traceIds()).toEqual(request.ids);
    expect(recordHeaders()).toEqual({ traceparent });
    expect(traceHeaders()).toEqual({ traceparent });
    expect(isExported()).toBe(true);
  });
});

it('begins a trace for its share of the requests, and goes on with the traces of all others', () => {
  const drawn = [0.24, 0.26];
  startTracing(new BasicTracerProvider().getTracer('test'), 0.25, () => drawn.shift()!);
  const request = beginRequest(REQUEST, {});
  expect(request).toBeDefined();
  request!.end(200);
  expect(beginRequest(REQUEST, {})).toBeUndefined();
  expect(beginRequest(REQUEST, { traceparent: `00-${TRACE}-${PARENT}-01` })?.ids.trace_id).toBe(TRACE);
});

it('makes no span of what the sampler leaves out, and links nothing to it', () => {
  start(new AlwaysOffSampler());
  const request = beginRequest(REQUEST, {})!;
  request.within(() => {
    expect(isExported()).toBe(false);
    expect(inSpan('stage', () => 1)).toBe(1);
    expect(recordHeaders()).toEqual({});
    // Its lines in the logger belong together all the same.
    expect(traceIds()).toEqual(request.ids);
    expect(traceHeaders().traceparent).toMatch(/-00$/);
  });
  request.end(200);
  expect(exporter.getFinishedSpans()).toEqual([]);
});

it('does nothing where nobody has started it', () => {
  addStages([{ name: 'rank', began: 1, ended: 2 }]);
  addStep({
    name: 'projector',
    topic: 'turns',
    partition: 0,
    records: 1,
    links: [],
    stages: [],
    began: 1,
    ended: 2,
  });
  expect([traceIds(), recordHeaders(), traceHeaders(), isExported()]).toEqual([{}, {}, {}, false]);
});

it('makes spans of what a thread has told, at the times that it told', () => {
  start();
  const began = Date.now() - 1_000;
  const request = beginRequest(REQUEST, {})!;
  request.within(() => addStages([{ name: 'rank', began, ended: began + 250 }]));
  request.end(200);
  const rank = named('rank');
  expect(rank.parentSpanContext?.spanId).toBe(request.ids.span_id);
  expect(rank.startTime[0] * 1_000 + rank.startTime[1] / 1e6).toBeCloseTo(began, 0);
  expect(rank.duration[0] * 1_000 + rank.duration[1] / 1e6).toBeCloseTo(250, 0);
});

it('makes the step of a consumer a trace of its own, which links to the requests', () => {
  start();
  const began = Date.now() - 100;
  const stages = [{ name: 'fold', began, ended: began + 1 }];
  const links = [`00-${TRACE}-${PARENT}-01`, 'garbage'];
  addStep({
    name: 'projector',
    topic: 'turns',
    partition: 3,
    records: 2,
    links,
    stages,
    began,
    ended: began + 2,
  });
  const step = named('projector');
  expect(step.kind).toBe(SpanKind.CONSUMER);
  expect(step.links.map(({ context }) => [context.traceId, context.spanId])).toEqual([[TRACE, PARENT]]);
  expect(step.spanContext().traceId).not.toBe(TRACE);
  expect(named('fold').parentSpanContext?.spanId).toBe(step.spanContext().spanId);
  expect(step.attributes).toMatchObject({
    'messaging.destination.name': 'turns',
    'messaging.destination.partition.id': '3',
    'messaging.batch.message_count': 2,
  });
  expect(trace.getActiveSpan()).toBeUndefined();
});
