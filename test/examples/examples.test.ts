/** The examples in TypeScript, run as their READMEs say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Turnstone } from '@turnstone/client';
import { generateText, simulateReadableStream, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memory } from '../../examples/vercel-ai-sdk/memory.ts';
import { spawnProgram } from '../support/command-line.ts';
import { cleanEnvironment, ROOT, type Server, startServer } from '../support/server.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

const FROM_SOURCE = ['--import', join(ROOT, 'test/examples/client-from-source.ts')];

let server: Server;
let model: ModelServer;
let environment: Record<string, string>;
beforeAll(async () => {
  [server, model] = await Promise.all([startServer(), startModelServer()]);
  environment = {
    TURNSTONE_URL: server.url,
    TURNSTONE_API_KEY: server.apiKey,
    MODEL_URL: model.url,
    MODEL_API_KEY: 'none',
  };
});
afterAll(async () => {
  model.close();
  await server.stop();
});
beforeEach(() => model.asked.splice(0));

const system = (nth: number): string => model.asked[nth]!.find(({ role }) => role === 'system')!.content;

describe('agent-loop', () => {
  const run = (stdin: string, user: string) =>
    spawnProgram(process.execPath, [...FROM_SOURCE, join(ROOT, 'examples/agent-loop/agent.ts'), user], {
      environment,
      stdin,
    });

  it('knows in another session what was said in one, and nothing of other users', async () => {
    const first = await run('I keep bees behind the barn.\n', 'bea');
    expect(first).toMatchObject({ status: 0, stdout: 'Answer 1.\n', stderr: '' });
    expect(system(0)).toBe('You know nothing of this user yet.');
    const second = await run('What do I keep behind the barn?\n\nThank you.\n', 'bea');
    expect(second).toMatchObject({ status: 0, stdout: 'Answer 2.\nAnswer 3.\n' });
    expect(system(1)).toContain('I keep bees behind the barn.');
    expect(model.asked[1]!.at(-1)).toEqual({ role: 'user', content: 'What do I keep behind the barn?' });
    await run('What is behind the barn?\n', 'carl');
    expect(system(3)).toBe('You know nothing of this user yet.');
  });

  it('ends with the reason where the model refuses', async () => {
    const { status, stderr } = await spawnProgram(
      process.execPath,
      [...FROM_SOURCE, join(ROOT, 'examples/agent-loop/agent.ts')],
      { environment: { ...environment, MODEL_URL: `${server.url}/v1` }, stdin: 'Hello?\n' },
    );
    expect(status).toBe(1);
    expect(stderr).toContain('the model answered 404');
  });
});

describe('express-chat', () => {
  it('is at most 60 lines, chats, and remembers over conversations', async () => {
    const app = join(ROOT, 'examples/express-chat/app.ts');
    expect(readFileSync(app, 'utf8').split('\n').length).toBeLessThanOrEqual(61);
    const args = [...FROM_SOURCE, app];
    const child = spawn(process.execPath, args, {
      env: { ...cleanEnvironment(), ...environment, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [started] = await once(child.stdout, 'data');
      const url = `http://127.0.0.1:${/port: (\d+)/.exec(String(started))![1]}`;
      const say = async (session: string, text: string) => {
        const response = await fetch(`${url}/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ user: 'dora', session, text }),
        });
        return response.json();
      };
      expect(await (await fetch(url)).text()).toContain('<form>');
      expect(await say('one', 'My boat is called Petrel.')).toEqual({ reply: 'Answer 1.' });
      await say('one', 'It is green.');
      // The conversation so far, as it was spoken.
      expect(model.asked[1]!.slice(1)).toEqual([
        { role: 'user', content: 'My boat is called Petrel.' },
        { role: 'assistant', content: 'Answer 1.' },
        { role: 'user', content: 'It is green.' },
      ]);
      await say('two', 'What is my boat called?');
      expect(system(2)).toContain('My boat is called Petrel.');
      expect(model.asked[2]).toHaveLength(2);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });
});

describe('vercel-ai-sdk', () => {
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

  it('remembers what was asked and answered, and tells it to the model the next time', async () => {
    const one = wrapped('one');
    expect((await generateText({ model: one.model, prompt: 'I moved to Lyon.' })).text).toBe('Noted.');
    expect(one.mock.doGenerateCalls[0]!.prompt.map(({ role }) => role)).toEqual(['user']);
    const two = wrapped('two');
    const { textStream } = streamText({ model: two.model, prompt: 'Where did I move?' });
    expect((await Array.fromAsync(textStream)).join('')).toBe('In Lyon.');
    const [first] = two.mock.doStreamCalls[0]!.prompt;
    expect(first).toMatchObject({ role: 'system', content: expect.stringContaining('I moved to Lyon.') });
    const turns = await Array.fromAsync(two.turnstone.memory.turns({ user: 'erik' }));
    expect(turns.map(({ session_id, role, text }) => [session_id, role, text])).toEqual([
      ['one', 'user', 'I moved to Lyon.'],
      ['one', 'assistant', 'Noted.'],
      ['two', 'user', 'Where did I move?'],
      ['two', 'assistant', 'In Lyon.'],
    ]);
  });

  it('remembers a question once, over the steps that its answer takes', async () => {
    const { turnstone, mock } = wrapped('steps');
    const middleware = memory(turnstone, { user: 'hal', session: 'steps' });
    const model = wrapLanguageModel({ model: mock, middleware });
    const call = { toolCallId: '1', toolName: 'map' };
    await generateText({ model, prompt: 'Where is Lyon?' });
    await generateText({
      model,
      messages: [
        { role: 'user', content: 'Where is Lyon?' },
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'a' } }] },
      ],
    });
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
    expect(failures).toHaveLength(4);
  });
});
