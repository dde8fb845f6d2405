import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/engines/engine-containers.ts';
import { callerOver, commandTransport, type McpCaller } from '../support/http/mcp.ts';
import { startStub } from '../support/http/stub-service.ts';
import { runCommand, spawnCommand } from '../support/processes/command-line.ts';
import {
  cleanEnvironment,
  MAIN,
  ROOT,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/processes/server.ts';

/**
 * `turnstone mcp` on its pipes, as Claude Desktop and Cursor start it, against a real server; as processes at
 * the end.
 */
let server: Server;
let environment: Record<string, string>;
beforeAll(async () => {
  server = await startServer();
  environment = { TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir };
  const ended = await runCommand(['ingest', 'docs/example.jsonl'], environment);
  expect(ended.status).toBe(0);
});
afterAll(() => server.stop());

const open: McpCaller[] = [];
const connected = async (args: string[] = [], more: Record<string, string> = {}): Promise<McpCaller> => {
  const caller = await callerOver(commandTransport({ ...environment, ...more }, args));
  open.push(caller);
  return caller;
};
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
});

describe('a model that has this memory', () => {
  it('recalls what was said, with its day, speaker and id, and how sure that is', async () => {
    const { call } = await connected(['--user', 'family']);
    const { text, structured, isError } = await call('recall', { question: 'When did Ben fix the roof?' });
    expect(isError).toBe(false);
    expect(text).toMatch(/^Confidence 0\.\d\d\. Very likely answered by what follows\. Answer from it\.$/m);
    expect(text).toMatch(
      /^1\. 2026-04-11 \d\d:\d\dZ Ben: I fixed the roof of the shed yesterday, the leak is gone\.\n {3}\[trn_[0-9a-f]{32}, user "family", session "2026-04"\]$/m,
    );
    expect(structured.confidence).toBeGreaterThan(0.8);
    expect(structured.turns[0]).toMatchObject({ speaker: 'Ben', user: 'family', session: '2026-04' });
  });

  it('is told plainly that memory does not hold an answer', async () => {
    const { call } = await connected(['--user', 'family']);
    const { text, structured } = await call('recall', { question: 'What is the capital of Mongolia?' });
    expect(structured.confidence).toBeLessThan(0.3);
    expect(text).toContain('Memory probably does not contain the answer');
    const elsewhere = await call('recall', { question: 'When did Ben fix the roof?', user: 'nobody' });
    expect(elsewhere.text).toContain('Memory has nothing on this.');
  });

  it('knows what holds of a person, and marks what held before', async () => {
    const { call } = await connected(['--user', 'mover']);
    await call('remember', {
      turns: [
        { role: 'Nora', text: 'I live in Lyon.', timestamp: '2026-01-05T09:30:00Z' },
        { role: 'Nora', text: 'I live in Porto now.', timestamp: '2026-06-05T09:30:00Z' },
      ],
    });
    const profile = async (args: Record<string, unknown>) => (await call('profile', args)).text;
    await expect.poll(() => profile({}), { timeout: 20_000 }).toContain('- home: "Porto" (obs_');
    expect(await profile({})).not.toContain('Lyon');
    expect(await profile({ subject: 'Nora', attribute: 'home', history: true })).toContain(
      '- home: "Lyon" (no longer holds since 2026-06-05, obs_',
    );
    const { structured } = await call('recall', { question: 'Where does Nora live?', kinds: ['turn'] });
    const marks = structured.turns.map(({ text, no_longer }: { text: string; no_longer?: string }) => [
      text,
      no_longer,
    ]);
    expect(marks).toEqual([
      ['I live in Porto now.', undefined],
      ['I live in Lyon.', 'no longer holds'],
    ]);
  });

  it('answers arguments as models send them with five hits, facts before turns', async () => {
    const { client, call } = await connected(['--user', 'five']);
    const homes = ['Lyon', 'Porto', 'Graz', 'Turin', 'Bergen', 'Oslo', 'Ghent'];
    const turns = homes.map((home, month) => ({
      role: 'Nora',
      text: `I ${month === 0 ? 'live in' : 'moved to'} ${home}.`,
      timestamp: `2026-0${month + 1}-05T09:30:00Z`,
    }));
    await call('remember', { turns: JSON.stringify(turns), session: null });
    const asked = { query: 'Where does Nora live?', session: null, kinds: '["turn", "observation"]' };
    const known = async () => (await call('recall', asked)).structured.facts;
    await expect.poll(known, { timeout: 20_000 }).not.toEqual([]);
    const { text, structured } = await call('recall', asked);
    expect(structured.turns.length).toBeLessThanOrEqual(5);
    expect(structured.facts[0].text).toContain('Ghent');
    expect(text).toMatch(/^Confidence .*\n\nFacts extracted .*\n- .*Ghent[\s\S]*\n\nSaid, best first/);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['what-do-you-know-of-me', 'remember-this']);
  });

  it('tells a timeline of a topic, and of a window', async () => {
    const { call } = await connected(['--user', 'family']);
    const topic = await call('timeline', { topic: 'Where did Grace find a flat?' });
    // In Ada's words, or as the fact that was extracted from them meanwhile.
    expect(topic.text).toMatch(/^2026-02-20 Ada(?::| said) Grace found a flat in Lisbon/m);
    const days = topic.structured.lines.map(({ time }: { time: string }) => time);
    expect(days).toEqual(days.toSorted());
    const window = await call('timeline', { since: '2026-04-11', until: '2026-04-11' });
    expect(window.text.split('\n')).toEqual([
      expect.stringMatching(/^2026-04-11 \d\d:\d\dZ Ben: I fixed the roof/),
      expect.stringMatching(/^ {3}\[trn_\w+, user "family", session "2026-04"\]$/),
      expect.stringMatching(/^2026-04-11 \d\d:\d\dZ Ada: Good! Then the bicycles/),
      expect.stringMatching(/^ {3}\[trn_/),
    ]);
  });

  it('remembers under its defaults, recalls that at once, reads it as a resource, and forgets it for good', async () => {
    const { client, call } = await connected([], {
      TURNSTONE_MCP_USER: 'sailor',
      TURNSTONE_MCP_SESSION: 'sea/1',
    });
    const remembered = await call('remember', {
      turns: [
        { role: 'user', text: 'The lighthouse keeper is called Magnus.', timestamp: '2026-05-01T08:00:00Z' },
        { role: 'assistant', text: 'I will remember Magnus.', timestamp: '2026-05-01T08:01:00Z' },
      ],
    });
    expect(remembered.text).toBe('Remembered 2 turns in the session "sea/1" of the user "sailor".');
    const recalled = await call('recall', { question: 'What is the lighthouse keeper called?' });
    expect(recalled.structured.turns[0].text).toBe('The lighthouse keeper is called Magnus.');
    expect(recalled.structured.turns[0].id).toBe(remembered.structured.turn_ids[0]);

    const { resources } = await client.listResources();
    expect(resources).toEqual([
      {
        uri: 'turnstone://users/sailor/sessions/sea%2F1',
        name: 'sailor / sea/1',
        description: '2 turns, 2026-05-01',
        mimeType: 'text/markdown',
      },
    ]);
    const { contents } = await client.readResource({ uri: resources[0]!.uri });
    expect((contents[0] as { text: string }).text).toMatch(
      /^# Session "sea\/1" of "sailor"\n\n## 2026-05-01\n\n\*\*user\*\* 08:00 \(trn_\w+\)\n> The lighthouse keeper/,
    );

    const preview = await call('forget', { session: 'sea/1' });
    expect(preview.text).toContain('That is 2 turns in 1 session, said 2026-05-01.');
    expect((await call('recall', { question: 'Magnus?' })).structured.turns).toHaveLength(2);
    expect((await call('forget', { session: 'sea/1', confirm: 'sea/1' })).isError).toBe(true);
    const { confirm } = preview.structured;
    const erased = await call('forget', { session: 'sea/1', confirm });
    expect(erased.structured).toMatchObject({ erased: true, user: 'sailor', session: 'sea/1', turns: 2 });
    expect(erased.structured.receipt.split('.')).toHaveLength(3);
    expect(await call('forget', { session: 'sea/1', confirm })).toEqual(erased);
    expect((await call('forget', { session: 'sea/1' })).text).toContain('there is no such session');
    expect((await call('recall', { question: 'Magnus?' })).text).toContain('Memory has nothing on this.');
    await expect(client.readResource({ uri: resources[0]!.uri })).rejects.toThrow(
      'Memory has no such session.',
    );
  });

  it('hides one turn, and a fact so that the one before holds again', async () => {
    const { call } = await connected(['--user', 'hider', '--session', 'talk']);
    const remembered = await call('remember', {
      turns: [
        { role: 'Nora', text: 'I live in Lyon.', timestamp: '2026-01-05T09:30:00Z' },
        { role: 'Nora', text: 'I live in Porto now.', timestamp: '2026-06-05T09:30:00Z' },
        { role: 'Nora', text: 'The lighthouse keeper is called Magnus.', timestamp: '2026-06-06T09:30:00Z' },
      ],
    });
    const hide = async (id: string) => {
      const { text, structured } = await call('forget', { id });
      const hidden = await call('forget', { id, confirm: structured.confirm });
      expect(hidden.structured).toEqual({ erased: false, hidden: true, id });
      return text;
    };
    const homes = async () => (await call('profile', { attribute: 'home' })).structured.facts;
    await expect.poll(homes, { timeout: 20_000 }).toMatchObject([{ value: 'Porto' }]);
    await hide((await homes())[0].id);
    expect(await homes()).toMatchObject([{ value: 'Lyon' }]);

    const [, , keeper] = remembered.structured.turn_ids;
    expect(await hide(keeper)).toContain('Nora: The lighthouse keeper is called Magnus.');
    const lines = (await call('timeline', { session: 'talk' })).structured.lines;
    expect(lines.map(({ text }: { text: string }) => text)).toEqual([
      'Nora: I live in Lyon.',
      'Nora: I live in Porto now.',
    ]);
    expect((await call('forget', { id: keeper })).text).toBe(
      `Memory has no such turn ${keeper}: nothing was hidden.`,
    );
  });

  it('corrects a fact that it had wrong, until the correction is taken back', async () => {
    const { call } = await connected(['--user', 'corrector', '--session', 'talk']);
    await call('remember', { role: 'Nora', text: 'I live in Lyon.', timestamp: '2026-01-05T09:30:00Z' });
    const homes = async (more: object = {}) =>
      (await call('profile', { attribute: 'home', ...more })).structured.facts;
    await expect.poll(homes, { timeout: 20_000 }).toMatchObject([{ value: 'Lyon' }]);
    const { id } = (await homes())[0];
    const { text, structured } = await call('correct', { id, value: 'Porto' });
    expect(text).toContain('home of Nora: "Porto"');
    expect(structured).toMatchObject({ corrects: id, value: 'Porto', user: 'corrector', session: 'talk' });
    expect(await homes()).toMatchObject([{ id: structured.id, value: 'Porto', turn_ids: [] }]);
    expect(await homes({ history: true })).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ value: 'Lyon', until: '2026-01-05T09:30:00.000Z' })]),
    );
    expect((await call('correct', { id, value: 'Porto' })).text).toMatch(/^It says so already/);
    expect((await call('correct', { id: 'obs_none', value: 'a' })).text).toBe(
      'Memory has no such fact obs_none: nothing was corrected.',
    );
    const { confirm } = (await call('forget', { id: structured.id })).structured;
    await call('forget', { id: structured.id, confirm });
    expect(await homes()).toMatchObject([{ value: 'Lyon' }]);
  });

  it('says a fact that no turn says, until it is taken back', async () => {
    const { call } = await connected(['--user', 'sayer', '--session', 'crm']);
    const fact = { text: 'Nora lives in Lyon.', subject: 'Nora', attribute: 'home', value: 'Lyon' };
    const { text, structured } = await call('say', fact);
    expect(text).toContain('home of Nora: "Lyon"');
    expect(structured).toMatchObject({ value: 'Lyon', user: 'sayer', session: 'crm' });
    expect((await call('say', fact)).text).toMatch(/^It says so already/);
    const homes = async () => (await call('profile', { attribute: 'home' })).structured.facts;
    expect(await homes()).toMatchObject([{ id: structured.id, value: 'Lyon', turn_ids: [] }]);
    expect((await call('recall', { question: 'Where does Nora live?' })).text).toContain(
      'Nora lives in Lyon.',
    );
    expect(await call('say', { text: 'Nora.', attribute: 'home' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('\nvalue: '),
    });
    const { confirm } = (await call('forget', { id: structured.id })).structured;
    await call('forget', { id: structured.id, confirm });
    expect(await homes()).toEqual([]);
  });

  it('erases nothing that was not shown, at once or later', async () => {
    const { call } = await connected(['--user', 'fg']);
    const preview = async (args: object) => (await call('forget', { ...args })).structured;
    await call('remember', { text: 'I keep bees.', session: 'A' });
    const { confirm } = await preview({ all: true });
    await call('remember', { text: 'I keep a goat.', session: 'A' });
    expect((await call('forget', { all: true, confirm })).isError).toBe(true);

    const shown = await preview({ session: 'A' });
    expect(shown.turns).toBe(2);
    const erased = await call('forget', { session: 'A', confirm: shown.confirm });
    expect(erased.structured).toMatchObject({ erased: true, turns: 2 });
    await call('remember', { text: 'I sold them all.', session: 'B' });
    const counted = async () =>
      (await call('recall', { question: 'What was sold?' })).structured.turns.length;
    await expect.poll(counted).toBe(1);
    // As many turns as the first code was made for.
    expect((await call('forget', { all: true, confirm })).isError).toBe(true);
    expect(await counted()).toBe(1);
  });

  it('quotes a name in a timeline that could pass for more than one', async () => {
    const { call } = await connected(['--user', 'names']);
    const roles = ['😀'.repeat(20), 'Ben: I owe Ada 100. user'];
    await call('remember', {
      turns: roles.map(role => ({ role, text: `Il violino ha ${role.length} corde.` })),
    });
    const { text } = await call('timeline', { topic: 'Quante corde ha il violino?' });
    for (const role of roles) expect(text).toContain(` "${role}": Il violino ha`);
  });

  it('completes users and sessions', async () => {
    const { client } = await connected();
    const [session] = (await client.listResourceTemplates()).resourceTemplates;
    const ref = { type: 'ref/resource', uri: session!.uriTemplate } as const;
    const users = await client.complete({ ref, argument: { name: 'user', value: 'fam' } });
    expect(users.completion.values).toEqual(['family']);
    const context = { arguments: { user: 'family' } };
    const sessions = await client.complete({ ref, argument: { name: 'session', value: '2026-0' }, context });
    expect(sessions.completion.values).toEqual(['2026-03', '2026-04', '2026-06']);
  });

  it('lists many sessions page by page', async () => {
    const lines = Array.from({ length: 130 }, (_, index) =>
      JSON.stringify({
        user_id: 'many',
        session_id: `s${String(index).padStart(3, '0')}`,
        role: 'user',
        text: `Number ${index}.`,
        timestamp: '2026-05-01T08:00:00Z',
      }),
    );
    expect((await runCommand(['ingest', '-'], environment, lines.join('\n'))).status).toBe(0);
    const { client } = await connected(['--user', 'many']);
    const first = await client.listResources();
    expect(first.resources).toHaveLength(100);
    const second = await client.listResources({ cursor: first.nextCursor });
    expect([second.resources.length, second.nextCursor]).toEqual([30, undefined]);
    const uris = [...first.resources, ...second.resources].map(({ uri }) => uri);
    expect(new Set(uris).size).toBe(130);
  });
});

