import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMetrics } from '../../core/watch/metrics.ts';
import { lists } from '../../schemas/http/lists.ts';
import type { OpenApiDocument } from '../../schemas/openapi.ts';
import { endpointsOf } from '../../services/surfaces/http/app.ts';
import { startApp, stubUseCases, type TestApp, testCursors } from '../support/http/app.ts';

let app: TestApp;
let document: OpenApiDocument;
beforeAll(async () => {
  app = await startApp();
  document = (await app.call('GET', '/openapi.json', { token: null })).json;
});
afterAll(() => app.close());

interface Content {
  schema: unknown;
  example?: unknown;
}

/** Every `$ref` of a value. */
const references = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' ? [String(inner)] : references(inner),
  );
};

const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);

/** Texts that are shown beside others, wherever a body has one. */
const SHOWN = new Set(['role', 'label', 'title', 'session_title', 'name', 'names', 'subject', 'about']);

interface Described {
  $ref?: string;
  type?: string | string[];
  items?: Described;
  properties?: Record<string, Described>;
  pattern?: string;
}

/** The schemas of a body's texts that are shown, with their paths. */
const shownIn = (schema: Described, path: string): [path: string, schema: Described][] => {
  const { $ref, items, properties = {} } = schema;
  if ($ref) return shownIn(resolve($ref) as Described, path);
  return [
    ...(items ? shownIn(items, path) : []),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      SHOWN.has(name)
        ? [
            [`${path}.${name}`, inner.items ?? inner] as [string, Described],
            ...shownIn(inner, `${path}.${name}`),
          ]
        : shownIn(inner, `${path}.${name}`),
    ),
  ];
};

