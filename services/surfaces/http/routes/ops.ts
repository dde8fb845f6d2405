import { openApiDocument } from '../../../../schemas/openapi.ts';
import { unavailable } from '../../../core/errors.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import type { Metrics } from '../../../core/watch/metrics.ts';
import { type Endpoint, ok } from '../endpoint.ts';
import { errorAnswer } from '../error-answer.ts';
import { once } from '../once.ts';

export const opsEndpoints = (useCases: UseCases, metrics: Metrics, clock: () => number): Endpoint[] => {
  const document = once(() => JSON.stringify(openApiDocument(), null, 2));
  return [
    {
      method: 'get',
      path: '/healthz',
      access: 'open',
      quiet: true,
      handle: async () => ok({ status: 'ok' }),
    },
    {
      method: 'get',
      path: '/readyz',
      access: 'open',
      quiet: true,
      handle: async ({ context }) => {
        const readiness = await useCases.ready();
        if (readiness.ready) return ok(readiness);
        // The body of every 503, plus the engines.
        const refusal = errorAnswer(unavailable('The service is not ready.'), context.correlationId, clock());
        return { ...refusal, body: { ...refusal.body, ...readiness } };
      },
    },
    {
      method: 'get',
      path: '/metrics',
      access: 'open',
      quiet: true,
      handle: async () => {
        const { contentType, text } = await metrics.render();
        return { status: 200, body: text, contentType };
      },
    },
    {
      method: 'get',
      path: '/openapi.json',
      access: 'open',
      handle: async () => ({
        status: 200,
        body: document(),
        contentType: 'application/json; charset=utf-8',
      }),
    },
  ];
};
