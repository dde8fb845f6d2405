/** The examples in TypeScript, run as their READMEs say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Turnstone } from '@turnstone/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settled } from '../support/http/client.ts';
import { spawnProgram } from '../support/processes/command-line.ts';
import { cleanEnvironment, ROOT, type Server, startServer } from '../support/processes/server.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

const FROM_SOURCE = ['--import', join(ROOT, 'test/examples/packages-from-source.ts')];

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
    expect(system(0)).toBe('You know nothing about this user yet.');
    const second = await run('What do I keep behind the barn?\n\nThank you.\n', 'bea');
    expect(second).toMatchObject({ status: 0, stdout: 'Answer 2.\nAnswer 3.\n' });
    expect(system(1)).toContain('I keep bees behind the barn.');
    expect(model.asked[1]!.at(-1)).toEqual({ role: 'user', content: 'What do I keep behind the barn?' });
    await run('What is behind the barn?\n', 'carl');
    expect(system(3)).toBe('You know nothing about this user yet.');
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

describe('chat-loop', () => {
  const run = (stdin: string) =>
    spawnProgram(process.execPath, [...FROM_SOURCE, join(ROOT, 'examples/chat-loop/chat.ts'), 'eve'], {
      environment,
      stdin,
    });

  it('tells the model what holds now before what was said, and what matters though nobody asked', async () => {
    const first = await run('I live in Lyon.\nI am allergic to peanuts.\nI moved to Porto last week.\n');
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(system(0)).toBe('Nothing is known of this person yet.');
    expect(model.asked[1]!.slice(1)).toEqual([
      { role: 'user', content: 'I live in Lyon.' },
      { role: 'assistant', content: 'Answer 1.' },
      { role: 'user', content: 'I am allergic to peanuts.' },
    ]);
    await settled(server.url, 60_000);
    await run('Where do I live?\n');
    const told = system(3);
    expect(told).toContain('- allergy of "The user": "peanuts"');
    const holds = told.slice(told.indexOf('What holds now:'), told.indexOf('What was said:'));
    expect(holds).toContain('home: "Porto"');
    expect(holds).not.toContain('Lyon');
    // A fact that no longer holds would contradict the lines above it.
    expect(told).not.toContain('I live in Lyon.');
  });
});

describe('express-chat', () => {
  const app = join(ROOT, 'examples/express-chat/app.ts');

  /** Runs the program while `work` calls it. What it prints is thrown away where the test makes it fail. */
  const whileServing = async (
    settings: Record<string, string>,
    stderr: 'inherit' | 'ignore',
    work: (post: (body: string) => Promise<Response>, url: string) => Promise<void>,
  ): Promise<void> => {
    const child = spawn(process.execPath, [...FROM_SOURCE, app], {
      env: { ...cleanEnvironment(), ...environment, ...settings, PORT: '0' },
      stdio: ['ignore', 'pipe', stderr],
    });
    try {
      const [started] = await once(child.stdout!, 'data');
      const url = `http://127.0.0.1:${/port: (\d+)/.exec(String(started))![1]}`;
      const headers = { 'content-type': 'application/json' };
      await work(body => fetch(`${url}/chat`, { method: 'POST', headers, body }), url);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  };

  it('is at most 60 lines, chats, and remembers over conversations', async () => {
    expect(readFileSync(app, 'utf8').split('\n').length).toBeLessThanOrEqual(61);
    await whileServing({}, 'inherit', async (post, url) => {
      const say = async (session: string, text: string) =>
        (await post(JSON.stringify({ user: 'dora', session, text }))).json();
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
    });
  });

  it('recalls and stores nothing for a request that names nobody', async () => {
    const turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
    const before = (await Array.fromAsync(turnstone.memory.turns({ allUsers: true }))).length;
    await whileServing({}, 'inherit', async post => {
      const bodies = [
        { session: 's', text: 'What do you know?' },
        { user: '', session: 's', text: 'What do you know?' },
        { user: null, session: 's', text: 'What do you know?' },
        { user: 'dora', text: 'What do you know?' },
        { user: 'dora', session: 's' },
        { user: 'dora', session: 's', text: ['What?'] },
        [],
      ].map(body => JSON.stringify(body));
      for (const body of [...bodies, '{', '']) {
        const response = await post(body);
        expect([body, response.status]).toEqual([body, 400]);
        expect(await response.json()).toEqual({ error: expect.any(String) });
      }
    });
    expect(model.asked).toEqual([]);
    expect(await Array.fromAsync(turnstone.memory.turns({ allUsers: true }))).toHaveLength(before);
  });

  it.each([
    ['the memory refuses its key', { TURNSTONE_API_KEY: 'ts_of_nobody' }],
    ['the model refuses', { MODEL_URL: 'http://127.0.0.1:1/v1' }],
  ])('answers 502 and no more of it where %s', async (_, settings) => {
    await whileServing(settings, 'ignore', async post => {
      const response = await post(JSON.stringify({ user: 'dora', session: 's', text: 'Hello?' }));
      expect(response.status).toBe(502);
      expect(await response.json()).toEqual({ error: 'No answer is available at the moment.' });
    });
  });
});

describe('vercel-ai-sdk', () => {
  it('answers one question on the command line, and has written it when it ends', async () => {
    const chat = join(ROOT, 'examples/vercel-ai-sdk/chat.ts');
    const gateway = ['--import', join(ROOT, 'test/examples/gateway-answers.ts')];
    const run = (question: string) =>
      spawnProgram(process.execPath, [...FROM_SOURCE, ...gateway, chat, question], {
        environment: { ...environment, AI_GATEWAY_API_KEY: 'none' },
      });
    expect(await run('My cello is from Cremona.')).toMatchObject({ status: 0, stderr: '' });
    // The model that stands in for one says what it was told.
    const { stdout } = await run('Where is my cello from?');
    expect(stdout).toContain('My cello is from Cremona.');
  });
});
