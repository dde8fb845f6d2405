/** The processor in agents of the real `@mastra/core`, around a model of the test's own. */
import { Agent } from '@mastra/core/agent';
import { MASTRA_RESOURCE_ID_KEY, RequestContext } from '@mastra/core/request-context';
import { Turnstone } from '@turnstone/client';
import { type MemoryOptions, memory } from '@turnstone/mastra';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startMisbehavingServer } from '../clients/misbehaving-server.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { itRemembers } from './shared.ts';

let server: Server;
let turnstone: Turnstone;
beforeAll(async () => {
  // Mastra reports its use to its makers, unless told not to.
  vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1');
  server = await startServer();
  turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const finishReason = { unified: 'stop', raw: undefined } as const;

const agentOf = (options: MemoryOptions = {}, client = turnstone) => {
  const model = new MockLanguageModelV4({
    doGenerate: { content: [{ type: 'text', text: 'Noted.' }], finishReason, usage, warnings: [] },
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'Noted.' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason, usage },
        ],
      }),
    }),
  });
  const processor = memory(client, options);
  const agent = new Agent({
    id: 'tested',
    name: 'tested',
    instructions: 'Be brief.',
    // Mastra's type asks for what its own wrapper adds.
    model: model as never,
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  /** The instructions of the newest call. */
  const told = () =>
    [...model.doGenerateCalls, ...model.doStreamCalls]
      .at(-1)!
      .prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : []))
      .join('\n');
  return { agent, model, told };
};
const inThread = (resource: string, thread: string) => ({ memory: { resource, thread } });
/** An answer doesn't wait for what is stored of it. */
const soonStored = (user: string, session: string) =>
  expect.poll(
    async () =>
      (await Array.fromAsync(turnstone.memory.turns({ user, session }))).map(
        ({ role, text }) => `${role}: ${text}`,
      ),
    { timeout: 20_000 },
  );

describe('an agent with the processor', () => {
  itRemembers(
    () => server,
    user => {
      const { agent, told } = agentOf();
      return {
        say: async (session, text) => {
          expect((await agent.generate(text, inThread(user, session))).text).toBe('Noted.');
          return told();
        },
      };
    },
  );

  it('is told the context behind its own instructions, and a stream is remembered', async () => {
    await turnstone.remember({ role: 'user', text: 'I play the oboe.' }, { user: 'ola', session: 'past' });
    const { agent, told } = agentOf();
    const { textStream } = await agent.stream('Which instrument do I play?', inThread('ola', 'now'));
    expect((await Array.fromAsync(textStream)).join('')).toBe('Noted.');
    expect(told()).toMatch(/^Be brief\.[\s\S]*oboe/);
    await soonStored('ola', 'now').toEqual(['user: Which instrument do I play?', 'assistant: Noted.']);
  });

  it("takes the server's resource before the one that a request asks for", async () => {
    await turnstone.remember({ role: 'user', text: 'I play the tuba.' }, { user: 'pia', session: 'past' });
    const { agent, told } = agentOf();
    const requestContext = new RequestContext([[MASTRA_RESOURCE_ID_KEY, 'eve']]);
    await agent.generate('Which instrument do I play?', { ...inThread('pia', 'now'), requestContext });
    expect(told()).not.toContain('tuba');
    await soonStored('eve', 'now').toHaveLength(2);
    await soonStored('pia', 'now').toEqual([]);
  });

  it('answers also where the memory does not, or not in time', async () => {
    const silent = await startMisbehavingServer();
    silent.script({
      answers: { 'POST /recall': [{ silent: true }], 'POST /ingestion/memory': [{ status: 403 }] },
    });
    try {
      const failures: unknown[] = [];
      const written: Promise<void>[] = [];
      const { agent } = agentOf(
        {
          user: 'max',
          patienceMs: 50,
          waitUntil: writing => written.push(writing),
          onError: error => failures.push(error),
        },
        new Turnstone({ baseUrl: silent.url, apiKey: 'ts_key' }),
      );
      expect((await agent.generate('Hello?')).text).toBe('Noted.');
      expect(written).toHaveLength(1);
      await Promise.all(written);
      expect(failures).toMatchObject([{ code: 'aborted' }, { code: 'forbidden' }]);
    } finally {
      await silent.close();
    }
  });

  it('refuses a run without a user, also where a message names one', async () => {
    const { agent, model } = agentOf();
    const part = { type: 'text' as const, text: 'Hello?' };
    const message = {
      id: 'one',
      role: 'user' as const,
      createdAt: new Date(),
      resourceId: 'ola',
      content: { format: 2 as const, parts: [part] },
    };
    await expect(agent.generate([message])).rejects.toThrow('Input processor error');
    expect(model.doGenerateCalls).toEqual([]);
  });
});
