/** The plug-in as Claude Code installs and calls it: a copied folder, and JSON on the stdin of its hooks. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Turnstone } from '@turnstone/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMisbehavingServer } from '../clients/misbehaving-server.ts';
import { callerOver } from '../support/http/mcp.ts';
import { spawnProgram } from '../support/processes/command-line.ts';
import { MAIN, ROOT, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { itRemembers } from './shared.ts';

const PLUGIN = join(temporaryFolder(), 'turnstone');
cpSync(join(ROOT, 'integrations/claude-code'), PLUGIN, { recursive: true });
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
const read = (file: string) => JSON.parse(readFileSync(join(PLUGIN, file), 'utf8'));
const HOOKS: Record<string, { hooks: { type: string; command: string; timeout: number }[] }[]> =
  read('hooks/hooks.json').hooks;

let server: Server;
let turnstone: Turnstone;
beforeAll(async () => {
  server = await startServer();
  turnstone = new Turnstone({ baseUrl: server.url, apiKey: server.apiKey });
});
afterAll(() => server.stop());

const options = (user: string, more: Record<string, string> = {}): Record<string, string> => ({
  CLAUDE_PLUGIN_OPTION_URL: server.url,
  CLAUDE_PLUGIN_OPTION_API_KEY: server.apiKey,
  CLAUDE_PLUGIN_OPTION_USER: user,
  ...more,
});

/** Runs the hooks of an event with the members that every event has, and returns what the last one wrote. */
const fire = async (event: string, members: object, settings: Record<string, string>) => {
  const stdin = JSON.stringify({
    session_id: '00893aaf-19fa-41d2-8238-13269b9b3ca0',
    transcript_path: '/home/ada/.claude/projects/barn/00893aaf.jsonl',
    cwd: '/home/ada/barn',
    permission_mode: 'default',
    hook_event_name: event,
    ...members,
  });
  let output = '';
  for (const { hooks } of HOOKS[event]!)
    for (const { command } of hooks) {
      const environment = { PATH, CLAUDE_PLUGIN_ROOT: PLUGIN, ...settings };
      const ended = await spawnProgram('sh', ['-c', command], { environment, stdin, cwd: temporaryFolder() });
      expect([ended.status, ended.stderr]).toEqual([0, '']);
      output = ended.stdout;
    }
  return JSON.parse(output);
};
const contextOf = ({ hookSpecificOutput }: { hookSpecificOutput?: { additionalContext: string } }): string =>
  hookSpecificOutput?.additionalContext ?? '';

