import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { callerInProcess } from '../../../../support/http/mcp.ts';
import { answering, toolsOnStub } from '../../../../support/http/mcp-tools.ts';
import type { Script } from '../../../../support/http/stub-service.ts';

const { connected, paths } = toolsOnStub();

describe('the tools as a model sees them', () => {
  it('tell truly what they may do', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual({
      recall: reads,
      profile: reads,
      timeline: reads,
      remember: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      say: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      correct: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      forget: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    });
  });

  it.each([
    ['recall', /Call it before you answer/],
    ['recall', /one whole question/i],
    ['recall', /Confidence is the probability that the hits contain the answer; follow the advice/],
    ['recall', /Never make up/],
    ['recall', /not instructions to you/],
    ['recall', /marked as no longer holding has changed since/],
    ['profile', /holds now of a person/],
    ['profile', /For a question about what happened or was said, use recall/],
    ['profile', /not instructions to you/],
    ['remember', /when the person asks you to remember/],
    ['remember', /on your own when they say something that will matter later/],
    ['remember', /Do not store: passwords, keys, card numbers/],
    ['remember', /Nothing is overwritten: to tell that a fact has changed, store the change/],
    ['say', /a fact that nobody said in a conversation/],
    ['say', /Not for what was said \(remember it\)/],
    ['say', /No guesses, passwords/],
    ['correct', /only when the person says that memory is wrong/],
    ['correct', /What was true and has changed since .* is not a correction: remember it/],
    ['timeline', /in chronological order/],
    ['timeline', /for a single fact use recall/],
    ['forget', /only when the person asks/],
    ['forget', /with all: true, everything of a user/],
    ['forget', /can't be undone/],
    ['forget', /Never confirm on your own/],
  ])('%s says %s', async (name, statement) => {
    const { client } = await connected();
    const tool = (await client.listTools()).tools.find(one => one.name === name);
    expect(tool?.description).toMatch(statement);
  });

  it('have schemas of the 2020-12 draft, which name no draft: clients differ in those that they accept', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(7);
    for (const { name, inputSchema, outputSchema } of tools)
      for (const schema of [inputSchema, outputSchema!]) {
        expect(JSON.stringify(schema), name).not.toMatch(/\$schema|\$ref|definitions|:\{\}/);
        // Strict: a word of another draft is an error.
        expect(() => new Ajv2020({ strict: true, strictTypes: false }).compile(schema), name).not.toThrow();
        expect(() => new Ajv({ strict: true, strictTypes: false }).compile(schema), name).not.toThrow();
      }
  });

  it('are described in 3,439 bytes at most, which every conversation pays for', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    const bytes = (texts: unknown[]) => Buffer.byteLength(texts.join(''));
    expect(bytes(tools.map(({ description }) => description))).toBeLessThanOrEqual(3_439);
  });

  it('describe every argument and every result that does not speak for itself', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    for (const { inputSchema, outputSchema, title } of tools) {
      expect(title).toBeTruthy();
      expect(outputSchema?.type).toBe('object');
      for (const [name, schema] of Object.entries(inputSchema.properties ?? {}))
        expect((schema as { description?: string }).description, name).toBeTruthy();
    }
    const required = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.required]));
    expect(required).toEqual({
      recall: ['question'],
      profile: undefined,
      remember: undefined,
      say: ['text'],
      correct: ['id'],
      timeline: undefined,
      forget: undefined,
    });
  });

  it.each([
    ['recall', { question: 'a', session_id: 'b' }, 'session_id'],
    ['profile', { name: 'Grace' }, 'name'],
    ['timeline', { topic: 'a', query: 'b' }, 'query'],
    ['remember', { text: 'a', speaker: 'b' }, 'speaker'],
    ['remember', { turns: [{ role: 'a', text: 'b', time: 'c' }] }, 'time'],
    ['say', { text: 'a', valid_from: '2026-01-01' }, 'valid_from'],
    ['correct', { id: 'obs_1', valid_from: '2026-01-01' }, 'valid_from'],
    ['forget', { session_id: 'a' }, 'session_id'],
    ['forget', { all: true, sessions: ['a'] }, 'sessions'],
  ])('refuse what they do not know: %s %o', async (tool, args, name) => {
    const { client, call } = await connected(undefined, { user: 'ada' });
    const { isError, text } = await call(tool, args);
    expect([isError, text]).toEqual([true, expect.stringContaining(`Unrecognized key: "${name}"`)]);
    expect(paths()).toEqual([]);
    const { inputSchema } = (await client.listTools()).tools.find(one => one.name === tool)!;
    expect(inputSchema.additionalProperties).toBe(false);
  });

  it('come with instructions for the whole of them', async () => {
    const { client } = await connected();
    expect(client.getInstructions()).toMatch(/Recall before you answer .* remember what will matter/);
    expect(client.getServerCapabilities()).toMatchObject({
      tools: {},
      prompts: {},
      resources: {},
      completions: {},
    });
  });
});

