import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError, unavailable } from '../../../../core/errors.ts';
import type { UseCases } from '../../../../core/use-cases.ts';
import type { Metrics } from '../../../../core/watch/metrics.ts';
import { serviceOperations } from '../../../../schemas/http/service.ts';
import { openApiDocument } from '../../../../schemas/openapi.ts';
import { errorAnswer } from '../answer/error-answer.ts';
import { answering, type Endpoint, route } from '../endpoint.ts';
import { once } from '../request/once.ts';

/**
 * Health and readiness, which every role serves. Neither has a rate limit: orchestrators restart what refuses
 * them.
 */
export const healthEndpoints = (useCases: Pick<UseCases, 'ready'>, clock: () => number): Endpoint[] => [
  route(serviceOperations.health, async () => ({ status: 'ok' as const })),
  answering(serviceOperations.readiness, async ({ context }) => {
    const readiness = await useCases.ready();
    if (readiness.ready) return { status: 200, body: readiness };
    // The body of every 503, plus the engines.
    const refusal = errorAnswer(unavailable('The service is not ready.'), context.correlationId, clock());
    return { ...refusal, body: { ...refusal.body, ...readiness } };
  }),
];

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `token`: the bearer token that a scrape needs; undefined: none. Compared in constant time. */
export const metricsEndpoint = (metrics: Metrics, token: string | undefined): Endpoint => {
  const wanted = token === undefined ? undefined : digestOf(token);
  return answering(serviceOperations.metrics, async ({ bearer }) => {
    if (wanted && !timingSafeEqual(digestOf(bearer ?? ''), wanted)) {
      throw new ServiceError('unauthenticated', 'The metrics need the token of TURNSTONE_METRICS_TOKEN.');
    }
    const { contentType, text } = await metrics.render();
    return { status: 200, body: text, contentType };
  });
};

export const documentEndpoint = (): Endpoint => {
  const document = once(() => Buffer.from(JSON.stringify(openApiDocument(), null, 2)));
  return answering(serviceOperations.openApi, async () => ({
    status: 200,
    body: document(),
    contentType: 'application/json; charset=utf-8',
  }));
};
