/** The proxy between the real `openai` package and an endpoint of the test's own. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Turnstone } from '@turnstone/client';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ProxyOptions, startProxy } from '../../integrations/openai-proxy/src/proxy.ts';
import { startMisbehavingServer } from '../clients/misbehaving-server.ts';
import { spawnProgram } from '../support/processes/command-line.ts';
import { ROOT, type Server, startServer } from '../support/processes/server.ts';
import { startProgram } from './program.ts';
import { itRemembers } from './shared.ts';
import { completion, json, startUpstream, streamed, type Upstream } from './upstream.ts';

let server: Server;
let upstream: Upstream;
let turnstone: Turnstone;
beforeAll(async () => {
  [server, upstream] = await Promise.all([startServer(), startUpstream()]);
  turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(async () => {
  upstream.close();
  await server.stop();
});
beforeEach(() => {
  upstream.sent.length = 0;
  upstream.answer = completion({ content: 'Noted.' });
});

const logged: object[] = [];
const running: (() => Promise<void>)[] = [];
const proxied = async (options: Partial<ProxyOptions> = {}): Promise<string> => {
  const { url, close } = await startProxy({
    upstreamUrl: upstream.url,
    turnstoneUrl: server.url,
    apiKey: server.apiKey,
    log: event => logged.push(event),
    ...options,
  });
  running.push(close);
  return url;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map(close => close()));
  logged.length = 0;
});

const SECRET = 'sk-upstream-secret';
/** An answer doesn't wait for what is stored of it. */
const SOON = { timeout: 20_000 };
const clientOf = (baseURL: string, headers: Record<string, string> = {}) =>
  new OpenAI({ baseURL, apiKey: SECRET, defaultHeaders: headers, maxRetries: 0 });
const user = (content: string) => ({ role: 'user', content }) as const;
const ask = (openai: OpenAI, ...messages: OpenAI.ChatCompletionMessageParam[]) =>
  openai.chat.completions.create({ model: 'm', messages });

const messagesOf = (nth: number): { role: string; content: string }[] =>
  JSON.parse(upstream.sent.at(nth)!.body).messages;
const told = (nth = -1): string =>
  messagesOf(nth)
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n');
const stored = async (of: string): Promise<string[]> =>
  (await Array.fromAsync(turnstone.memory.turns({ user: of }))).map(({ role, text }) => `${role}: ${text}`);