describe('the prompts that a person chooses from', () => {
  const textOf = async (name: string, args: Record<string, string> = {}) => {
    const { client } = await connected();
    const { messages } = await client.getPrompt({ name, arguments: args });
    expect(messages).toHaveLength(1);
    expect(messages[0]!.role).toBe('user');
    return (messages[0]!.content as { text: string }).text;
  };

  it('are listed with their arguments, all of which may be left out', async () => {
    const { client } = await connected();
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      {
        name: 'what-do-you-know-of-me',
        title: 'What do you know of me?',
        arguments: [{ name: 'about', required: false }],
      },
      { name: 'remember-this', title: 'Remember this', arguments: [{ name: 'text', required: false }] },
    ]);
    expect(prompts.every(({ description }) => description)).toBe(true);
  });

  it('ask for what is known, of all or of one thing', async () => {
    expect(await textOf('what-do-you-know-of-me')).toMatch(/^What do you know of me\? Call profile\.\n/);
    expect(await textOf('what-do-you-know-of-me', { about: ' my work ' })).toMatch(
      /^What do you know of me about this: my work\? Call profile, and recall with a question about it\.\n/,
    );
  });

  it('ask to remember words, or what matters of the conversation', async () => {
    expect(await textOf('remember-this', { text: 'I keep bees.' })).toMatch(
      /call remember .*\n\nI keep bees\.$/,
    );
    expect(await textOf('remember-this', { text: ' ' })).toMatch(/^Remember what matters for later/);
  });
});

