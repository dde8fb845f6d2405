/**
 * The OpenAPI document. It is built from the schemas that validate requests, so that the two can't disagree.
 */
import { answerSchemaOf, components, operations } from './http/contract.ts';
import type { Operation } from './http/operation.ts';
import { errorComponentOf, errorComponents, errorExamples } from './http/parts/error-components.ts';
import { reference as referenceTo } from './http/parts/parts.ts';
import { webhookMessages } from './http/webhook-messages.ts';

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string; license: object };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, PathOperation>>;
  /** Requests of the service to addresses that its callers name. */
  webhooks: Record<string, { post: object }>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, object>;
    parameters: Record<string, object>;
    headers: Record<string, object>;
    securitySchemes: Record<string, object>;
  };
}

export interface PathOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: object[];
  requestBody?: { required: boolean; content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, object>;
}

const DESCRIPTION = [
  'Turnstone stores conversations and finds what was said in them.',
  'Exchange an API key for a token, or send it as X-API-Key; ingest the turns of a conversation, and recall them with a question.',
  'The organization is always that of the token; so is the user, unless the token may name others.',
  'A 400 is a fault of form, a 422 a fault of value; both list every fault in details.errors.',
  'A request is checked in this order: 401, 403, 429 for too many calls, 400 and 422, 429 for a daily cap.',
].join('\n\n');

const TAGS = [
  { name: 'Tokens', description: 'API keys are exchanged for short-lived tokens.' },
  { name: 'Memory', description: 'Turns are written, recalled, followed and erased.' },
  { name: 'Usage', description: 'Tokens are metered by organization, day and month, in UTC.' },
  { name: 'Accounts', description: 'Organizations and their API keys.' },
  { name: 'Operations', description: 'For those who operate the service.' },
];

const reference = (section: string, name: string): object => ({ $ref: `#/components/${section}/${name}` });

const retryAfter = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait.' } };

interface Refusal {
  description: string;
  headers?: Record<string, object>;
}

/** Error responses by status, shared by all endpoints. */
const refusals: Record<number, Refusal> = {
  400: { description: 'The request is malformed: not JSON, or a member is missing or of the wrong type.' },
  401: {
    description: 'The credential is missing, unknown, invalid or expired.',
    headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  },
  403: { description: 'The credential is revoked or lacks what the call needs.' },
  404: { description: 'The resource does not exist.' },
  405: {
    description: 'The path does not support this method.',
    headers: { Allow: { schema: { type: 'string' } } },
  },
  408: { description: 'The body of a call without a token took longer than 5 seconds to arrive.' },
  409: { description: 'The resource already exists, or is not complete yet.' },
  413: { description: 'The body is larger than 4 MiB, or than 16 KiB in a call without a token.' },
  415: { description: 'The body is not application/json in UTF-8, or has a Content-Encoding.' },
  422: { description: 'The request is well formed but breaks a rule of value.' },
  429: {
    description:
      'Too many calls: of the organization in a second, of the address in a minute on an open endpoint, or exchanges that failed. Or a daily cap is reached (until 00:00 UTC).',
    headers: retryAfter,
  },
  500: { description: 'Internal error.' },
  503: { description: 'An engine is unreachable; nothing was stored.', headers: retryAfter },
};

const refusalResponse = (status: number, { description, headers }: Refusal): object => ({
  description,
  headers: { 'X-Correlation-ID': reference('headers', 'CorrelationId'), ...headers },
  content: {
    'application/json': { schema: referenceTo(errorComponentOf(status)), example: errorExamples[status] },
  },
});

const STRICT = {
  scope: undefined,
  user: 'A key that is strict for a session: 403.',
  organization: 'A strict key: 403.',
};

/** Says who may call an operation. */
const rightsInWords = ({ access, reach, untold, answer }: Operation): (string | undefined)[] => [
  access?.length ? `Needs the role ${access.join(' or ')}.` : undefined,
  reach && STRICT[reach],
  untold &&
    `Without memory:read too the answer is ${answer.status}${answer.schema ? ' with the id alone' : ''}, whether or not there is such a thing.`,
];

const pathOperation = (id: string, operation: Operation): PathOperation => {
  const { summary, description, tag, access, statuses, answer, query, request } = operation;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
  const schema = answerSchemaOf(operation);
  const body = schema && {
    content: {
      [answer.contentType ?? 'application/json']: {
        schema,
        ...(answer.example === undefined ? {} : { example: answer.example }),
      },
    },
  };
  const closed = access === undefined ? [] : [401, 403, 429];
  const bodied = request ? [400, ...(access === undefined ? [408] : []), 413, 415, 422] : [];
  const limited = operation.polled ? [] : [429];
  // Names in a path or a query must be UTF-8.
  const named = names.length > 0 || query ? [400] : [];
  const refused = [...new Set([...closed, ...bodied, ...named, ...limited, ...statuses, 405, 500])].sort(
    (a, b) => a - b,
  );
  const text = [description, ...rightsInWords(operation)].filter(Boolean).join(' ');
  return {
    operationId: id,
    summary,
    ...(text ? { description: text } : {}),
    tags: [tag],
    security: access === undefined ? [] : [{ bearer: [] }, { apiKey: [] }],
    parameters: [
      ...names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
        name,
        in: 'query',
        required: query!.required.includes(name),
        schema,
      })),
      reference('parameters', 'CorrelationId'),
    ],
    ...(request && {
      requestBody: {
        required: !request.optional,
        content: {
          'application/json': { schema: referenceTo(request.component), example: request.example },
        },
      },
    }),
    responses: {
      [answer.status]: {
        description: answer.description,
        headers: { 'X-Correlation-ID': reference('headers', 'CorrelationId') },
        ...body,
      },
      ...Object.fromEntries(refused.map(status => [status, reference('responses', `Error${status}`)])),
    },
  };
};

/** Any text is accepted, so it has no format: generated clients would refuse what isn't a UUID. */
const correlationId = { type: 'string' };

/** A message to a receiver, which is signed as Standard Webhooks has it. */
const webhookMessage = (): object => ({
  summary: 'A message of a webhook',
  description:
    'Signed as Standard Webhooks has it, with the secret of the webhook. Sent again, with the same webhook-id, until it is accepted.',
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { oneOf: webhookMessages.map(referenceTo) } } },
  },
  responses: { '2XX': { description: 'Accepted.' }, '410': { description: 'Gone: the webhook is paused.' } },
});

export const openApiDocument = (): OpenApiDocument => {
  const paths: OpenApiDocument['paths'] = {};
  for (const [id, operation] of Object.entries(operations)) {
    const methods = paths[operation.path] ?? {};
    methods[operation.method] = pathOperation(id, operation);
    paths[operation.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnstone',
      version: '0.1.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths,
    webhooks: { message: { post: webhookMessage() } },
    components: {
      schemas: {
        ...Object.fromEntries([...components, ...errorComponents].map(({ name, schema }) => [name, schema])),
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, response]) => [
          `Error${status}`,
          refusalResponse(Number(status), response),
        ]),
      ),
      parameters: {
        CorrelationId: {
          name: 'X-Correlation-ID',
          in: 'header',
          required: false,
          schema: correlationId,
          description: 'Echoed when it is a UUID; otherwise a new one is generated.',
        },
      },
      headers: {
        CorrelationId: { schema: correlationId, description: 'Identifies the request in every log line.' },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'Replaces a token: the same roles and limits. An unknown key is a 401 and counts as a failed exchange, a revoked one is a 403.',
        },
      },
    },
  };
};
