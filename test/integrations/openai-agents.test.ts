/** The session in runs of the real Agents SDK, around a model of the test's own. */
import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  run,
  type StreamEvent,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { Turnstone } from '@turnstone/client';
import { type SessionOptions, turnstoneSession } from '@turnstone/openai-agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMisbehavingServer } from '../clients/misbehaving-server.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { itRemembers } from './shared.ts';

setTracingDisabled(true);

let server: Server;
let turnstone: Turnstone;
beforeAll(async () => {
  server = await startServer();
  turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(() => server.stop());

const user = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content });
const assistant = (text: string): AgentOutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

/** Answers one after the other; when they have run out: "Noted.". */
const scripted = (...replies: AgentOutputItem[][]) => {
  const requests: ModelRequest[] = [];
  const answer = (request: ModelRequest) => {
    requests.push(request);
    return { usage: new Usage(), output: replies.shift() ?? [assistant('Noted.')] };
  };
  const model: Model = {
    getResponse: async request => answer(request),
    async *getStreamedResponse(request) {
      const { output } = answer(request);
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      yield { type: 'response_done', response: { id: '1', usage, output } } as StreamEvent;
    },
  };
  return { model, requests };
};

const sessionOf = (of: string, session = 'now', options: Partial<SessionOptions> = {}) =>
  turnstoneSession(turnstone, { user: of, session, ...options });
const ask = async (
  session: ReturnType<typeof sessionOf>,
  { model }: { model: Model },
  text: string,
  tools: ReturnType<typeof tool>[] = [],
) => {
  const agent = new Agent({ name: 'Assistant', instructions: 'Be brief.', model, tools });
  return (await run(agent, text, { session, callModelInputFilter: session.recalled })).finalOutput;
};
const toldOfTheOboe = (of: string) =>
  turnstone.remember({ role: 'user', text: 'I play the oboe.' }, { user: of, session: 'past' });
const stored = async (of: string) =>
  (await Array.fromAsync(turnstone.memory.turns({ user: of }))).map(({ role, text }) => `${role}: ${text}`);

