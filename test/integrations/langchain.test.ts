/** The middleware in agents of the real `langchain` package, around a model of the test's own. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { MemorySaver } from '@langchain/langgraph';
import { Turnstone } from '@turnstone/client';
import { type MemoryOptions, memory } from '@turnstone/langchain';
import { AIMessage, type BaseMessage, createAgent, HumanMessage, SystemMessage, tool } from 'langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMisbehavingServer } from '../clients/misbehaving-server.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { itRemembers } from './shared.ts';

let server: Server;
let turnstone: Turnstone;
beforeAll(async () => {
  server = await startServer();
  turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(() => server.stop());

/** Answers one after the other; when they have run out: "Noted.". */
class ScriptedModel extends BaseChatModel {
  readonly calls: BaseMessage[][] = [];
  readonly #replies: AIMessage[];
  constructor(...replies: AIMessage[]) {
    super({});
    this.#replies = replies;
  }
  override _llmType() {
    return 'scripted';
  }
  override bindTools() {
    return this as never;
  }
  override async _generate(messages: BaseMessage[]) {
    this.calls.push(messages);
    const message = this.#replies.shift() ?? new AIMessage('Noted.');
    return { generations: [{ text: message.text, message }] };
  }
  /** The instructions of a call, by default of the newest. */
  told(nth = -1): string {
    return this.calls
      .at(nth)!
      .filter(message => message.type === 'system')
      .map(({ text }) => text)
      .join('\n');
  }
}

const agentOf = (model: ScriptedModel, user: string, options: MemoryOptions = {}, more: object = {}) =>
  createAgent({ model, middleware: [memory(turnstone, { user, ...options })], ...more });
const asking = (text: string) => ({ messages: [new HumanMessage(text)] });
const thread = (thread_id: string) => ({ configurable: { thread_id } });
const stored = async (user: string, session = 'now') =>
  (await Array.fromAsync(turnstone.memory.turns({ user, session }))).map(
    ({ role, text }) => `${role}: ${text}`,
  );
/** An answer doesn't wait for what is stored of it. */
const soonStored = (user: string, session?: string) =>
  expect.poll(() => stored(user, session), { timeout: 20_000 });
const toldOfTheOboe = (user: string) =>
  turnstone.remember({ role: 'user', text: 'I play the oboe.' }, { user, session: 'past' });

const call = (text = '') =>
  new AIMessage({ content: text, tool_calls: [{ name: 'tune', args: {}, id: 'call_1' }] });
const tune = tool(() => 'In tune.', {
  name: 'tune',
  description: 'Tunes an instrument.',
  schema: { type: 'object', properties: {} },
});

describe('an agent with the middleware', () => {
  itRemembers(
    () => server,
    user => {
      const model = new ScriptedModel();
      const agent = createAgent({ model, middleware: [memory(turnstone)] });
      return {
        say: async (session, text) => {
          await agent.invoke(asking(text), { configurable: { user_id: user, thread_id: session } });
          return model.told();
        },
      };
    },
  );

  it('is told the context behind its own instructions', async () => {
    await toldOfTheOboe('ola');
    const blocks = [{ type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' } }];
    for (const systemPrompt of ['Be brief.', new SystemMessage({ content: blocks })]) {
      const model = new ScriptedModel();
      await agentOf(model, 'ola', {}, { systemPrompt }).invoke(asking('Which instrument do I play?'));
      expect(model.told()).toMatch(/^Be brief\.[\s\S]*oboe/);
      expect(model.calls[0]!.map(({ type }) => type)).toEqual(['system', 'human']);
    }
  });

  it('is recalled for once over the steps of an answer, and its question remembered once', async () => {
    await toldOfTheOboe('hal');
    const model = new ScriptedModel(call("I'll tune it."), new AIMessage('Your oboe is tuned.'));
    await agentOf(model, 'hal', {}, { tools: [tune] }).invoke(asking('Tune my instrument.'), thread('now'));
    expect([model.told(0), model.told(1)]).toEqual([expect.stringContaining('oboe'), model.told(0)]);
    await soonStored('hal').toEqual([
      'user: Tune my instrument.',
      "assistant: I'll tune it.",
      'assistant: Your oboe is tuned.',
    ]);
  });

  it('has nothing of a recall in its checkpoints, and a thread remembered turn by turn', async () => {
    await toldOfTheOboe('ida');
    const checkpointer = new MemorySaver();
    const agent = agentOf(new ScriptedModel(), 'ida', {}, { checkpointer });
    await agent.invoke(asking('Which instrument do I play?'), thread('now'));
    await agent.invoke(asking('And since when?'), thread('now'));
    const turns = [
      'user: Which instrument do I play?',
      'assistant: Noted.',
      'user: And since when?',
      'assistant: Noted.',
    ];
    await soonStored('ida').toEqual(turns);
    const kept = Buffer.concat(
      Object.values(checkpointer.storage).flatMap(namespaces =>
        Object.values(namespaces).flatMap(checkpoints =>
          Object.values(checkpoints).map(([checkpoint]) => Buffer.from(checkpoint)),
        ),
      ),
    ).toString();
    expect(kept).toContain('since when');
    expect(kept).not.toContain('oboe');
  });

  it('remembers an answer without its question where an earlier run had it', async () => {
    const messages = [new HumanMessage('Tune it.'), new AIMessage('It is tuned.'), new AIMessage('Go on?')];
    await agentOf(new ScriptedModel(), 'ned').invoke({ messages }, thread('now'));
    await soonStored('ned').toEqual(['assistant: Noted.']);
  });

  it('answers also where the memory does not, or not in time', async () => {
    const silent = await startMisbehavingServer();
    silent.script({
      answers: {
        'POST /recall': [{ silent: true }],
        'POST /ingestion/memory': [{ status: 403 }],
      },
    });
    try {
      const failures: unknown[] = [];
      const written: Promise<void>[] = [];
      const model = new ScriptedModel();
      const middleware = memory(new Turnstone({ baseUrl: silent.url, apiKey: 'ts_key' }), {
        user: 'max',
        patienceMs: 50,
        waitUntil: writing => written.push(writing),
        onError: error => failures.push(error),
      });
      const { messages } = await createAgent({ model, middleware: [middleware] }).invoke(asking('Hello?'));
      expect(messages.at(-1)!.text).toBe('Noted.');
      await Promise.all(written);
      expect(failures).toMatchObject([{ code: 'aborted' }, { code: 'forbidden' }]);
    } finally {
      await silent.close();
    }
  });

  it('refuses a run without a user', async () => {
    const agent = createAgent({ model: new ScriptedModel(), middleware: [memory(turnstone)] });
    await expect(agent.invoke(asking('Hello?'), thread('now'))).rejects.toThrow('Whose memory?');
  });
});
