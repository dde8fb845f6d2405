/** The bodies of errors. */
import type { FromSchema } from '../../from-schema.ts';
import { type Component, component, object, reference } from './parts.ts';

const faults = component('Faults', {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      description: 'All faults of form and of value; at most 10,000.',
      items: {
        type: 'object',
        required: ['loc', 'type', 'message'],
        properties: {
          loc: {
            type: 'array',
            items: { type: ['string', 'integer'] },
            examples: [['body', 'turns', 0, 'text']],
          },
          type: { type: 'string', examples: ['missing'] },
          message: { type: 'string', examples: ['is required'] },
        },
      },
    },
    omitted: { type: 'integer', description: 'The number of faults that are not listed, if any.' },
  },
});

const quotaDetails = component(
  'QuotaDetails',
  object({
    error: { type: 'string', enum: ['quota_exceeded'] },
    kind: { type: 'string', enum: ['tokens_in_daily', 'tokens_out_daily'] },
    used: { type: 'integer' },
    limit: { type: 'integer' },
    period: { type: 'string', enum: ['day_utc'] },
    period_start: { type: 'string', format: 'date-time' },
    message: { type: 'string' },
  }),
);
const rateDetails = component('RateDetails', object({ error: { type: 'string', enum: ['rate_limited'] } }));

/**
 * Whole, not `allOf` of a common part and its details: generators of clients lose the bodies of such errors.
 */
const bodyWith = <const Details extends object>(details: Details) =>
  object({
    error: { type: 'string', pattern: '^HTTP [45][0-9]{2}$', examples: ['HTTP 422'] },
    message: { type: 'string' },
    details,
    timestamp: { type: 'string', format: 'date-time' },
    request_id: { type: 'string', format: 'uuid', description: 'Equals X-Correlation-ID.' },
  });

const anyError = component('Error', bodyWith({ type: ['object', 'null'] }));
const invalidRequest = component('InvalidRequest', bodyWith(reference(faults)));
const tooManyRequests = component(
  'TooManyRequests',
  bodyWith({ oneOf: [reference(quotaDetails), reference(rateDetails)] }),
);

/** The components of the OpenAPI document that describe errors. */
export const errorComponents: readonly Component[] = [
  faults,
  quotaDetails,
  rateDetails,
  anyError,
  invalidRequest,
  tooManyRequests,
];

/** The body of every 4xx and 5xx answer, whatever the path and method. */
export type ErrorBody = FromSchema<typeof anyError.schema>;

/** The component that describes the body of errors with this status. */
export const errorComponentOf = (status: number): Component =>
  (({ 400: invalidRequest, 422: invalidRequest, 429: tooManyRequests }) as Record<number, Component>)[
    status
  ] ?? anyError;

const example = (
  status: number,
  message: string,
  details: Record<string, unknown> | null = null,
): ErrorBody => ({
  error: `HTTP ${status}`,
  message,
  details,
  timestamp: '2026-03-09T09:30:00.000Z',
  request_id: '4a1f0f0e-6a55-4d0b-9f35-2f6f2f1f3a90',
});

/** Examples by status. */
export const errorExamples: Record<number, ErrorBody> = {
  400: example(400, 'The request is malformed.', {
    errors: [{ loc: ['body', 'turns', 0, 'text'], type: 'missing', message: 'is required' }],
  }),
  401: example(401, 'The token is missing, invalid or expired.'),
  403: example(403, 'The credential lacks the role memory:write.'),
  404: example(404, 'There is nothing at this path.'),
  405: example(405, 'The methods of this path are GET, HEAD, OPTIONS.'),
  408: example(408, 'The body of a call without a token must arrive within seconds.'),
  409: example(409, 'The organization id is taken.'),
  413: example(413, 'The body must have at most 4194304 bytes.'),
  415: example(415, 'The body must be sent with Content-Type: application/json in UTF-8.'),
  422: example(422, 'The request breaks a rule.', {
    errors: [{ loc: ['body', 'top_k'], type: 'out_of_range', message: 'must be at most 50' }],
  }),
  429: example(429, 'The daily cap of ingress tokens would be exceeded by this call.', {
    error: 'quota_exceeded',
    kind: 'tokens_in_daily',
    used: 999_996,
    limit: 1_000_000,
    period: 'day_utc',
    period_start: '2026-03-09T00:00:00.000Z',
    message: 'The daily cap of ingress tokens would be exceeded by this call. It opens again at 00:00 UTC.',
  }),
  500: example(500, 'Something went wrong on our side.'),
  503: example(503, 'The service took too long; try again.'),
};
