import type { IncomingMessage, ServerResponse } from 'node:http';
import { beginRequest } from '../../../core/tracing/calls.ts';
import { isTracing } from '../../../core/tracing/spans.ts';
import type { Endpoint } from './endpoint.ts';
import { exchangeOf, statusOf } from './exchange.ts';

type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Record<string, string>,
) => Promise<void>;

/**
 * Returns what serves the endpoint with a span around each request. Probes have none: they come every few
 * seconds and say nothing.
 */
export const inServerSpans = ({ method, path, quiet }: Endpoint, serve: Serve): Serve => {
  if (!isTracing() || quiet) return serve;
  const of = { method: method.toUpperCase(), route: path };
  return (request, response, params) => {
    const span = beginRequest(of, request.headers);
    if (!span) return serve(request, response, params);
    const exchange = exchangeOf(response);
    exchange.trace = span.ids;
    exchange.whenOver.push(() => span.end(statusOf(response)));
    return span.within(() => serve(request, response, params));
  };
};
