/** The middleware around a model of the test's own, in the real `ai` package. */
import { Turnstone } from '@turnstone/client';
import { memory } from '@turnstone/vercel-ai-sdk';
import { generateText, simulateReadableStream, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMisbehavingServer } from '../clients/misbehaving-server.ts';
import { settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { pause } from '../support/wait.ts';
import { itRemembers } from './shared.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('a model with memory', () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  const finishReason = { unified: 'stop', raw: undefined } as const;
  const wrapped = (session: string) => {
    const turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
    const mock = new MockLanguageModelV4({
      doGenerate: { content: [{ type: 'text', text: 'Noted.' }], finishReason, usage, warnings: [] },
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'In ' },
            { type: 'text-delta', id: '1', delta: 'Lyon.' },
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason, usage },
          ],
        }),
      }),
    });
    return {
      turnstone,
      mock,
      model: wrapLanguageModel({ model: mock, middleware: memory(turnstone, { user: 'erik', session }) }),
    };
  };
  /** The answer doesn't wait for it. */
  const remembered = (turnstone: Turnstone, user: string, session: string) =>
    expect.poll(() => Array.fromAsync(turnstone.memory.turns({ user, session })), { timeout: 20_000 });

  itRemembers(
    () => server,
    user => {
      const { turnstone, mock } = wrapped('shared');
      return {
        say: async (session, prompt) => {
          const model = wrapLanguageModel({ model: mock, middleware: memory(turnstone, { user, session }) });
          expect((await generateText({ model, prompt })).text).toBe('Noted.');
          return mock.doGenerateCalls
            .at(-1)!
            .prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : []))
            .join('\n');
        },
      };
    },
  );

  it('remembers what was asked and answered, and tells it to the model the next time', async () => {
    const one = wrapped('one');
    expect((await generateText({ model: one.model, prompt: 'I moved to Lyon.' })).text).toBe('Noted.');
    expect(one.mock.doGenerateCalls[0]!.prompt.map(({ role }) => role)).toEqual(['user']);
    await remembered(one.turnstone, 'erik', 'one').toHaveLength(2);
    const two = wrapped('two');
    const { textStream } = streamText({ model: two.model, prompt: 'Where did I move?' });
    expect((await Array.fromAsync(textStream)).join('')).toBe('In Lyon.');
    const [first] = two.mock.doStreamCalls[0]!.prompt;
    expect(first).toMatchObject({ role: 'system', content: expect.stringContaining('Lyon') });
    await remembered(two.turnstone, 'erik', 'two').toHaveLength(2);
    const turns = await Array.fromAsync(two.turnstone.memory.turns({ user: 'erik' }));
    expect(turns.map(({ session_id, role, text }) => [session_id, role, text])).toEqual([
      ['one', 'user', 'I moved to Lyon.'],
      ['one', 'assistant', 'Noted.'],
      ['two', 'user', 'Where did I move?'],
      ['two', 'assistant', 'In Lyon.'],
    ]);
  });

  it('tells the model what holds now, without what no longer does', async () => {
    const { turnstone, mock } = wrapped('moves');
    const said = (text: string, timestamp: string) => ({ role: 'user', text, timestamp });
    await turnstone.remember(
      [said('I live in Lyon.', '2026-01-05T09:00:00Z'), said('I moved to Porto.', '2026-02-05T09:00:00Z')],
      { user: 'mia', session: 'moves' },
    );
    await settled(server.url, 60_000);
    const middleware = memory(turnstone, { user: 'mia', session: 'later' });
    await generateText({
      model: wrapLanguageModel({ model: mock, middleware }),
      prompt: 'Where do I live?',
    });
    const [told] = mock.doGenerateCalls[0]!.prompt;
    expect(told).toMatchObject({ role: 'system', content: expect.stringContaining('home: "Porto"') });
    expect(told!.content).not.toContain('Lyon');
  });

  it('remembers a question once, over the steps that its answer takes', async () => {
    const { turnstone, mock } = wrapped('steps');
    const middleware = memory(turnstone, { user: 'hal', session: 'steps' });
    const model = wrapLanguageModel({ model: mock, middleware });
    const call = { toolCallId: '1', toolName: 'map' };
    await generateText({ model, prompt: 'Where is Lyon?' });
    await remembered(turnstone, 'hal', 'steps').toHaveLength(2);
    await generateText({
      model,
      messages: [
        { role: 'user', content: 'Where is Lyon?' },
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'a' } }] },
      ],
    });
    await remembered(turnstone, 'hal', 'steps').toHaveLength(3);
    const turns = await Array.fromAsync(turnstone.memory.turns({ user: 'hal' }));
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  });

  it('answers also where the memory does not', async () => {
    const { mock } = wrapped('none');
    const failures: unknown[] = [];
    const middleware = memory(new Turnstone({ baseUrl: server.url, apiKey: 'ts_of_nobody' }), {
      user: 'erik',
      session: 'none',
      onError: error => failures.push(error),
    });
    const model = wrapLanguageModel({ model: mock, middleware });
    expect((await generateText({ model, prompt: 'Where did I move?' })).text).toBe('Noted.');
    const { textStream } = streamText({ model, prompt: 'Where did I move?' });
    expect((await Array.fromAsync(textStream)).join('')).toBe('In Lyon.');
    await expect.poll(() => failures).toHaveLength(4);
  });

  it('waits for a memory that is silent no longer than it is told to', async () => {
    const silent = await startMisbehavingServer();
    silent.script({
      answers: {
        'POST /recall': [{ silent: true }, { silent: true }],
        'POST /ingestion/memory': [{ delay_ms: 500, status: 403 }, { silent: true }],
      },
    });
    try {
      const { mock } = wrapped('none');
      const failures: unknown[] = [];
      const written: Promise<void>[] = [];
      const middleware = memory(new Turnstone({ baseUrl: silent.url, apiKey: 'ts_key' }), {
        user: 'erik',
        session: 'none',
        patienceMs: 50,
        waitUntil: work => written.push(work),
        onError: error => failures.push(error),
      });
      const model = wrapLanguageModel({ model: mock, middleware });
      expect((await generateText({ model, prompt: 'Where did I move?' })).text).toBe('Noted.');
      expect(failures).toMatchObject([{ code: 'aborted' }]);
      const { textStream } = streamText({ model, prompt: 'Where did I move?' });
      expect((await Array.fromAsync(textStream)).join('')).toBe('In Lyon.');
      expect(written).toHaveLength(2);
      await written[0];
      expect(failures).toMatchObject([{ code: 'aborted' }, { code: 'aborted' }, { code: 'forbidden' }]);
    } finally {
      await silent.close();
    }
  });

  it('remembers when it was asked and when it was answered', async () => {
    const { turnstone, mock } = wrapped('times');
    const slow = mock.doGenerate.bind(mock);
    mock.doGenerate = async options => {
      await pause(120);
      return slow(options);
    };
    const model = wrapLanguageModel({
      model: mock,
      middleware: memory(turnstone, { user: 'ida', session: 'times' }),
    });
    await generateText({ model, prompt: 'How late is it?' });
    await remembered(turnstone, 'ida', 'times').toHaveLength(2);
    const [asked, answered] = await Array.fromAsync(turnstone.memory.turns({ user: 'ida' }));
    expect(Date.parse(answered!.timestamp) - Date.parse(asked!.timestamp)).toBeGreaterThanOrEqual(100);
  });
});
