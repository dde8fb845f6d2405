import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/processes/server.ts';
import { type Caller, call, newKey, ok, query, type Reply, signUp, turn, write } from './kit.ts';

interface Media {
  schema?: object;
  example?: unknown;
}
interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  summary: string;
  security?: object[];
  parameters?: { $ref?: string; name?: string; in?: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    securitySchemes: Record<string, { type: string; scheme: string }>;
  } & Record<string, Record<string, unknown>>;
}

let server: Server;
let owner: Caller;
let document: Document;

beforeAll(async () => {
  server = await startServer({ environment: { TURNSTONE_LOG_LEVEL: 'debug' } });
  owner = await signUp(server.url);
  document = ok(await call(server.url, 'GET', '/openapi.json'));
});
afterAll(() => server?.stop());

const OPEN = 'open';
const contract: [method: string, path: string, success: string, refusals: string[]][] = [
  ['post', '/auth/token-exchange', '200', [OPEN, '400', '401', '403', '429']],
  ['post', '/auth/refresh', '200', [OPEN, '400', '401']],
  ['get', '/auth/identity-providers', '200', [OPEN]],
  ['post', '/auth/identity-code', '200', [OPEN, '400', '401', '403', '409', '422', '429', '503']],
  ['post', '/auth/identity-token', '200', [OPEN, '400', '401', '403', '409', '422', '429', '503']],
  ['post', '/signup', '201', [OPEN, '400', '403', '409', '422']],
  ['post', '/ingestion/memory', '202', ['400', '401', '403', '413', '415', '422', '429', '503']],
  ['get', '/ingestion/jobs/{id}', '200', ['401', '403', '404']],
  ['post', '/recall', '200', ['400', '401', '403', '413', '415', '422', '429', '503']],
  ['get', '/recalls/{id}', '200', ['401', '403', '404', '503']],
  ['post', '/recalls/{id}/feedback', '200', ['400', '401', '403', '404', '413', '415', '422', '503']],
  ['get', '/usage/today', '200', ['401', '403']],
  ['get', '/usage/summary', '200', ['401', '403', '422']],
  ['get', '/usage/daily', '200', ['401', '403', '422']],
  ['get', '/usage/statement', '200', ['400', '401', '403', '409', '422', '503']],
  ['get', '/memory/users', '200', ['400', '401', '403', '422', '503']],
  ['get', '/memory/users/{id}', '200', ['401', '403', '404', '422', '503']],
  ['put', '/memory/users/{id}', '200', ['400', '401', '403', '413', '415', '422', '503']],
  ['get', '/memory/sessions', '200', ['400', '401', '403', '422', '503']],
  ['get', '/memory/turns', '200', ['400', '401', '403', '422', '503']],
  ['get', '/memory/observations', '200', ['400', '401', '403', '422', '503']],
  ['post', '/memory/observations', '201', ['400', '401', '403', '409', '422', '429', '503']],
  ['patch', '/memory/observations/{id}', '200', ['400', '401', '403', '404', '409', '422', '429', '503']],
  ['get', '/memory/facts', '200', ['400', '401', '403', '422', '503']],
  ['get', '/memory/entities', '200', ['400', '401', '403', '422', '503']],
  ['get', '/memory/stats', '200', ['400', '401', '403', '422', '503']],
  ['get', '/memory/turns/{id}', '200', ['401', '403', '404', '503']],
  ['delete', '/memory/turns/{id}', '204', ['401', '403', '404', '503']],
  ['delete', '/memory/observations/{id}', '204', ['401', '403', '404', '503']],
  ['patch', '/memory/entities/{id}', '200', ['400', '401', '403', '404', '413', '415', '422', '503']],
  ['patch', '/memory/sessions/{id}', '200', ['400', '401', '403', '404', '413', '415', '422', '503']],
  ['delete', '/memory', '200', ['400', '401', '403', '422', '503']],
  ['get', '/events', '200', ['401', '403', '422', '503']],
  ['get', '/export', '200', ['401', '403', '503']],
  ['get', '/me', '200', ['401', '403']],
  ['get', '/me/retention', '200', ['401', '403', '404']],
  ['put', '/me/retention', '200', ['400', '401', '403', '404', '422']],
  ['get', '/audit', '200', ['400', '401', '403', '422', '503']],
  ['get', '/me/screening', '200', ['401', '403', '404']],
  ['put', '/me/screening', '200', ['400', '401', '403', '404']],
  ['get', '/me/deletion', '200', ['401', '403', '404']],
  ['put', '/me/deletion', '200', ['400', '401', '403', '404', '409', '422']],
  ['post', '/me/deletion/confirmation', '200', ['400', '401', '403', '404', '409', '422']],
  ['delete', '/me/deletion', '200', ['401', '403', '404']],
  ['get', '/me/api-keys', '200', ['401', '403']],
  ['post', '/me/api-keys', '201', ['400', '401', '403', '422']],
  [
    'post',
    '/me/api-keys/{id}/rotate',
    '201',
    ['400', '401', '403', '404', '409', '413', '415', '422', '503'],
  ],
  ['delete', '/me/api-keys/{id}', '204', ['401', '403', '404']],
  ['get', '/me/webhooks', '200', ['401', '403']],
  ['post', '/me/webhooks', '201', ['400', '401', '403', '409', '422']],
  ['delete', '/me/webhooks/{id}', '204', ['401', '403', '404']],
  ['get', '/me/webhooks/{id}/deliveries', '200', ['401', '403', '404']],
  ['post', '/me/webhooks/{id}/resume', '200', ['401', '403', '404']],
  ['get', '/.well-known/jwks.json', '200', [OPEN]],
  ['get', '/healthz', '200', [OPEN]],
  ['get', '/readyz', '200', [OPEN, '503']],
  ['get', '/metrics', '200', [OPEN]],
  ['get', '/openapi.json', '200', [OPEN]],
  ['get', '/docs', '200', [OPEN]],
];