describe('the hooks', () => {
  itRemembers(
    () => server,
    user => ({
      say: async (session_id, prompt) => {
        const output = await fire('UserPromptSubmit', { session_id, prompt }, options(user));
        const answer = { session_id, stop_hook_active: false, last_assistant_message: 'Noted.' };
        expect(await fire('Stop', answer, options(user))).toEqual({});
        return contextOf(output);
      },
    }),
  );

  it('tell Claude what earlier sessions say when a session begins', async () => {
    const started = (user: string) => fire('SessionStart', { source: 'startup', model: 'm' }, options(user));
    expect(await started('lea')).toEqual({});
    const decided = 'We decided to keep the hens in the barn, and what is left to do is the roof.';
    await fire('UserPromptSubmit', { session_id: 'past', prompt: decided }, options('lea'));
    const output = await started('lea');
    expect(output).toEqual({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('hens'),
      },
    });
  });

  it('store under the session, with the project and the offset of the machine, and nothing that is empty', async () => {
    const settings = options('kim', { TZ: 'America/New_York' });
    await fire('UserPromptSubmit', { prompt: 'The barn needs paint.' }, settings);
    await fire('UserPromptSubmit', { prompt: ' \n' }, settings);
    await fire('Stop', { stop_hook_active: false }, settings);
    const turns = await Array.fromAsync(
      turnstone.memory.turns({ user: 'kim', filter: { key: 'project', eq: 'barn' } }),
    );
    expect(turns).toMatchObject([
      { role: 'user', text: 'The barn needs paint.', session_id: '00893aaf-19fa-41d2-8238-13269b9b3ca0' },
    ]);
    expect([-300, -240]).toContain(turns[0]!.utc_offset);
    expect(Math.abs(Date.now() - Date.parse(turns[0]!.timestamp))).toBeLessThan(120_000);
  });

  it('have the variables of the command line as their settings where the plug-in has none', async () => {
    const settings = {
      TURNSTONE_URL: `${server.url}/`,
      TURNSTONE_API_KEY: server.apiKey,
      TURNSTONE_USER: 'nat',
    };
    await fire('UserPromptSubmit', { session_id: 's', prompt: 'I keep owls.' }, settings);
    await fire(
      'Stop',
      { session_id: 's', last_assistant_message: 'Noted.' },
      {
        ...settings,
        claude_plugin_option_user: 'ned',
      },
    );
    const of = async (user: string) =>
      (await Array.fromAsync(turnstone.memory.turns({ user }))).map(({ text }) => text);
    expect([await of('nat'), await of('ned')]).toEqual([['I keep owls.'], ['Noted.']]);
  });

  it('let Claude Code work on without memory, and say so once, where a session begins', async () => {
    const silent = await startMisbehavingServer();
    silent.script({ answers: { 'POST /recall': [{ silent: true }] } });
    try {
      for (const [why, settings] of [
        ['it is unreachable at http://127.0.0.1:9', { CLAUDE_PLUGIN_OPTION_URL: 'http://127.0.0.1:9' }],
        ['it did not answer in time', { CLAUDE_PLUGIN_OPTION_URL: silent.url }],
        ['it answered 401', { CLAUDE_PLUGIN_OPTION_API_KEY: 'ts_0123456789abcdef_secret' }],
        ['there is no API key', { CLAUDE_PLUGIN_OPTION_API_KEY: '' }],
      ] as const) {
        const { systemMessage, ...rest } = await fire(
          'SessionStart',
          { source: 'startup' },
          options('max', settings),
        );
        expect([rest, systemMessage]).toEqual([{}, expect.stringContaining(why)]);
        expect(systemMessage).not.toMatch(/secret/);
      }
    } finally {
      await silent.close();
    }
    const gone = options('max', { CLAUDE_PLUGIN_OPTION_URL: 'http://127.0.0.1:9' });
    expect(await fire('UserPromptSubmit', { prompt: 'Hello?' }, gone)).toEqual({});
    expect(await fire('Stop', { last_assistant_message: 'Hello.' }, gone)).toEqual({});
  });

  it('end before Claude Code gives them up', () => {
    const hooks = Object.values(HOOKS).flatMap(groups => groups.flatMap(group => group.hooks));
    expect(hooks.map(({ type }) => type)).toEqual(['command', 'command', 'command']);
    // Two seconds for a recall and five for a write, at most.
    for (const { timeout } of hooks) expect(timeout).toBeGreaterThan(7);
  });
});

describe('the folder', () => {
  it('is a plug-in and a marketplace with that plug-in', () => {
    const { name, version, userConfig } = read('.claude-plugin/plugin.json');
    expect([name, version]).toEqual([
      'turnstone',
      JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
    ]);
    expect(Object.keys(userConfig)).toEqual(['url', 'api_key', 'user']);
    expect(userConfig.api_key.sensitive).toBe(true);
    const { plugins } = read('.claude-plugin/marketplace.json');
    expect(plugins).toMatchObject([{ name, source: './' }]);
  });

  it('has a skill whose tools exist, and a server that offers them', async () => {
    const skill = readFileSync(join(PLUGIN, 'skills/memory/SKILL.md'), 'utf8');
    expect(skill).toMatch(/^---\nname: memory\ndescription: .+\n---\n/);
    const { command, args, env } = read('.mcp.json').mcpServers.turnstone;
    const config: Record<string, string> = { url: server.url, api_key: server.apiKey, user: 'mia' };
    const filled = (text: string): string =>
      text.replace(/\$\{user_config\.(\w+)\}/g, (_, key) => config[key]!);
    const bin = temporaryFolder();
    const script = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
    writeFileSync(join(bin, 'turnstone'), script, { mode: 0o755 });
    const { client, call } = await callerOver(
      new StdioClientTransport({
        command,
        args: args.map(filled),
        env: {
          PATH: [bin, PATH].join(delimiter),
          ...Object.fromEntries(Object.entries<string>(env).map(([name, value]) => [name, filled(value)])),
        },
        stderr: 'ignore',
      }),
    );
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    const named = [...skill.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter(name => !tools.includes(name))).toEqual([]);
    expect((await call('remember', { text: 'I keep owls.' })).text).toContain('of the user "mia"');
    await client.close();
  });
});