describe('a session', () => {
  itRemembers(
    () => server,
    of => ({
      say: async (session, text) => {
        const { model, requests } = scripted();
        expect(await ask(sessionOf(of, session), { model }, text)).toBe('Noted.');
        return requests[0]!.systemInstructions!;
      },
    }),
  );

  it('is the history of its runs', async () => {
    const model = scripted();
    await ask(sessionOf('ada'), model, 'I play the oboe.');
    await ask(sessionOf('ada'), model, 'And the horn.');
    expect(model.requests[1]!.input).toEqual([
      user('I play the oboe.'),
      assistant('Noted.'),
      user('And the horn.'),
    ]);
    const session = sessionOf('ada');
    expect(await session.getSessionId()).toBe('now');
    expect(await session.getItems()).toHaveLength(4);
    expect(await session.getItems(2)).toEqual([user('And the horn.'), assistant('Noted.')]);
    expect(await session.getItems(0)).toEqual([]);
  });

  it('keeps the order of items over pages, and gives other speakers to the user', async () => {
    const session = sessionOf('mia', 'many');
    const items = Array.from({ length: 1_203 }, (_, i) => (i % 2 ? user('Same.') : assistant('Same.')));
    await session.addItems(items.slice(0, 1_202));
    await session.addItems(items.slice(1_202));
    expect(await session.getItems()).toEqual(items);
    expect(await session.getItems(300)).toEqual(items.slice(-300));
    for (const role of ['system', 'tool', 'Grace'])
      await turnstone.remember({ role, text: `As ${role}.` }, { user: 'mia', session: 'others' });
    const others = [{ type: 'message', role: 'system', content: 'As system.' }, user('As Grace.')];
    expect(await sessionOf('mia', 'others').getItems()).toEqual(others);
    expect(await sessionOf('mia', 'others').getItems(2)).toEqual(others);
  });

  it('keeps words, and leaves out what has none', async () => {
    const session = sessionOf('ola');
    const image = { type: 'input_image', image: 'data:image/png;base64,AA==' } as const;
    const call = { type: 'function_call', callId: '1', name: 'hens', status: 'completed', arguments: '{}' };
    const output = { type: 'text', text: 'three' };
    const silent = [
      call,
      { type: 'function_call_result', callId: '1', name: 'hens', status: 'completed', output },
      { type: 'reasoning', content: [{ type: 'input_text', text: 'Hm.' }] },
      { type: 'message', role: 'user', content: [image] },
    ] as AgentInputItem[];
    await session.addItems([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'A hen.' }, image] },
      ...silent,
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'refusal', refusal: 'I cannot.' }],
      },
      user('x'.repeat(70_000)),
    ]);
    await session.addItems(silent);
    expect(await session.getItems()).toEqual([
      user('A hen.'),
      assistant('I cannot.'),
      user('x'.repeat(65_536)),
    ]);
  });

  it('hides the item that is popped, and is erased when it is cleared', async () => {
    const session = sessionOf('ned');
    expect(await session.popItem()).toBeUndefined();
    await session.addItems([user('One.'), assistant('Two.')]);
    expect(await session.popItem()).toEqual(assistant('Two.'));
    expect(await session.getItems()).toEqual([user('One.')]);
    await session.addItems([assistant('Two.')]);
    expect(await session.getItems()).toEqual([user('One.'), assistant('Two.')]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    await session.addItems([user('Again.')]);
    expect(await session.getItems()).toEqual([user('Again.')]);
  });

  it('recalls for a question once, behind the instructions and without the question itself', async () => {
    await toldOfTheOboe('hal');
    const call = {
      type: 'function_call',
      callId: '1',
      name: 'tune',
      status: 'completed',
      arguments: '{}',
    } as const;
    const model = scripted([call], [assistant('Tuned.')]);
    const tune = tool({
      name: 'tune',
      description: 'Tunes an instrument.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      strict: true,
      execute: async () => 'in tune',
    });
    const session = sessionOf('hal');
    expect(await ask(session, model, 'Tune my instrument.', [tune])).toBe('Tuned.');
    expect(model.requests).toHaveLength(2);
    for (const { systemInstructions } of model.requests) {
      expect(systemInstructions).toMatch(/^Be brief\.\n\n[\s\S]*oboe/);
      expect(systemInstructions).not.toContain('Tune my instrument.');
    }
    expect(await stored('hal')).toEqual([
      'user: Tune my instrument.',
      'assistant: Tuned.',
      'user: I play the oboe.',
    ]);
    await turnstone.forget({ user: 'hal', session: 'past' });
    await ask(session, model, 'Tune my instrument.');
    expect(model.requests[2]!.systemInstructions).not.toContain('oboe');
  });

  it('recalls for a stream, and stores it', async () => {
    await toldOfTheOboe('ida');
    const session = sessionOf('ida');
    const { model, requests } = scripted();
    const agent = new Agent({ name: 'Assistant', model });
    const callModelInputFilter = session.recalled;
    const streamed = await run(agent, 'Which instrument?', { session, stream: true, callModelInputFilter });
    await streamed.completed;
    expect(requests[0]!.systemInstructions).toContain('oboe');
    expect(await session.getItems()).toEqual([user('Which instrument?'), assistant('Noted.')]);
  });

  it('lets a run go on without a recall, and fails itself as the client does', async () => {
    const silent = await startMisbehavingServer();
    silent.script({ answers: { 'POST /recall': [{ silent: true }, { status: 403 }] } });
    try {
      const failures: unknown[] = [];
      const away = new Turnstone({ baseUrl: silent.url, apiKey: 'ts_key' });
      const options = { user: 'max', session: 'now', patienceMs: 50, onError: failures.push.bind(failures) };
      const session = turnstoneSession(away, options);
      for (const code of ['aborted', 'forbidden']) {
        const { model, requests } = scripted();
        const agent = new Agent({ name: 'Assistant', model });
        await run(agent, 'Where is my oboe?', { callModelInputFilter: session.recalled });
        expect(requests[0]!.systemInstructions ?? '').toBe('');
        expect(failures.splice(0)).toMatchObject([{ code }]);
      }
      const refused = { code: 'refused' };
      await expect(session.getItems()).rejects.toMatchObject(refused);
      await expect(session.addItems([user('Hello?')])).rejects.toMatchObject(refused);
      await expect(session.popItem()).rejects.toMatchObject(refused);
      await expect(session.clearSession()).rejects.toMatchObject(refused);
    } finally {
      await silent.close();
    }
  });
});
