import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { makeDirect } from '../../../../../services/surfaces/http/direct.ts';
import type { Endpoint } from '../../../../../services/surfaces/http/endpoint.ts';

const endpoint = { method: 'post', path: '/ingestion/memory' } as Endpoint;
const headers = {
  host: 'here',
  authorization: 'Bearer a',
  'content-type': 'application/json',
  'content-length': '16384',
};
const exact = { method: 'POST', url: '/ingestion/memory', headers };

/** The way that a request took: `begun` and `direct`, or `app`. */
const wayOf = (request: object, endpoints = [endpoint]): string[] => {
  const way: string[] = [];
  const ports = {
    begin: () => void way.push('begun'),
    serve: () => async () => void way.push('direct'),
  };
  makeDirect(
    endpoints,
    ports,
    () => void way.push('app'),
  )(request as IncomingMessage, {} as ServerResponse & { req: IncomingMessage });
  return way;
};

it.each([
  ['with a token', {}],
  ['with an API key', { authorization: undefined, 'x-api-key': 'ts_a' }],
  ['with a charset', { 'content-type': 'application/json; charset=utf-8' }],
  ['of one byte', { 'content-length': '1' }],
])('serves a request of the exact shape directly: %s', (_what, changed) => {
  expect(wayOf({ ...exact, headers: { ...headers, ...changed } })).toEqual(['begun', 'direct']);
});

it.each([
  ['another method', { method: 'PUT' }],
  ['a query', { url: '/ingestion/memory?' }],
  ['another path', { url: '/ingestion/memory/' }],
  ['no length', { headers: { ...headers, 'content-length': undefined } }],
  ['a length of 0', { headers: { ...headers, 'content-length': '0' } }],
  ['a length in another form', { headers: { ...headers, 'content-length': '0x10' } }],
  ['one byte more', { headers: { ...headers, 'content-length': '16385' } }],
  ['chunks', { headers: { ...headers, 'transfer-encoding': 'chunked' } }],
  ['a coding', { headers: { ...headers, 'content-encoding': 'gzip' } }],
  ['an expectation', { headers: { ...headers, expect: '100-continue' } }],
  ['an upgrade', { headers: { ...headers, upgrade: 'h2c' } }],
  ['no host', { headers: { ...headers, host: undefined } }],
  ['another type', { headers: { ...headers, 'content-type': 'text/plain' } }],
  ['no credential', { headers: { ...headers, authorization: undefined } }],
])('leaves a request in doubt to the app: %s', (_what, changed) => {
  expect(wayOf({ ...exact, ...changed })).toEqual(['app']);
});

it('leaves everything to the app where the call is not served', () => {
  expect(wayOf(exact, [{ ...endpoint, path: '/healthz' } as Endpoint])).toEqual(['app']);
});