describe('a chat through the proxy', () => {
  let url: string;
  beforeEach(async () => {
    url = await proxied();
  });

  itRemembers(
    () => server,
    of => ({
      say: async (session, text) => {
        const openai = clientOf(url, { 'x-turnstone-user': of, 'x-turnstone-session': session });
        expect((await ask(openai, user(text))).choices[0]!.message.content).toBe('Noted.');
        return told();
      },
    }),
  );

  it('passes the request on as it is, but for the context behind the instructions of the chat', async () => {
    await turnstone.remember({ role: 'user', text: 'I play the oboe.' }, { user: 'ola', session: 'past' });
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Be kind.' },
      user('Hello?'),
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: [{ type: 'text', text: 'Which instrument do I play?' }] },
    ] as const;
    const openai = clientOf(url, { 'x-turnstone-user': 'ola', 'openai-project': 'p' });
    const { response } = await openai.chat.completions
      .create({ model: 'm', seed: 7, messages: messages.map(one => ({ ...one })) as never })
      .withResponse();
    expect(response.headers.get('x-turnstone-memory')).toMatch(/^recalled; confidence=0\.\d\d$/);
    expect(response.headers.get('x-request-id')).toBe('req_1');
    const [sent] = upstream.sent;
    const { messages: got, ...rest } = JSON.parse(sent!.body);
    expect(rest).toEqual({ model: 'm', seed: 7 });
    expect(got.toSpliced(2, 1)).toEqual(messages);
    expect(got[2]).toEqual({ role: 'system', content: expect.stringContaining('oboe') });
    expect(sent!.path).toBe('/v1/chat/completions');
    expect(sent!.headers).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      'openai-project': 'p',
      host: new URL(upstream.url).host,
    });
    expect(JSON.stringify(sent!.headers)).not.toMatch(/x-turnstone/i);
    expect(JSON.stringify(sent)).not.toContain(server.apiKey);
  });

  it('passes a stream on byte for byte, and remembers its words', async () => {
    const snow = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Snow ☃"}}]}\r\n\r\n');
    const cut = snow.indexOf('☃') + 1;
    const pieces = [
      ': a comment\n\n',
      'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\ndata: {"cho',
      'ices":[{"index":1,"delta":{"content":"another choice"}},{"index":0,"delta":{"content":"In "}}]}\n\n',
      snow.subarray(0, cut),
      snow.subarray(cut),
      'data: {"choices":[],"usage":{"total_tokens":1}}\n\ndata: no JSON\n\n',
      'data: [DONE]\n\n',
    ];
    upstream.answer = streamed(pieces);
    const body = JSON.stringify({ model: 'm', stream: true, messages: [user('Where is snow?')] });
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-turnstone-user': 'sven' },
      body,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-turnstone-memory')).toBe('empty');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(
      Buffer.concat(pieces.map(one => Buffer.from(one))),
    );
    // Nothing to tell: the request is the same, byte for byte, too.
    expect(upstream.sent[0]!.body).toBe(body);
    await expect.poll(() => stored('sven'), SOON).toEqual(['user: Where is snow?', 'assistant: In Snow ☃']);
  });

  it('gives the package a stream as it comes, with the context told', async () => {
    const chunk = (content: string) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content } }],
    });
    const first = Promise.withResolvers<void>();
    upstream.answer = async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk('An '))}\n\n`);
      await first.promise;
      response.end(`data: ${JSON.stringify(chunk('oboe.'))}\n\ndata: [DONE]\n\n`);
    };
    await turnstone.remember({ role: 'user', text: 'I play the oboe.' }, { user: 'pia', session: 'past' });
    const openai = clientOf(url, { 'x-turnstone-user': 'pia' });
    const messages = [user('Which instrument do I play?')];
    const stream = await openai.chat.completions.create({ model: 'm', stream: true, messages });
    const words: string[] = [];
    for await (const { choices } of stream) {
      words.push(choices[0]!.delta.content!);
      // The rest comes only when the beginning has arrived.
      first.resolve();
    }
    expect(words).toEqual(['An ', 'oboe.']);
    expect(told()).toContain('oboe');
    await expect
      .poll(() => stored('pia'), SOON)
      .toEqual(['user: Which instrument do I play?', 'assistant: An oboe.', 'user: I play the oboe.']);
  });

  it('remembers a question once over the steps that its answer takes, and no call of a tool', async () => {
    const openai = clientOf(url, { 'x-turnstone-user': 'tom' });
    const call = { id: 'c', type: 'function', function: { name: 'map', arguments: '{}' } } as const;
    upstream.answer = completion({ content: null, tool_calls: [call] });
    await ask(openai, user('Where is Lyon?'));
    await expect.poll(() => stored('tom'), SOON).toEqual(['user: Where is Lyon?']);
    upstream.answer = completion({ content: 'In France.' });
    const calling = { role: 'assistant' as const, content: null, tool_calls: [call] };
    await ask(openai, user('Where is Lyon?'), calling, { role: 'tool', tool_call_id: 'c', content: 'FR' });
    await expect.poll(() => stored('tom'), SOON).toEqual(['user: Where is Lyon?', 'assistant: In France.']);
  });

  it('stores nothing on request, or neither stores nor recalls', async () => {
    await turnstone.remember({ role: 'user', text: 'I play the oboe.' }, { user: 'ria', session: 'past' });
    const asked = async (memory: string) => {
      const openai = clientOf(url, { 'x-turnstone-user': 'ria', 'x-turnstone-memory': memory });
      await ask(openai, user('Which instrument do I play?'));
      return told();
    };
    expect(await asked('read')).toContain('oboe');
    expect(await asked('off')).toBe('');
    await running.pop()!();
    expect(await stored('ria')).toEqual(['user: I play the oboe.']);
  });

  it("is of the key's own user without a header, and of another key where it sends one", async () => {
    const { api_key, id } = await turnstone.keys.create({
      name: 'guest',
      user: 'guest',
      strict: true,
      roles: ['memory:read', 'memory:write'],
    });
    await ask(clientOf(url, { 'x-turnstone-key': api_key }), user('My kite is red.'));
    await expect.poll(() => stored('guest'), SOON).toHaveLength(2);
    await ask(clientOf(url, { 'x-turnstone-key': api_key }), user('Which colour is my kite?'));
    expect(told()).toMatch(/kite.*red/);
    await ask(clientOf(url), user('Which colour is my kite?'));
    expect(told()).toBe('');
    const { user_id } = await turnstone.me();
    await expect.poll(() => stored(user_id), SOON).toContain('user: Which colour is my kite?');
    await turnstone.keys.revoke(id);
  });

  it('passes what is no chat on as it is, and what the upstream answers', async () => {
    upstream.answer = json(200, { object: 'list', data: [{ id: 'm' }] });
    expect((await clientOf(url).models.list()).data).toEqual([{ id: 'm' }]);
    expect(upstream.sent[0]).toMatchObject({ method: 'GET', path: '/v1/models', body: '' });
    const put = await fetch(`${url}/files/a?b=c`, { method: 'PUT', body: 'é'.repeat(100_000) });
    expect([put.status, put.headers.get('x-turnstone-memory')]).toEqual([200, null]);
    expect(upstream.sent[1]).toMatchObject({ path: '/v1/files/a?b=c', body: 'é'.repeat(100_000) });
    for (const body of ['{', '[]', 'null', '{"messages":[1]}', '{"messages":[]}', '{"messages":"a"}']) {
      const response = await fetch(`${url}/chat/completions`, { method: 'POST', body });
      expect([body, response.headers.get('x-turnstone-memory')]).toEqual([body, 'off']);
      expect(upstream.sent.at(-1)!.body).toBe(body);
    }
  });

  it('passes the refusals of the upstream on, and remembers nothing of them', async () => {
    upstream.answer = json(401, { error: { message: 'No.', type: 'invalid_request_error' } });
    const openai = clientOf(url, { 'x-turnstone-user': 'una' });
    await expect(ask(openai, user('I sail.'))).rejects.toMatchObject({ status: 401 });
    await running.pop()!();
    expect(await stored('una')).toEqual([]);
  });

  it('hangs up at the upstream when its caller does', async () => {
    upstream.answer = response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Once"}}]}\n\n');
    };
    const openai = clientOf(url, { 'x-turnstone-user': 'vic' });
    const messages = [user('Tell me a story.')];
    const stream = await openai.chat.completions.create({ model: 'm', stream: true, messages });
    for await (const _ of stream) break;
    await upstream.sent[0]!.closed;
  });
});

describe('what goes wrong', () => {
  it('leaves the chat without memory, and says so: no Turnstone, a silent one, a wrong key', async () => {
    const silent = await startMisbehavingServer();
    silent.script({
      answers: { 'GET /me': [{ silent: true }], 'POST /ingestion/memory': [{ status: 403 }] },
    });
    try {
      for (const [code, options] of [
        ['network', { turnstoneUrl: 'http://127.0.0.1:9', patienceMs: 10_000 }],
        ['timeout', { turnstoneUrl: silent.url, patienceMs: 50 }],
        ['unauthenticated', { apiKey: 'ts_0123456789abcdef_secret' }],
        ['configuration', { apiKey: 'no key' }],
      ] as const) {
        const openai = clientOf(
          await proxied(options),
          code === 'timeout' ? {} : { 'x-turnstone-user': 'wim' },
        );
        const messages = [user('My password is swordfish.')];
        const asked = openai.chat.completions.create({ model: 'm', messages });
        const { data, response } = await asked.withResponse();
        expect(data.choices[0]!.message.content).toBe('Noted.');
        expect(response.headers.get('x-turnstone-memory')).toBe(`unavailable; code=${code}`);
        expect(logged).toContainEqual(expect.objectContaining({ msg: 'not recalled', code }));
        // The write is given up after its retries, which take longer where there is no service.
        if (code !== 'network') await running.pop()!();
        expect(JSON.stringify(logged)).not.toMatch(/swordfish|secret|no key/);
        logged.length = 0;
      }
    } finally {
      await silent.close();
    }
  });

  it('is an error of the API where the upstream does not answer', async () => {
    const url = await proxied({ upstreamUrl: 'http://127.0.0.1:9/v1' });
    await expect(ask(clientOf(url), user('Hello?'))).rejects.toMatchObject({
      status: 502,
      type: 'upstream_error',
    });
    upstream.answer = () => {};
    const impatient = await proxied({ upstreamTimeoutMs: 50 });
    await expect(ask(clientOf(impatient), user('Hello?'))).rejects.toMatchObject({ status: 502 });
    expect(JSON.stringify(logged)).not.toContain('Hello');
  });

  it('breaks an answer that the upstream breaks', async () => {
    upstream.answer = response => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices"', () => response.destroy());
    };
    const openai = clientOf(await proxied(), { 'x-turnstone-user': 'xia' });
    await expect(ask(openai, user('I ski.'))).rejects.toThrow();
    await running.pop()!();
    expect(await stored('xia')).toEqual([]);
  });

  it('refuses a chat that is too large, other paths, and web pages', async () => {
    const url = await proxied({ maxBodyBytes: 1_000 });
    await expect(ask(clientOf(url), user('a'.repeat(1_000)))).rejects.toMatchObject({ status: 413 });
    expect((await fetch(url.replace('/v1', '/v2'))).status).toBe(404);
    expect((await fetch(`${url}/../admin`)).status).toBe(404);
    const sent = async (headers: Record<string, string>) => {
      const request = httpRequest(`${url}/models`, { headers }).end();
      const [response] = await once(request, 'response');
      return [response.statusCode, JSON.parse(await textOf(response)).error.type];
    };
    expect(await sent({ origin: 'https://example.com' })).toEqual([403, 'permission_error']);
    expect(await sent({ host: 'example.com' })).toEqual([403, 'permission_error']);
    expect(upstream.sent).toEqual([]);
  });

  it('holds no more of all chats in progress than it may, and takes the next when one has ended', async () => {
    const openai = clientOf(await proxied({ maxHeldBytes: 1_500 }));
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    upstream.answer = async (response, sent) => {
      begun.resolve();
      await held.promise;
      completion({ content: 'Late.' })(response, sent);
    };
    const first = ask(openai, user('a'.repeat(1_000)));
    await begun.promise;
    await expect(ask(openai, user('b'.repeat(1_000)))).rejects.toMatchObject({ status: 503 });
    held.resolve();
    expect((await first).choices[0]!.message.content).toBe('Late.');
    expect((await ask(openai, user('c'.repeat(1_000)))).choices[0]!.message.content).toBe('Late.');
    expect(upstream.sent).toHaveLength(2);
  });

  it('gives nobody beyond this machine the memory of its own key', async () => {
    const url = (await proxied({ host: '0.0.0.0' })).replace('0.0.0.0', '127.0.0.1');
    const memoryOf = async (headers: Record<string, string>) => {
      const messages = [user('Hello?')];
      const asked = clientOf(url, headers).chat.completions.create({ model: 'm', messages });
      return (await asked.withResponse()).response.headers.get('x-turnstone-memory');
    };
    expect(await memoryOf({ 'x-turnstone-user': 'shared' })).toBe('off');
    const key = { 'x-turnstone-key': server.apiKey };
    expect(await memoryOf({ 'x-turnstone-user': 'zoe', ...key })).toBe('empty');
  });
});

describe('the program', () => {
  const MAIN = join(ROOT, 'integrations/openai-proxy/dist/main.js');

  it('names everything that is wrong with its settings', async () => {
    const ended = await spawnProgram(process.execPath, [MAIN], {
      environment: { TURNSTONE_PROXY_PORT: 'x' },
    });
    expect(ended.status).toBe(78);
    expect(ended.stderr.match(/TURNSTONE_\w+/g)).toEqual([
      'TURNSTONE_PROXY_UPSTREAM',
      'TURNSTONE_URL',
      'TURNSTONE_PROXY_PORT',
    ]);
  });

  it('serves until it is told to stop, and has stored by then what was said', async () => {
    const { url, stop } = await startProgram(MAIN, {
      TURNSTONE_PROXY_UPSTREAM: upstream.url,
      TURNSTONE_PROXY_PORT: '0',
      TURNSTONE_URL: server.url,
      TURNSTONE_API_KEY: server.apiKey,
    });
    await ask(clientOf(url, { 'x-turnstone-user': 'yan' }), user('I row.'));
    const { status, stderr } = await stop();
    expect([status, stderr]).toEqual([0, '']);
    expect(await stored('yan')).toEqual(['user: I row.', 'assistant: Noted.']);
  });
});
