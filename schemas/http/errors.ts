/** The contract's error body: that of every 4xx and 5xx answer, whatever the path and method. */
export interface ErrorBody {
  /** `HTTP <status>`. */
  error: string;
  /** Human-readable. */
  message: string;
  details: Record<string, unknown> | null;
  /** RFC 3339, UTC. */
  timestamp: string;
  /** Equals the answer's `X-Correlation-ID`. */
  request_id: string;
}

export const errorSchema = {
  type: 'object',
  required: ['error', 'message', 'details', 'timestamp', 'request_id'],
  properties: {
    error: { type: 'string', pattern: '^HTTP [45][0-9]{2}$', examples: ['HTTP 422'] },
    message: { type: 'string' },
    details: {
      type: ['object', 'null'],
      description: 'A 400 or 422 lists its faults in errors; a quota 429 has the members of QuotaDetails.',
    },
    timestamp: { type: 'string', format: 'date-time' },
    request_id: { type: 'string', format: 'uuid', description: 'Equals X-Correlation-ID.' },
  },
} as const;

export const validationDetailsSchema = {
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
} as const;

export const quotaDetailsSchema = {
  type: 'object',
  required: ['error', 'kind', 'used', 'limit', 'period', 'period_start', 'message'],
  properties: {
    error: { type: 'string', enum: ['quota_exceeded'] },
    kind: { type: 'string', enum: ['tokens_in_daily', 'tokens_out_daily'] },
    used: { type: 'integer' },
    limit: { type: 'integer' },
    period: { type: 'string', enum: ['day_utc'] },
    period_start: { type: 'string', format: 'date-time' },
    message: { type: 'string' },
  },
} as const;
