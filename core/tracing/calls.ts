/**
 * Spans of calls and of the log's consumers, by OpenTelemetry's API. Without `startTracing` nothing here
 * does anything. No span holds words: an error is told by its code or its name.
 */
import {
  type Attributes,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ServiceError } from '../errors.ts';
import { observed, setTracing, type Tracing } from './spans.ts';
import type { ConsumedStep, Stage } from './stages.ts';

let tracer: Tracer | undefined;
/** Whether a request that goes on with no trace begins one. */
let isChosen = (): boolean => true;

/** Requests with a span that has not ended: without one there is nothing to look for. */
let open = 0;

const activeSpan = (): Span | undefined => (open > 0 ? trace.getActiveSpan() : undefined);

/** The span that is active, if it is exported. */
const exported = (): Span | undefined => {
  const span = activeSpan();
  return span?.isRecording() ? span : undefined;
};

/** Whether what runs now belongs to a call whose spans are exported. */
export const isExported = (): boolean => exported() !== undefined;

const fail = (span: Span, error: unknown): void => {
  const code = error instanceof ServiceError ? error.code : undefined;
  span.setAttribute('error.type', code ?? (error instanceof Error ? error.name : 'fault'));
  // A refusal is what the service is for; an outage and a fault of its own are not.
  if (code === undefined || code === 'internal' || code === 'unavailable')
    span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

const within = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(context.active(), span), work);

const runWith = (tracer: Tracer): Tracing['run'] => {
  return (name, work, { kind, attributes = {}, outcome } = {}) => {
    const span = tracer.startSpan(name, {
      kind: kind === 'producer' ? SpanKind.PRODUCER : SpanKind.INTERNAL,
      attributes,
    });
    return observed(
      () => within(span, work),
      result => {
        if (outcome) span.setAttributes(outcome(result as never));
        span.end();
      },
      error => fail(span, error),
    );
  };
};

/**
 * Has spans made from now on. Call it before anything that is traced is made.
 *
 * @param share of the requests without a trace of their caller that begin one. It is decided by chance before
 *   anything is made for them, so that the others cost nothing.
 */
export const startTracing = (by: Tracer, share = 1, random: () => number = Math.random): void => {
  tracer = by;
  isChosen = () => random() < share;
  setTracing({ isActive: isExported, run: runWith(by) });
};

export const stopTracing = (): void => {
  tracer = undefined;
  setTracing(undefined);
};

export interface TraceIds {
  trace_id: string;
  span_id: string;
}

const idsOf = (span: Span): TraceIds => {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
};

/** Returns the ids of the active span, for lines of the logger; nothing outside of calls. */
export const traceIds = (): TraceIds | Record<string, never> => {
  const span = activeSpan();
  return span ? idsOf(span) : {};
};

export interface RequestSpan {
  ids: TraceIds;
  /** Does the work with this span as the active one. */
  within<T>(work: () => T): T;
  end(status: number): void;
}

/**
 * Begins the server's span of a request, which goes on with the trace that its headers name; undefined for
 * one that is not traced. It has the route and not the path, which names users.
 */
export const beginRequest = (
  { method, route }: { method: string; route: string },
  headers: Readonly<Record<string, unknown>>,
): RequestSpan | undefined => {
  const isNew = headers.traceparent === undefined;
  if (!tracer || (isNew && !isChosen())) return undefined;
  const from = isNew ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers);
  const attributes = { 'http.request.method': method, 'http.route': route, 'url.scheme': 'http' };
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, from);
  const active = trace.setSpan(from, span);
  open++;
  return {
    ids: idsOf(span),
    within: work => context.with(active, work),
    end: status => {
      open--;
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) {
        span.setAttribute('error.type', String(status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
};

const NONE: Readonly<Record<string, string>> = {};

/** Returns the W3C headers of a request that the active span makes; none outside of calls. */
export const traceHeaders = (): Readonly<Record<string, string>> => {
  if (!activeSpan()) return NONE;
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
};

/**
 * Returns the header of records of the log by which a later step links to this request; none where its
 * spans aren't exported.
 */
export const recordHeaders = (): Readonly<Record<string, string>> => {
  const { traceparent } = exported() ? traceHeaders() : NONE;
  return traceparent === undefined ? NONE : { traceparent };
};

const addStage = (stage: Stage, parent = context.active()): void =>
  tracer!.startSpan(stage.name, { startTime: stage.began }, parent).end(stage.ended);

/** Makes children of the active span of what a thread has told. */
export const addStages = (stages: readonly Stage[]): void => {
  if (isExported()) for (const stage of stages) addStage(stage);
};

const linkTo = (traceparent: string): Link[] => {
  const linked = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
  return linked ? [{ context: linked }] : [];
};

/** Makes the span of a consumer's step, a trace of its own that links to the requests. */
export const addStep = ({
  name,
  topic,
  partition,
  records,
  links,
  stages,
  began,
  ended,
}: ConsumedStep): void => {
  if (!tracer) return;
  const attributes: Attributes = {
    'messaging.operation.type': 'process',
    'messaging.destination.name': topic,
    'messaging.destination.partition.id': String(partition),
    'messaging.batch.message_count': records,
  };
  const options = { kind: SpanKind.CONSUMER, attributes, links: links.flatMap(linkTo), startTime: began };
  const span = tracer.startSpan(name, options, ROOT_CONTEXT);
  for (const stage of stages) addStage(stage, trace.setSpan(ROOT_CONTEXT, span));
  span.end(ended);
};