const resolve = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, name) =>
        (at as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
const answerOf = (answer: Answer): Answer => (answer.$ref ? (resolve(answer.$ref) as Answer) : answer);
const validator = (schema: object) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'doc', ...document });
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')) as object);
};

describe('the OpenAPI document', () => {
  test('is 3.1 and of a version', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toMatch(/\S/);
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('has no path and no method beside those of the contract', () => {
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method} ${path}`),
    );
    expect(listed.sort()).toEqual(contract.map(([method, path]) => `${method} ${path}`).sort());
  });

  test.for(contract)('tells %s %s with its answers', ([method, path, success, refusals]) => {
    const operation = document.paths[path]?.[method];
    expect(operation).toBeDefined();
    for (const status of [success, ...refusals.filter(each => each !== OPEN)]) {
      expect(Object.keys(operation!.responses), `${status}`).toContain(status);
    }
    const needsToken = (operation!.security?.length ?? 0) > 0;
    expect(needsToken).toBe(!refusals.includes(OPEN));
    for (const answer of Object.values(operation!.responses).map(answerOf)) {
      expect(answer.description).toMatch(/\S/);
      expect(Object.keys(answer.headers ?? {})).toContain('X-Correlation-ID');
    }
  });

  test('names each operation once, and every parameter of a path', () => {
    const ids = Object.values(document.paths).flatMap(item =>
      Object.values(item).map(operation => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const [path, item] of Object.entries(document.paths)) {
      for (const operation of Object.values(item)) {
        const parameters = (operation.parameters ?? []).map(each =>
          each.$ref ? (resolve(each.$ref) as typeof each) : each,
        );
        const declared = parameters.filter(each => each.in === 'path').map(each => each.name);
        expect(declared).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]));
        expect(parameters.filter(each => each.in === 'path').every(each => each.required)).toBe(true);
        expect(parameters.map(each => each.name)).toContain('X-Correlation-ID');
      }
    }
  });

  test('has no reference that leads nowhere, and all its schemas compile', () => {
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
      expect(resolve(pointer!), pointer).toBeDefined();
    for (const [name, schema] of Object.entries(document.components.schemas))
      expect(validator(schema), name).toBeTypeOf('function');
    expect(Object.values(document.components.securitySchemes)).toEqual([
      expect.objectContaining({ type: 'http', scheme: 'bearer' }),
      expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-API-Key' }),
    ]);
  });

  test('has examples that its own schemas and the service take', async () => {
    let examples = 0;
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const media = operation.requestBody?.content['application/json'];
        if (media?.example === undefined) continue;
        examples++;
        const validate = validator(media.schema!);
        expect(validate(media.example), `${path} ${JSON.stringify(validate.errors)}`).toBe(true);
        // An example may name what doesn't exist.
        const [query, taken] = path.includes('{') ? ['?user_id=ada', [404]] : ['', [200, 201, 202, 401]];
        const reply = await owner.send(method.toUpperCase(), path + query, media.example);
        // Or another organization than the caller's.
        const statuses = path.startsWith('/me/deletion') ? [422] : taken;
        expect(statuses, `${path} ${reply.text}`).toContain(reply.status);
      }
    }
    expect(examples).toBeGreaterThanOrEqual(4);
  });

  test('describes what the service says, all members of it', async () => {
    const { job_id } = await owner.ingest(
      write([turn('Ruth Baker moved to Oslo.', { observations: ['Ruth lives in Oslo'] })]),
    );
    const key = await newKey(owner);
    const asked: [string, string, Reply][] = [
      [
        'post',
        '/auth/token-exchange',
        await call(server.url, 'POST', '/auth/token-exchange', { body: { api_key: owner.apiKey } }),
      ],
      [
        'post',
        '/auth/refresh',
        await call(server.url, 'POST', '/auth/refresh', {
          body: { refresh_token: owner.tokens.refresh_token },
        }),
      ],
      [
        'post',
        '/auth/refresh',
        await call(server.url, 'POST', '/auth/refresh', { body: { refresh_token: 'x' } }),
      ],
      ['post', '/signup', await call(server.url, 'POST', '/signup', { body: { org_id: 'documented' } })],
      ['post', '/signup', await call(server.url, 'POST', '/signup', { body: { org_id: 'documented' } })],
      ['post', '/signup', await call(server.url, 'POST', '/signup', { body: { org_id: '!' } })],
      [
        'post',
        '/ingestion/memory',
        await owner.send('POST', '/ingestion/memory', write([turn('described')])),
      ],
      [
        'post',
        '/ingestion/memory',
        await owner.send(
          'POST',
          '/ingestion/memory',
          write([turn('described')], { options: { write_passive: false } }),
        ),
      ],
      ['post', '/ingestion/memory', await owner.send('POST', '/ingestion/memory', {})],
      [
        'post',
        '/ingestion/memory',
        await call(server.url, 'POST', '/ingestion/memory', {
          token: owner.token,
          raw: 'x',
          headers: { 'content-type': 'text/plain' },
        }),
      ],
      ['get', '/ingestion/jobs/{id}', await owner.send('GET', `/ingestion/jobs/${job_id}`)],
      ['get', '/ingestion/jobs/{id}', await owner.send('GET', '/ingestion/jobs/x')],
      [
        'post',
        '/recall',
        await owner.send(
          'POST',
          '/recall',
          query('Ruth Baker', { include_timeline: true, include_context: true, top_k: 30 }),
        ),
      ],
      ['post', '/recall', await owner.send('POST', '/recall', query('Ruth Baker', { mode: 'deep' }))],
      ['post', '/recall', await call(server.url, 'POST', '/recall', { body: {} })],
      ['get', '/usage/today', await owner.send('GET', '/usage/today')],
      ['get', '/usage/summary', await owner.send('GET', '/usage/summary')],
      ['get', '/usage/summary', await owner.send('GET', '/usage/summary?month=x')],
      ['get', '/me', await owner.send('GET', '/me')],
      ['get', '/me/api-keys', await owner.send('GET', '/me/api-keys')],
      ['post', '/me/api-keys', await owner.send('POST', '/me/api-keys', { name: 'x', session_id: 's' })],
      ['delete', '/me/api-keys/{id}', await owner.send('DELETE', `/me/api-keys/${key.id}`)],
      ['get', '/.well-known/jwks.json', await call(server.url, 'GET', '/.well-known/jwks.json')],
      ['get', '/healthz', await call(server.url, 'GET', '/healthz')],
      ['get', '/readyz', await call(server.url, 'GET', '/readyz')],
    ];
    for (const [method, path, reply] of asked) {
      const told = document.paths[path]?.[method]?.responses[String(reply.status)];
      expect(told, `${method} ${path} ${reply.status}`).toBeDefined();
      const schema = answerOf(told!).content?.['application/json']?.schema;
      if (reply.status === 204) continue;
      const validate = validator(schema!);
      expect(
        validate(reply.as()),
        `${method} ${path} ${reply.status} ${JSON.stringify(validate.errors)}`,
      ).toBe(true);
    }
  });

  test('describes limits that bind: the bodies of the contract at their edges', () => {
    const validate = validator(
      document.paths['/recall']!.post!.requestBody!.content['application/json']!.schema!,
    );
    for (const top_k of [1, 50]) expect(validate(query('x', { top_k }))).toBe(true);
    for (const bad of [
      query(''),
      query('x', { top_k: 0 }),
      query('x', { top_k: 51 }),
      query('x', { top_k: 1.5 }),
      query('x', { mode: 'fast' }),
      query('x', { kinds: [] }),
      { q: 'x' },
    ]) {
      expect(validate(bad), JSON.stringify(bad)).toBe(false);
    }
    const ingest = validator(
      document.paths['/ingestion/memory']!.post!.requestBody!.content['application/json']!.schema!,
    );
    expect(
      ingest(write([turn('x', { observations: ['a', { text: 'b' }] })], { options: {}, metadata: {} })),
    ).toBe(true);
    expect(ingest(write([turn('x', { role: 'a[b' })]))).toBe(false);
    expect(ingest(write([]))).toBe(false);
  });
});

describe('/docs/reference/api', () => {
  test('is a page that names every path and asks no other host for anything', async () => {
    const reply = await call(server.url, 'GET', '/docs/reference/api');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8/i);
    for (const [, path] of contract) expect(reply.text).toContain(path);
    const fetched = [
      ...reply.text.matchAll(
        /<(?:script|link|img|iframe|object|embed|source|video|audio|base)\b[^>]*?(?:src|href|data)\s*=\s*["']?([^"'\s>]+)/gi,
      ),
    ].map(match => match[1]!);
    for (const address of [
      ...fetched,
      ...[...reply.text.matchAll(/url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/gi)].map(
        match => match[1] ?? match[2]!,
      ),
    ]) {
      expect(address).not.toMatch(/^(https?:)?\/\//i);
    }
    expect(reply.text).not.toMatch(/fetch\(\s*["']https?:|http-equiv="refresh"/i);
    expect(reply.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
  });
});
