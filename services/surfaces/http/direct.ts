/** The shortest way in, for the most frequent call: a request of an exact shape is served without express. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Endpoint } from './endpoint.ts';
import type { makeExchanges } from './exchange.ts';
import { isJsonType, SMALL_BYTES } from './request/request-body.ts';
import type { Serve } from './serve-endpoint.ts';

const METHOD = 'POST';
const PATH = '/ingestion/memory';
const LENGTH = /^[1-9]\d{0,5}$/;

/**
 * Whether a request is in doubt for nothing: one announced length of a small body in JSON, a credential, a
 * host, and nothing that changes how it is framed. All else goes to express, which knows what it is.
 */
const isExact = ({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) =>
  method === METHOD &&
  url === PATH &&
  LENGTH.test(headers['content-length'] ?? '') &&
  Number(headers['content-length']) <= SMALL_BYTES &&
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  headers.expect === undefined &&
  headers.upgrade === undefined &&
  headers.host !== undefined &&
  isJsonType(headers['content-type'] ?? '') &&
  (headers.authorization !== undefined || headers['x-api-key'] !== undefined);

interface Ports {
  begin: ReturnType<typeof makeExchanges>['begin'];
  serve: (endpoint: Endpoint) => Serve;
}

/**
 * Hands requests of the exact shape to the endpoint's own stages, which express calls as well, and all others
 * to `app` untouched.
 */
export const makeDirect = (
  endpoints: readonly Endpoint[],
  { begin, serve }: Ports,
  app: RequestListener,
): RequestListener => {
  const endpoint = endpoints.find(({ method, path }) => method === 'post' && path === PATH);
  if (!endpoint) return app;
  const serveDirectly = serve(endpoint);
  return (request, response) => {
    if (!isExact(request)) return app(request, response);
    begin(request, response);
    void serveDirectly(request, response, {});
  };
};
