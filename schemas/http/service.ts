/** Endpoints for operators of the service. */
import type { FromSchema } from '../from-schema.ts';
import { json, open } from './operation.ts';
import { component, list, object, string } from './parts/parts.ts';

const boolean = { type: 'boolean' } as const;

const health = component('Health', object({ status: { type: 'string', enum: ['ok'] } }));
const readiness = component(
  'Readiness',
  object({
    ready: boolean,
    degraded: {
      ...list(string),
      description:
        'The engines that do not answer: what needs them is a 503, and everything else is answered.',
    },
    engines: { type: 'object', additionalProperties: object({ ok: boolean, detail: string }) },
  }),
);
export type Readiness = FromSchema<typeof readiness.schema>;

export const serviceOperations = {
  health: open({
    method: 'get',
    path: '/healthz',
    polled: true,
    summary: 'Liveness of the process',
    tag: 'Operations',
    answer: json(200, 'The process is alive.', health, { status: 'ok' }),
    statuses: [],
  }),
  readiness: open({
    method: 'get',
    path: '/readyz',
    polled: true,
    summary: 'Readiness of the engines',
    description:
      'Ready while this process can serve anything of what its role is for. A process that stops is not ready first, and goes on answering for a configured time.',
    tag: 'Operations',
    answer: json(200, 'Send it calls. A 503 lists the engines too.', readiness, {
      ready: true,
      degraded: [],
      engines: { log: { ok: true, detail: 'answers' }, projections: { ok: true, detail: '0 events behind' } },
    }),
    statuses: [503],
  }),
  metrics: open({
    method: 'get',
    path: '/metrics',
    polled: true,
    summary: 'Metrics for Prometheus',
    description: 'May be on a port of its own or need a token of its own, as the service is configured.',
    tag: 'Operations',
    answer: {
      status: 200,
      description: 'Prometheus text format.',
      schema: { type: 'string' },
      contentType: 'text/plain',
    },
    statuses: [401],
  }),
  openApi: open({
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    tag: 'Operations',
    answer: { status: 200, description: 'OpenAPI 3.1.', schema: { type: 'object' } },
    statuses: [],
  }),
  docs: open({
    method: 'get',
    path: '/docs',
    summary: 'The documentation',
    description: 'Pages for people, and their index; /docs/reference/api shows this document as a page.',
    tag: 'Operations',
    answer: { status: 200, description: 'HTML.', schema: { type: 'string' }, contentType: 'text/html' },
    statuses: [],
  }),
};