describe('the OpenAPI document', () => {
  test('refuses what would rewrite or reorder a line in each text that is shown', () => {
    const bodies = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(
        operations as Record<string, { requestBody?: { content: Record<string, Content> } }>,
      ).flatMap(([method, { requestBody }]) =>
        Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          shownIn(schema as Described, `${method} ${path}`),
        ),
      ),
    );
    expect(bodies.length).toBeGreaterThan(8);
    for (const [path, { pattern = '' }] of bodies) {
      const isTaken = (text: string) => new RegExp(pattern, 'u').test(text);
      for (const one of ['Ada', 'Zoë B.', 'عائشة', '👩‍🚀'])
        expect([path, isTaken(one)]).toEqual([path, true]);
      for (const one of ['\u0000', '\n', '\u001b[2J', '\u009b', '\u2028', '\u202e', '\u2067'])
        expect([path, one, isTaken(`a${one}b`)]).toEqual([path, one, false]);
    }
  });

  test('has the endpoints that are served and no others', () => {
    const { accounts, logged } = app;
    expect(logged).toBeDefined();
    const served = endpointsOf({
      accounts,
      cursors: testCursors,
      useCases: stubUseCases,
      metrics: makeMetrics(),
      log: undefined as never,
      config: { trustedProxies: [] },
    })
      // The pages of the documentation list each other.
      .filter(({ path }) => !path.startsWith('/docs/') && path !== '/llms.txt')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method} ${path}`),
    );
    expect(told.sort()).toEqual(served.sort());
  });

  test('asks for a token exactly where one is needed', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        const body = method === 'post' ? {} : undefined;
        const { status } = await app.call(method.toUpperCase(), path, { body, token: null });
        expect(status === 401, `${method} ${path}`).toBe(security.length > 0);
      }
    }
  });

  test('has no reference into nothing', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(50);
    for (const one of all) expect(resolve(one), one).toBeDefined();
  });

  test('says nothing that validators and generators of other languages refuse or lose', () => {
    const keywords = (value: unknown): [string, unknown][] => {
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(
        ([name, inner]) => [[name, inner], ...keywords(inner)] as [string, unknown][],
      );
    };
    const all = keywords(document);
    const patterns = all.flatMap(([name, value]) => (name === 'pattern' ? [String(value)] : []));
    expect(patterns.length).toBeGreaterThan(2);
    for (const pattern of patterns) expect(pattern).not.toMatch(/\\p\{|\(\?[<!=]/i);
    expect(all.map(([name]) => name)).not.toContain('allOf');
    const { CorrelationId } = document.components.parameters;
    expect(CorrelationId).toMatchObject({ schema: { type: 'string' } });
    expect(JSON.stringify(CorrelationId)).not.toContain('"format"');
  });

  test('types the details of a fault and of a limit', () => {
    const bodyOf = (name: string) =>
      (document.components.responses[name] as { content: Record<string, Content> }).content[
        'application/json'
      ]!.schema;
    expect(bodyOf('Error400')).toEqual({ $ref: '#/components/schemas/InvalidRequest' });
    expect(bodyOf('Error422')).toEqual({ $ref: '#/components/schemas/InvalidRequest' });
    expect(bodyOf('Error429')).toEqual({ $ref: '#/components/schemas/TooManyRequests' });
  });

  const validator = (name: string) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', ...document });
    return ajv.compile({ $ref: `doc#/components/schemas/${name}` });
  };

  test('its examples are good bodies, and its schemas refuse bad ones', () => {
    for (const methods of Object.values(document.paths)) {
      for (const { requestBody } of Object.values(methods)) {
        const content = requestBody?.content['application/json'];
        if (!content) continue;
        const name = (content.schema as { $ref: string }).$ref.split('/').at(-1)!;
        const validate = validator(name);
        expect(validate(content.example), name).toBe(true);
        // A body that may be left out may be empty.
        expect(validate({}), name).toBe(name === 'RotateApiKey');
      }
    }
  });

  test('has an example of every answer and every refusal, as its schema has it', () => {
    const examples: [string, string, unknown, unknown][] = [];
    const collect = (name: string, { content = {} }: { content?: Record<string, Content> }): void => {
      for (const [type, { schema, example }] of Object.entries(content))
        examples.push([name, type, schema, example]);
    };
    for (const methods of Object.values(document.paths))
      for (const { operationId, responses } of Object.values(methods))
        for (const [status, response] of Object.entries(responses))
          if (!('$ref' in response)) collect(`${operationId} ${status}`, response);
    for (const [name, response] of Object.entries(document.components.responses)) collect(name, response);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', ...document });
    let checked = 0;
    for (const [name, type, schema, example] of examples) {
      // Documents of their own, too long to be printed in this one.
      if (['openApi 200', 'docs 200', 'metrics 200'].includes(name)) continue;
      checked += 1;
      expect(example, name).toBeDefined();
      if (type !== 'application/json') continue;
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'));
      const validate = ajv.compile(absolute);
      expect(validate(example), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
    }
    expect(checked).toBeGreaterThan(25);
  });

  test('has cursors in its examples that are taken', () => {
    const cursorOf = (path: string): string => {
      const { content } = document.paths[path]!.get!.responses[200] as { content: Record<string, Content> };
      return (content['application/json']!.example as { next_cursor: string }).next_cursor;
    };
    expect(
      lists.users.query!.check(new URLSearchParams({ cursor: cursorOf('/memory/users') })),
    ).toMatchObject({
      ok: true,
    });
    expect(
      lists.turns.query!.check(new URLSearchParams({ cursor: cursorOf('/memory/turns') })),
    ).toMatchObject({
      ok: true,
    });
  });

  test('tells of the 400 of every name in a path or a query', () => {
    for (const [path, methods] of Object.entries(document.paths))
      for (const { parameters, responses } of Object.values(methods))
        if (parameters.some(one => 'in' in one)) expect(Object.keys(responses), path).toContain('400');
  });

  test('tells what is answered', async () => {
    const body = {
      ingest: {
        scope: { org_id: 'a' },
        turns: [{ role: 'a', text: 'b', timestamp: '2026-01-01T00:00:00Z' }],
      },
    };
    const made = await app.call('POST', '/me/api-keys', { body: { name: 'k' } });
    const replies: [string, { status: number; json: unknown }][] = [
      ['NewApiKey', made],
      ['SignedUp', await app.call('POST', '/signup', { body: { org_id: 'initech' } })],
      ['Tokens', await app.call('POST', '/auth/token-exchange', { body: { api_key: app.apiKey } })],
      ['Jwks', await app.call('GET', '/.well-known/jwks.json')],
      ['Me', await app.call('GET', '/me')],
      ['ApiKeys', await app.call('GET', '/me/api-keys')],
      ['Ingested', await app.call('POST', '/ingestion/memory', { body: body.ingest })],
      ['Job', await app.call('GET', '/ingestion/jobs/x')],
      ['Recalled', await app.call('POST', '/recall', { body: { scope: { org_id: 'a' }, q: 'b' } })],
      ['UsageToday', await app.call('GET', '/usage/today')],
      ['UsageMonth', await app.call('GET', '/usage/summary?month=2026-03')],
      ['UsageDaily', await app.call('GET', '/usage/daily?month=2026-03')],
      ['Users', await app.call('GET', '/memory/users')],
      ['Sessions', await app.call('GET', '/memory/sessions')],
      ['Turns', await app.call('GET', '/memory/turns')],
      ['TurnDetails', await app.call('GET', '/memory/turns/trn_1')],
      ['Observations', await app.call('GET', '/memory/observations')],
      ['Entities', await app.call('GET', '/memory/entities')],
      ['Health', await app.call('GET', '/healthz')],
      ['Readiness', await app.call('GET', '/readyz')],
      ['Error', await app.call('GET', '/nothing')],
      ['InvalidRequest', await app.call('POST', '/recall', { body: {} })],
      ['InvalidRequest', await app.call('GET', '/memory/users?cursor=')],
      ['InvalidRequest', await app.call('GET', '/ingestion/jobs/%ff')],
      ['InvalidRequest', await app.call('DELETE', '/memory?user_id=a', { body: { scope: { org_id: 'a' } } })],
    ];
    for (const [name, { json }] of replies) {
      const validate = validator(name);
      expect(validate(json), `${name} ${JSON.stringify(validate.errors)} ${JSON.stringify(json)}`).toBe(true);
    }
  });

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(document.info.version).toBe(version);
  });

  test('names no machine and no host', () => {
    expect(document.servers).toEqual([{ url: '/' }]);
    // But one that is reserved for examples (RFC 2606).
    const text = JSON.stringify(document).replaceAll('https://example.com/', '');
    expect(text).not.toMatch(/https?:\/\//);
  });
});

describe('the page of it', () => {
  test('tells of every endpoint, every member and every refusal, with examples', async () => {
    const { text, headers } = await app.call('GET', '/docs/reference/api', { token: null });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const path of Object.keys(document.paths)) expect(text).toContain(`<code>${path}</code>`);
    for (const member of [
      'turns[].text',
      'turns[].observations',
      'options.write_active',
      'hits.entities',
      'scope.org_id',
    ]) {
      expect(text).toContain(`<code>${member}</code>`);
    }
    for (const name of Object.keys(document.components.responses))
      expect(text).toContain(`id="error-${name.slice(5)}"`);
    expect(text).toContain('curl -s -X POST');
    expect(text).toContain('"$TURNSTONE_URL/memory/turns/$ID"'.replaceAll('"', '&quot;'));
    for (const [line] of text.matchAll(/curl -s.*/g)) expect(line).not.toMatch(/\{\w+\}/);
    expect(text).toContain('&quot;active_fragment_ids&quot;: [');
  });
});
