/** The memory tool in the tool runner of the real Anthropic SDK, for a Claude of the test's own. */
import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import { memoryHandlers } from '@turnstone/anthropic-memory-tool';
import { Turnstone } from '@turnstone/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { itRemembers } from './shared.ts';

let server: Server;
let turnstone: Turnstone;
beforeAll(async () => {
  server = await startServer();
  turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(() => server.stop());

type Message = Anthropic.Beta.BetaMessageParam;
type Command = Anthropic.Beta.BetaMemoryTool20250818Command;

/** Answers requests in the place of Claude: with commands of the tool, or with words. */
const claude = (answer: (messages: Message[]) => Command[] | string) => {
  const requests: Message[][] = [];
  let history: Message[] = [];
  const anthropic = new Anthropic({
    apiKey: 'sk-secret',
    maxRetries: 0,
    fetch: async (_, init) => {
      const { messages, thread } = JSON.parse(String(init?.body)) as Request;
      // A conversation that is continued is sent without what the service has of it.
      history = [...(thread?.type === 'continue' ? history : []), ...messages];
      requests.push(history);
      const said = answer(history);
      const content =
        typeof said === 'string'
          ? [{ type: 'text', text: said }]
          : said.map((input, i) => ({
              type: 'tool_use',
              id: `toolu_${requests.length}_${i}`,
              name: 'memory',
              input,
            }));
      history = [...history, { role: 'assistant', content: content as never }];
      return Response.json({
        id: `msg_${requests.length}`,
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content,
        stop_reason: typeof said === 'string' ? 'end_turn' : 'tool_use',
        usage: { input_tokens: 1, output_tokens: 1 },
      });
    },
  });
  return { anthropic, requests };
};

interface Request {
  messages: Message[];
  thread?: { type: 'create' | 'continue' };
}

interface Result {
  is_error?: boolean;
  content: string;
}

const resultsIn = (messages: Message[]): Result[] =>
  messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : (content ?? []).flatMap(one => (one.type === 'tool_result' ? [one as Result] : [])),
  );

const ask = async (handlers: MemoryToolHandlers, text: string, answer: Parameters<typeof claude>[0]) => {
  const { anthropic, requests } = claude(answer);
  await anthropic.beta.messages.toolRunner({
    model: 'claude',
    max_tokens: 100,
    tools: [betaMemoryTool(handlers)],
    messages: [{ role: 'user', content: text }],
  });
  return resultsIn(requests.at(-1)!);
};

const run = (handlers: MemoryToolHandlers, command: Command): Promise<string> =>
  betaMemoryTool(handlers).run(command) as Promise<string>;

const NOTES = '/memories/notes.md';

describe('the memory tool', () => {
  itRemembers(
    () => server,
    user => ({
      say: async (_, text) => {
        const results = await ask(memoryHandlers(turnstone, { user }), text, messages => {
          const [listing, ...others] = resultsIn(messages);
          if (!listing) return [{ command: 'view', path: '/memories' }];
          const hasNotes = listing.content.includes(NOTES);
          if (hasNotes && others.length === 0) return [{ command: 'view', path: NOTES }];
          if (text.endsWith('?') || others.length > (hasNotes ? 1 : 0)) return 'Noted.';
          return hasNotes
            ? [
                {
                  command: 'insert',
                  path: NOTES,
                  insert_line: others[0]!.content.split('\n').length - 1,
                  insert_text: text,
                },
              ]
            : [{ command: 'create', path: NOTES, file_text: text }];
        });
        return results.map(({ content }) => content).join('\n');
      },
      noted: async () => {
        const turns = await Array.fromAsync(turnstone.memory.turns({ user, session: NOTES }));
        expect(turns).toHaveLength(1);
        return turns[0]!.text.split('\n').slice(1);
      },
    }),
  );

  it('does what Claude asks at once in its order, and tells it what went wrong', async () => {
    const handlers = memoryHandlers(turnstone, { user: 'ada' });
    const results = await ask(handlers, 'Note it.', messages =>
      messages.length > 1
        ? 'Noted.'
        : [
            { command: 'create', path: NOTES, file_text: 'one' },
            { command: 'insert', path: NOTES, insert_line: 1, insert_text: 'two\n' },
            { command: 'str_replace', path: NOTES, old_str: 'one\ntwo', new_str: 'one, $&' },
            { command: 'view', path: NOTES },
            { command: 'create', path: NOTES, file_text: 'again' },
            { command: 'view', path: '/memories/../secrets' },
          ],
    );
    expect(results.map(({ content }) => content)).toEqual([
      `File created successfully at: ${NOTES}`,
      `The file ${NOTES} has been edited.`,
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tone, $&',
      `Here's the content of ${NOTES} with line numbers:\n     1\tone, $&`,
      `Error: File ${NOTES} already exists`,
      'Error: Path must be in /memories, got: /memories/../secrets',
    ]);
    expect(results.map(({ is_error }) => is_error ?? false)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('keeps a version of a file, which recalls find, and nothing of one that is deleted', async () => {
    const handlers = memoryHandlers(turnstone, { user: 'mia' });
    const found = async () => {
      const { hits } = await turnstone.recall('Which boat?', { user: 'mia', kinds: ['turn'] });
      return hits.turns.map(({ content }) => content).filter(content => /boat/.test(content));
    };
    await turnstone.remember({ role: 'user', text: 'Hello.' }, { user: 'mia', session: 'chat' });
    await run(handlers, { command: 'create', path: NOTES, file_text: 'The boat is Petrel.' });
    await run(handlers, { command: 'str_replace', path: NOTES, old_str: 'Petrel', new_str: 'Gull' });
    expect(await found()).toEqual([`${NOTES}\nThe boat is Gull.`]);
    expect(await run(handlers, { command: 'view', path: '/memories' })).not.toContain('chat');
    await run(handlers, { command: 'rename', old_path: NOTES, new_path: '/memories/boats/one.md' });
    expect(await found()).toEqual(['/memories/boats/one.md\nThe boat is Gull.']);
    await run(handlers, { command: 'delete', path: '/memories/boats' });
    expect(await found()).toEqual([]);
    expect((await Array.fromAsync(turnstone.memory.turns({ user: 'mia' }))).map(({ text }) => text)).toEqual([
      'Hello.',
    ]);
  });

  it('takes the newest version where an edit was cut short, and hides the others with the next', async () => {
    const handlers = memoryHandlers(turnstone, { user: 'ned' });
    await run(handlers, { command: 'create', path: NOTES, file_text: 'one' });
    const { deleteTurn } = turnstone.memory;
    turnstone.memory.deleteTurn = () => Promise.reject(new Error('cut short'));
    const edit = { command: 'str_replace', path: NOTES, old_str: 'one', new_str: 'two' } as const;
    await expect(run(handlers, edit)).rejects.toThrow('cut short');
    turnstone.memory.deleteTurn = deleteTurn;
    const view = { command: 'view', path: NOTES } as const;
    expect(await run(handlers, view)).toMatch(/\ttwo$/);
    await run(handlers, { command: 'insert', path: NOTES, insert_line: 0, insert_text: 'zero' });
    expect(await run(handlers, view)).toMatch(/\tzero\n +2\ttwo$/);
    expect(await Array.fromAsync(turnstone.memory.turns({ user: 'ned' }))).toHaveLength(1);
  });

  it('keeps a text to the letter, up to the largest turn', async () => {
    const handlers = memoryHandlers(turnstone, { user: 'ola' });
    const disk = await BetaLocalFilesystemMemoryTool.init(temporaryFolder());
    const texts = [
      '',
      '\n',
      ' \t',
      'a\r\nb\n',
      '☃ 👩‍🌾 \u0007',
      '- [ ] "quoted" & <b>',
      '/memories/x\n',
      'x'.repeat(65_000),
    ];
    for (const [i, file_text] of texts.entries())
      for (const command of [
        { command: 'create', path: `/memories/${i}`, file_text },
        { command: 'view', path: `/memories/${i}` },
      ] as const)
        expect(await run(handlers, command)).toBe(await run(disk, command));
    const tooLong = { command: 'create', path: '/memories/long', file_text: 'x'.repeat(65_536) } as const;
    await expect(run(handlers, tooLong)).rejects.toThrow('longer than 65521 characters');
    const tooDeep = { command: 'create', path: `/memories/${'x'.repeat(256)}`, file_text: '' } as const;
    await expect(run(handlers, tooDeep)).rejects.toThrow('path is longer than 256 characters');
  });

  it('fails, and tells Claude neither keys nor words, where Turnstone is away', async () => {
    const away = new Turnstone({ baseUrl: 'http://127.0.0.1:9', apiKey: 'ts_secret', totalTimeoutMs: 100 });
    const results = await ask(memoryHandlers(away, { user: 'max' }), 'Note it.', messages =>
      messages.length > 1 ? 'I could not.' : [{ command: 'create', path: NOTES, file_text: 'My oboe.' }],
    );
    expect(results).toMatchObject([{ is_error: true }]);
    expect(results[0]!.content).not.toMatch(/ts_secret|oboe/);
  });
});

describe("the memory tool beside the SDK's own on files", () => {
  const path = fc
    .constantFrom('a', 'b', 'c', 'c/d', 'c/e', 'c/f/g', 'c/f/h/i', '.hidden', '')
    .map(name => (name === '' ? '/memories' : `/memories/${name}`));
  const line = fc.constantFrom('red', 'green', 'blue fish', '');
  const text = fc.array(line, { maxLength: 4 }).map(lines => lines.join('\n'));
  const range = fc.constantFrom(undefined, [1, 2], [2, -1], [0, 1], [3, 9]);
  const commands = fc.array(
    fc.oneof(
      { arbitrary: fc.record({ command: fc.constant('create'), path, file_text: text }), weight: 3 },
      fc.record({ command: fc.constant('view'), path, view_range: range }),
      fc.record({
        command: fc.constant('str_replace'),
        path,
        old_str: fc.constantFrom('red', 'green', 'blue', 'fish', 'none'),
        new_str: fc.constantFrom('grey', ''),
      }),
      fc.record({
        command: fc.constant('insert'),
        path,
        insert_line: fc.integer({ min: -1, max: 5 }),
        insert_text: line,
      }),
      fc.record({ command: fc.constant('delete'), path }),
      fc.record({ command: fc.constant('rename'), old_path: path, new_path: path }),
    ),
    { minLength: 10, maxLength: 40 },
  );

  /** Directories that lead to no file, which there are only on a disk. */
  const removeEmpty = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const below = join(folder, entry.name);
      removeEmpty(below);
      if (readdirSync(below).length === 0) rmdirSync(below);
    }
  };

  /** Resolves to what it answers; of a failure of the disk itself only that there was one. */
  const outcome = async (handlers: MemoryToolHandlers, command: Command): Promise<string> => {
    try {
      const answer = await run(handlers, command);
      // A directory's own size is the disk's.
      return answer
        .replaceAll(/^\S+(?=\t\/memories(\/.*\/)?$)/gm, '')
        .replaceAll(/^\S+(?=\t\/memories\/c(\/f|\/f\/h)?$)/gm, '');
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === undefined
        ? `failed: ${(error as Error).message}`
        : 'failed';
    }
  };

  it('answers and fails alike, whatever is asked of it', async () => {
    let user = 0;
    await fc.assert(
      fc.asyncProperty(commands, async asked => {
        user += 1;
        const handlers = memoryHandlers(turnstone, { user: `alike-${user}` });
        const folder = temporaryFolder();
        const disk = await BetaLocalFilesystemMemoryTool.init(folder);
        for (const command of [...asked, { command: 'view', path: '/memories' }] as Command[]) {
          const expected = await outcome(disk, command);
          removeEmpty(join(folder, 'memories'));
          const answered = await outcome(handlers, command);
          if (expected === 'failed') expect(answered).toMatch(/^failed/);
          else expect({ command, answered }).toEqual({ command, answered: expected });
        }
        expect(existsSync(join(folder, 'memories'))).toBe(true);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