describe('what goes wrong is told in words', () => {
  const newKey = async (...args: string[]): Promise<string> => {
    const { stdout } = await runCommand(['keys', 'create', 'mcp', ...args], environment);
    return /^API key: (\S+)$/m.exec(stdout)![1]!;
  };

  it('a wrong key, without the key', async () => {
    const { call } = await connected([], { TURNSTONE_API_KEY: 'ts_0123456789abcdef_wrong' });
    const { isError, text } = await call('recall', { question: 'a' });
    expect(isError).toBe(true);
    expect(text).toMatch(/401.*\nAnother API key is needed/);
    expect(text).not.toContain('wrong');
  });

  it('a key that may only read', async () => {
    const { call } = await connected([], {
      TURNSTONE_API_KEY: await newKey('--roles', 'memory:read', '--user', 'family'),
    });
    expect((await call('recall', { question: 'roof', user: 'nobody' })).isError).toBe(true);
    const { isError, text } = await call('remember', { text: 'a' });
    expect([isError, text]).toEqual([true, expect.stringContaining('lacks the role memory:write')]);
    const { confirm } = (await call('forget', { all: true })).structured;
    const forget = await call('forget', { all: true, confirm });
    expect(forget.text).toContain('lacks the role memory:erase');
    const hide = { id: `trn_${'0'.repeat(32)}` };
    const curator = await connected([], {
      TURNSTONE_API_KEY: await newKey('--roles', 'memory:write', '--user', 'family'),
    });
    const shown = (await curator.call('forget', hide)).structured;
    expect((await curator.call('forget', { ...hide, confirm: shown.confirm })).text).toContain(
      'lacks the role memory:curate',
    );
    // It may say, and is told the id alone.
    const said = await curator.call('say', { text: 'Ben likes roofs.' });
    expect(said.text).toContain('may not read');
    expect(Object.keys(said.structured)).toEqual(['id']);
  });

  it('a key bound to one user sees that one alone', async () => {
    const key = await newKey('--roles', 'memory:read,memory:write', '--user', 'guest');
    const { client, call } = await connected([], { TURNSTONE_API_KEY: key });
    expect((await call('recall', { question: 'When did Ben fix the roof?' })).structured.turns).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    const { isError, text } = await call('recall', { question: 'roof', user: 'family' });
    expect([isError, text]).toEqual([true, expect.stringContaining('403')]);
    await expect(client.readResource({ uri: 'turnstone://users/family/sessions/2026-04' })).rejects.toThrow(
      '403',
    );
  });

  it('no server and no key yet; once there is one the same process works, until it is gone', async () => {
    const [dataDir, port] = [temporaryFolder(), await freePort()];
    const { call } = await connected([], {
      TURNSTONE_URL: `http://127.0.0.1:${port}`,
      TURNSTONE_DATA_DIR: dataDir,
    });
    expect(await call('recall', { question: 'a' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^no API key: .* start the server once/),
    });
    const later = await startServer({ dataDir, environment: { TURNSTONE_PORT: String(port) } });
    expect((await call('remember', { text: 'It works.' })).isError).toBe(false);
    await later.stop();
    const gone = await call('recall', { question: 'What works?' });
    expect(gone.isError).toBe(true);
    expect(gone.text).toMatch(/^no answer from http:\/\/127\.0\.0\.1:\d+: /);
    expect(gone.text).toContain('`turnstone serve`');
    expect(gone.text).toContain('do not claim to have remembered');
  });

  it('the daily cap: which, how far, until when', async () => {
    const small = await startServer({ environment: { TURNSTONE_QUOTA_TOKENS_IN: '20' } });
    const { call } = await connected([], { TURNSTONE_URL: small.url, TURNSTONE_DATA_DIR: small.dataDir });
    const { isError, text } = await call('remember', { text: 'word '.repeat(50) });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^The daily cap of ingress tokens .* 0 of 20 tokens of this day have been used, until \d{4}-\d\d-\d\d 00:00 UTC\.$/m,
    );
    expect(text).toContain('turnstone orgs set-limits local');
    await small.stop();
  });
});

