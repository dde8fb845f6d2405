/** A request that is traced, without a server and without an exporter. */
import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { beginRequest, startTracing, stopTracing } from '../../../core/tracing/calls.ts';

/** Makes what the SDK registers in a process; returns the function that takes it back. */
export const registerContext = (): (() => void) => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return () => {
    stopTracing();
    context.disable();
    propagation.disable();
  };
};

/** Starts tracing; what is made from here on is traced. */
export const startPlainTracing = (): void => startTracing(new BasicTracerProvider().getTracer('test'));

/** Does the work in the span of a request; returns its result and the trace's id. */
export const inRequest = async <T>(work: () => Promise<T>): Promise<{ result: T; traceId: string }> => {
  const request = beginRequest({ method: 'POST', route: '/test' }, {})!;
  try {
    return { result: await request.within(work), traceId: request.ids.trace_id };
  } finally {
    request.end(200);
  }
};
