/** The operations that the clients call, as the OpenAPI document has them. */
import { type OpenApiDocument, openApiDocument } from '../../schemas/openapi.ts';

/** A schema of the document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  description?: string;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface Parameter {
  name: string;
  schema: Schema;
  required: boolean;
}

export interface Called {
  id: string;
  summary: string;
  method: string;
  /** `/memory/turns/{id}`. */
  path: string;
  query: Parameter[];
  /** The name of the body's schema. */
  body: string | undefined;
  /** The name of the answer's; undefined without a body. */
  answer: string | undefined;
  /** Whether it may be sent again when it is unknown whether it arrived. */
  isRepeatable: boolean;
}

/** The API key goes with every call, so nobody needs a token; and a feed is more than one call. */
const NOT_CALLED = new Set(['signUp', 'export', 'feed']);
const OF_OTHERS = new Set(['Tokens', 'Operations']);

/** A request without an answer may have created something, so that a second one would create another. */
const NOT_REPEATABLE = new Set(['createApiKey', 'rotateApiKey', 'createWebhook']);

export const nameOf = ($ref: string | undefined): string | undefined => $ref?.split('/').at(-1);

/** The JSON schema of a request or a response. */
const jsonOf = (part: unknown): Schema | undefined =>
  (part as { content?: Record<string, { schema: Schema }> } | undefined)?.content?.['application/json']
    ?.schema;

/** The first of several is the answer to a key that may read. */
const answerOf = (schema: Schema | undefined): string | undefined =>
  nameOf(schema?.$ref ?? schema?.anyOf?.[0]?.$ref);

export interface Contract {
  document: OpenApiDocument;
  schemas: Record<string, Schema>;
  called: Called[];
}

export const readContract = (): Contract => {
  const document = openApiDocument();
  const called = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Called[] => {
      const { operationId: id, summary, tags, requestBody, parameters, responses } = operation;
      if (NOT_CALLED.has(id) || OF_OTHERS.has(tags[0]!)) return [];
      const query = (parameters as (Parameter & { in?: string })[]).filter(one => one.in === 'query');
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
      return [
        {
          id,
          summary,
          method: method.toUpperCase(),
          path,
          query,
          // Where a call has the choice, the query: a proxy may drop the body of a DELETE.
          body: requestBody?.required || method !== 'delete' ? nameOf(jsonOf(requestBody)?.$ref) : undefined,
          answer: answerOf(jsonOf(success)),
          isRepeatable: !NOT_REPEATABLE.has(id),
        },
      ];
    }),
  );
  return { document, schemas: document.components.schemas as Record<string, Schema>, called };
};