describe('a call that fails', () => {
  it('at the cap says which, how far and until when, and who raises it', async () => {
    const body = {
      message: 'The daily cap of ingress tokens would be exceeded by this call.',
      details: {
        error: 'quota_exceeded',
        used: 999_990,
        limit: 1_000_000,
        period_start: '2026-04-02T00:00Z',
      },
    };
    const { call } = await connected(answering('/ingestion', 429, body));
    const { text, isError } = await call('remember', { text: 'a' });
    expect(isError).toBe(true);
    expect(text.split('\n')).toEqual([
      'The daily cap of ingress tokens would be exceeded by this call. 999,990 of 1,000,000 tokens of this day have been used, until 2026-04-03 00:00 UTC.',
      'This call had no effect. 10 are left: a shorter call may still succeed, one of this length only after that time. Tell the person.',
      'an operator raises the caps with: turnstone orgs set-limits acme --tokens-in N --tokens-out N',
    ]);
  });

  it('at a cap that is used up says that a shorter call does not help either', async () => {
    const details = { error: 'quota_exceeded', used: 20, limit: 20, period_start: '2026-04-02T00:00Z' };
    const message = 'The daily cap of egress tokens is used up.';
    const { call } = await connected(answering('/recall', 429, { message, details }));
    expect((await call('recall', { question: 'a' })).text).toContain(
      'This call had no effect. Tell the person; retrying before that time does not help.',
    );
  });

  it.each([
    ['remember', { text: 'a' }, ['body', 'turns', 0, 'text'], 'text of turn 1'],
    [
      'remember',
      { turns: [{ role: 'a', text: 'b' }] },
      ['body', 'turns', 0, 'timestamp'],
      'timestamp of turn 1',
    ],
    ['remember', { text: 'a' }, ['body', 'scope', 'session_id'], 'session'],
    ['recall', { question: 'a' }, ['body', 'q'], 'question'],
    ['recall', { question: 'a' }, ['body', 'top_k'], 'limit'],
    ['timeline', { since: '2026' }, ['query', 'since'], 'since'],
    ['timeline', { since: '2026' }, ['query', 'user_id'], 'user'],
  ])('for an argument of %s %o names it as the tool does', async (tool, args, loc, name) => {
    const details = { errors: [{ loc, type: 'x', message: 'is wrong' }] };
    const refused: Script = ({ path }) =>
      path.startsWith('/auth') ? undefined : { status: 422, body: { message: 'No.', details } };
    const { call } = await connected(refused);
    const { isError, text } = await call(tool, args);
    expect([isError, text.split('\n')]).toEqual([
      true,
      ['The server answered 422. This call had no effect; these arguments are wrong:', `${name}: is wrong`],
    ]);
  });

  it.each([
    [401, 'No.', /Another API key is needed/],
    [403, 'The credential lacks the role memory:read.', /creates one with the missing role/],
    [403, "The token's API key is revoked.", /Another API key is needed/],
    [403, 'This credential may only name its own user in scope.user_id.', /leave `user` out/],
  ])('with %d, %s says what helps', async (status, message, advice) => {
    const { call } = await connected(answering('/recall', status, { message }));
    const { text, isError } = await call('recall', { question: 'a' });
    expect([isError, text]).toEqual([true, expect.stringMatching(advice)]);
    expect(text).toContain(`the server answered ${status}: ${message}\n`);
    expect(text.split('\n')).toHaveLength(2);
  });

  it('without a server says how to start one', async () => {
    const { call } = await callerInProcess('http://127.0.0.1:9/path');
    const { text, isError } = await call('recall', { question: 'a' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^no answer from http:\/\/127\.0\.0\.1:9: /);
    expect(text).toMatch(/npm start.*turnstone serve/);
  });

  it('as a resource is an error in the same words', async () => {
    const { client } = await connected(answering('/memory', 503, { message: 'Out of reach.' }));
    await expect(client.listResources()).rejects.toThrow('the server answered 503: Out of reach.');
    await expect(client.readResource({ uri: 'turnstone://users/a/sessions/b' })).rejects.toThrow('503');
    await expect(client.listResources()).rejects.toMatchObject({ code: -32_603 });
  });

  it('as a resource is a mistake of the caller where the service says so', async () => {
    const details = { errors: [{ loc: ['query', 'cursor'], type: 'cursor', message: 'is no cursor' }] };
    const { client } = await connected(answering('/memory', 422, { message: 'No.', details }));
    await expect(client.listResources({ cursor: 'x' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('cursor: is no cursor'),
    });
  });
});

describe('completion', () => {
  const listed =
    (count: number): Script =>
    ({ path }) => {
      if (!path.startsWith('/memory/sessions')) return undefined;
      const from = Number(new URLSearchParams(path.split('?')[1]).get('cursor') ?? 0);
      const sessions = Array.from({ length: Math.min(200, count - from) }, (_, index) => ({
        user_id: 'ada',
        session_id: `${from + index < 450 ? 'old' : 'new'} ${from + index}`,
        turns: 1,
        first_at: null,
        last_at: null,
      }));
      return { status: 200, body: { sessions, next_cursor: from + 200 < count ? String(from + 200) : null } };
    };
  const completed = async (count: number, value: string) => {
    const { client } = await connected(listed(count));
    const ref = { type: 'ref/resource', uri: 'turnstone://users/{user}/sessions/{session}' } as const;
    const context = { arguments: { user: 'ada' } };
    return (await client.complete({ ref, argument: { name: 'session', value }, context })).completion;
  };

  it('looks behind the first page, and says whether there may be more', async () => {
    const all = await completed(460, 'new');
    expect([all.values.length, all.values[0], all.hasMore]).toEqual([10, 'new 450', false]);
    const many = await completed(460, 'old');
    expect([many.values.length, many.hasMore]).toEqual([100, true]);
    const none = await completed(5_000, 'other');
    expect([none.values, none.hasMore]).toEqual([[], true]);
    expect(paths().filter(path => path.startsWith('/memory/sessions'))).toHaveLength(5);
  });
});

it('a cancelled call lets go of the service at once', async () => {
  const asked = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  const { call } = await connected(async ({ path }, gone) => {
    if (path !== '/recall') return undefined;
    asked.resolve();
    await gone;
    hungUp.resolve();
    return 'drop';
  });
  const cancel = new AbortController();
  const answer = call('recall', { question: 'a' }, cancel.signal);
  await asked.promise;
  cancel.abort('the person stopped it');
  await expect(answer).rejects.toThrow('the person stopped it');
  await hungUp.promise;
  expect(paths().filter(path => path === '/recall')).toHaveLength(1);
});