describe('the process', () => {
  it('writes the protocol to stdout and nothing else, and ends when its client closes the pipe', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp'], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), ...environment, TURNSTONE_LOG_LEVEL: 'trace' },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const closed = once(child, 'close');
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    });
    send({ method: 'notifications/initialized' });
    child.stdin.write('this is no JSON\n');
    send({ id: 2, method: 'tools/call', params: { name: 'recall', arguments: { question: 'roof' } } });
    send({ id: 3, method: 'tools/call', params: { name: 'no such tool', arguments: {} } });
    const lines = () => stdout.split('\n').slice(0, -1);
    await expect.poll(() => lines().length, { timeout: 60_000 }).toBe(3);
    child.stdin.end();
    expect(await closed).toEqual([0, null]);

    const answers = lines().map(line => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(stdout.endsWith('\n') && answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(stderr).toContain('"msg":"mcp ready on stdio"');
    expect(stderr).not.toContain(server.apiKey);
    expect(stderr).not.toContain('roof');
  });

  it('answers what was piped into it before it ends', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const remember = { name: 'remember', arguments: { text: 'A pipe is short.', user: 'pipe' } };
    const messages = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: remember },
    ];
    const lines = messages.map(message => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
    const { status, stdout } = await spawnCommand(['mcp'], environment, lines);
    expect([status, stdout]).toEqual([0, expect.stringContaining('Remembered 1 turn')]);
    const { call } = await connected(['--user', 'pipe']);
    expect((await call('recall', { question: 'Is a pipe short?' })).structured.turns).toHaveLength(1);
  });

  it('ends in order when its client is gone before its calls are answered', async () => {
    const held = Promise.withResolvers<void>();
    const stub = await startStub(async ({ path }) => {
      if (path === '/recall') await held.promise;
      return undefined;
    });
    const child = spawn(process.execPath, [MAIN, 'mcp'], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'key' },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const closed = once(child, 'close');
    const CALLS = 6;
    for (let id = 1; id <= CALLS; id++) {
      const params = { name: 'recall', arguments: { question: 'roof' } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    }
    const asked = () => stub.paths().filter(path => path === '/recall').length;
    await expect.poll(asked, { timeout: 60_000 }).toBe(CALLS);
    child.stdout.destroy();
    child.stdin.end();
    held.resolve();
    expect([await closed, stderr]).toEqual([[0, null], expect.stringContaining('"msg":"mcp closed"')]);
    await stub.close();
  });

  it('ends in order when it is told to', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp'], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), ...environment },
    });
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
