/** OpenTelemetry as a collector sees it: the spans of a write and of a recall, their links, the metrics. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessToken, connect } from '../support/http/client.ts';
import {
  KIND,
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  treeOf,
} from '../support/http/otlp-receiver.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until, untilDefined } from '../support/wait.ts';

const MODULES_PRELOAD = new URL('../support/processes/loaded-modules.preload.ts', import.meta.url).href;

/** Words that nothing but this test says. */
const SCOPE = { org_id: 'local', user_id: 'user-hedgehog', session_id: 'session-badger' };
const SAID = 'Zebulon keeps quokkas in Ljubljana.';
const ASKED = 'Where does Zebulon keep quokkas?';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

describe('telemetry', () => {
  let receiver: OtlpReceiver;
  let server: Server;
  let token: string;
  const modules = join(temporaryFolder(), 'modules');

  const call = (path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });

  /** Waits for a span that was exported. */
  const exported = (what: string, is: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> =>
    untilDefined(what, () => receiver.spans.find(is));

  const tracedWrite = (): Promise<ReceivedSpan> =>
    exported('the span of the write', ({ traceId, kind }) => traceId === TRACE && kind === KIND.server);

  const childOf = (span: ReceivedSpan, name: string): ReceivedSpan | undefined =>
    receiver.spans.find(one => one.name === name && one.parentSpanId === span.spanId);

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    server = await startServer({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=some%20where',
        OTEL_TRACES_SAMPLER: 'parentbased_always_on',
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        TURNSTONE_LOG_LEVEL: 'info',
        NODE_OPTIONS: `--import ${MODULES_PRELOAD}`,
        TEST_MODULES_FILE: modules,
      },
    });
    token = await accessToken(server.url, server.apiKey);
    const turn = { role: 'Zebulon', text: SAID, timestamp: '2026-03-08T12:00:00Z' };
    const written = await call(
      '/ingestion/memory',
      { scope: SCOPE, turns: [turn] },
      { traceparent: `00-${TRACE}-${CALLER}-01` },
    );
    expect(written.status).toBe(202);
  });
  afterAll(async () => {
    await server?.stop();
    await receiver?.close();
  });

  it('shows the stages of a write below the span of its request, which goes on with the trace of the caller', async () => {
    const request = await tracedWrite();
    expect(request).toMatchObject({
      name: 'POST /ingestion/memory',
      parentSpanId: CALLER,
      status: 0,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/ingestion/memory',
        'http.response.status_code': 202,
      },
      resource: {
        'service.name': 'turnstone',
        'deployment.environment.name': 'test',
        'turnstone.mode': 'embedded',
      },
    });
    expect(treeOf(request, receiver.spans)).toEqual([
      'POST /ingestion/memory',
      ['authenticate'],
      ['check body'],
      [
        'create_memory',
        // The session is new: its key is made for a write that would be admitted.
        ['admit'],
        ['session key'],
        ['identify', ['count tokens']],
        ['admit'],
        ['seal'],
        ['append'],
        ['remember'],
      ],
    ]);
    expect(childOf(request, 'create_memory')!.attributes).toEqual({
      'gen_ai.operation.name': 'create_memory',
      'gen_ai.memory.store.id': expect.stringMatching(/^[0-9a-f]{32}$/),
      'gen_ai.memory.record.count': 1,
      'turnstone.usage.tokens_in': expect.any(Number),
    });
  });

  it('links the projection, the enrichment and the projection of what was found to the request', async () => {
    const request = await tracedWrite();
    const create = childOf(request, 'create_memory')!;
    const append = childOf(create, 'append')!;
    const linking = (name: string, topic: string): Promise<ReceivedSpan> =>
      exported(
        `${name} of ${topic}`,
        one =>
          one.name === name &&
          one.attributes['messaging.destination.name'] === topic &&
          one.links.some(({ traceId, spanId }) => traceId === TRACE && spanId === append.spanId),
      );
    const projected = await linking('projector', 'turns');
    expect(projected).toMatchObject({ kind: KIND.consumer });
    expect(projected.traceId).not.toBe(TRACE);
    await linking('enricher', 'turns');
    await linking('projector', 'observations');
    expect(treeOf(projected, receiver.spans)).toEqual(['projector', ['fold'], ['apply']]);
  });

  it('shows the stages of a recall, those in the thread that searches too', async () => {
    const client = await connect(server, token);
    const { confidence, hits } = await client.recall({ scope: SCOPE, q: ASKED });
    const request = await exported('the span of the recall', ({ name }) => name === 'POST /recall');
    expect(treeOf(request, receiver.spans)).toEqual([
      'POST /recall',
      ['authenticate'],
      ['check body'],
      [
        'search_memory',
        ['count tokens'],
        ['admit'],
        ['search', ['search thread', ['candidates'], ['turns around'], ['rank'], ['what holds'], ['choose']]],
        ['render', ['count tokens']],
        ['append'],
        ['remember'],
      ],
    ]);
    expect(childOf(request, 'search_memory')!.attributes).toMatchObject({
      'gen_ai.operation.name': 'search_memory',
      'gen_ai.memory.record.count': hits.turns.length + hits.observations.length + hits.entities.length,
      'turnstone.confidence': confidence,
    });
    // The same memory: a write's store is that of a recall.
    const write = childOf(await tracedWrite(), 'create_memory')!;
    const store = 'gen_ai.memory.store.id';
    expect(childOf(request, 'search_memory')!.attributes[store]).toBe(write.attributes[store]);
  });

  it('has the ids of the trace in the lines of the request, also where it is refused', async () => {
    const refused = await call('/ingestion/memory', {
      scope: SCOPE,
      turns: [{ role: 'Zebulon', text: SAID }],
    });
    expect(refused.status).toBe(400);
    const id = refused.headers.get('x-correlation-id')!;
    const line = await untilDefined('the line of the request', () =>
      server
        .stderr()
        .split('\n')
        .find(one => one.includes(id)),
    );
    const { trace_id, span_id } = JSON.parse(line);
    const span = await exported('its span', one => one.traceId === trace_id && one.spanId === span_id);
    // A refusal is no fault of the service.
    expect(span).toMatchObject({ attributes: { 'http.response.status_code': 400 }, status: 0 });
  });

  it('sends the metrics of /metrics under their names', async () => {
    await until('metrics', () => receiver.metrics.has('turnstone_projector_lag_events'));
    const requests = await untilDefined('the durations', () => {
      const { dataPoints = [] } =
        receiver.metrics.get('turnstone_http_request_duration_seconds')?.histogram ?? {};
      return dataPoints.find(({ attributes = [] }) =>
        attributes.some(({ value }) => value.stringValue === '/ingestion/memory'),
      );
    });
    expect(Number(requests.count)).toBeGreaterThan(0);
    expect(receiver.metrics.get('process_cpu_seconds_total')?.sum?.isMonotonic).toBe(true);
  });

  it('sends no word of a turn, no key, and no id of a user or a session', async () => {
    await call(`/memory/users/${SCOPE.user_id}`);
    await call(`/users/${SCOPE.user_id}`);
    const before = receiver.spans.length;
    await call('/recall', { scope: SCOPE, q: 'Which pets does Zebulon keep in Ljubljana?' });
    await until('another recall', () =>
      receiver.spans.slice(before).some(({ name }) => name === 'POST /recall'),
    );
    const sent = receiver.bodies.join('\n');
    expect(sent).toContain('search_memory');
    for (const word of [
      'Zebulon',
      'quokka',
      'Ljubljana',
      SCOPE.user_id,
      SCOPE.session_id,
      server.apiKey,
      token,
    ])
      for (const form of [word, Buffer.from(word).toString('base64').replace(/=+$/, '')])
        expect(sent.toLowerCase()).not.toContain(form.toLowerCase());
  });

  it('sends the configured headers', () => {
    expect(receiver.headers.every(headers => headers['x-tenant'] === 'some where')).toBe(true);
  });

  it('loads the SDK in no thread where no receiver is configured', async () => {
    const loaded = (file: string): string[] =>
      (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').filter(url => url !== '');
    const isOfSdk = (url: string): boolean => !url.includes('/@opentelemetry/api/');
    // Where one is, the same look finds it.
    expect(loaded(modules).some(isOfSdk)).toBe(true);
    const none = join(temporaryFolder(), 'modules');
    const plain = await startServer({
      environment: { NODE_OPTIONS: `--import ${MODULES_PRELOAD}`, TEST_MODULES_FILE: none },
    });
    try {
      const client = await connect(plain);
      await client.ingest({
        scope: SCOPE,
        turns: [{ role: 'Ada', text: SAID, timestamp: '2026-03-08T12:00:00Z' }],
      });
      await client.recall({ scope: SCOPE, q: ASKED });
    } finally {
      await plain.stop();
    }
    expect(loaded(none).length).toBeGreaterThan(0);
    expect(loaded(none).filter(isOfSdk)).toEqual([]);
  });

  it('sends what is left when it stops', async () => {
    const slow = await startServer({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_TRACES_SAMPLER: 'always_on',
        OTEL_SERVICE_NAME: 'slow',
        OTEL_BSP_SCHEDULE_DELAY: '600000',
      },
    });
    const isSent = () => receiver.spans.some(({ resource }) => resource['service.name'] === 'slow');
    await accessToken(slow.url, slow.apiKey);
    expect(isSent()).toBe(false);
    expect(await slow.stop()).toBe(0);
    expect(isSent()).toBe(true);
  });

  it('answers calls, and says why nothing is sent, while the receiver is away', async () => {
    const alone = await startServer({
      environment: {
        // Nobody listens there.
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
        OTEL_TRACES_SAMPLER: 'always_on',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
    try {
      const client = await connect(alone);
      await client.ingest({
        scope: SCOPE,
        turns: [{ role: 'Ada', text: SAID, timestamp: '2026-03-08T12:00:00Z' }],
      });
      await until('a line that says so', () => alone.stderr().includes('telemetry could not be sent'));
    } finally {
      await alone.stop();
    }
  });
});
