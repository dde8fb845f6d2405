import { afterEach, describe, expect, it } from 'vitest';
import { type Script, type StubService, startStub } from '../../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../../support/processes/command-line.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const command = async (script: Script, ...args: string[]) => {
  stub = await startStub(script);
  return runCommand(['names', ...args], { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};

const idOf = (n: number): string => `ent_${String(n).padStart(24, '0')}`;
const melanie = {
  id: idOf(1),
  user_id: 'ada',
  label: 'Melanie',
  kind: 'person',
  turns: 12,
  aliases: [{ id: idOf(2), label: 'Mel', turns: 3, rule: 'short_form', matched: 'Melanie' }],
};
const rex = { id: idOf(3), user_id: 'ada', label: 'Rex', kind: 'animal', turns: 1, aliases: [] };
const other = { ...rex, id: idOf(4), label: 'rex' };

/** A list of two pages, and a corrected entity. */
const world =
  (more: object[] = []): Script =>
  ({ method, path }) => {
    if (method === 'PATCH')
      return path.startsWith('/memory/sessions/')
        ? { status: 200, body: { title: path.includes('monday') ? 'Soup' : null } }
        : { status: 200, body: melanie };
    if (!path.startsWith('/memory/entities')) return undefined;
    return path.includes('cursor=next')
      ? { status: 200, body: { entities: [rex, ...more], next_cursor: null } }
      : { status: 200, body: { entities: [melanie], next_cursor: 'next' } };
  };
const patched = () =>
  stub!.seen.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body]);

describe('turnstone names', () => {
  it('lists entities with all of their names', async () => {
    const { status, stdout } = await command(world(), 'list', '--user', 'ada');
    expect([status, stdout]).toEqual([
      0,
      [
        'name     kind    turns  also  id',
        `Melanie  person     12  Mel   ${idOf(1)}`,
        `Rex      animal      1        ${idOf(3)}`,
        '',
      ].join('\n'),
    ]);
    expect(stub!.paths().filter(path => path.startsWith('/memory'))[0]).toBe(
      '/memory/entities?user_id=ada&limit=200',
    );
    const json = await command(world(), 'list', '--user', 'ada', '--json');
    expect(JSON.parse(json.stdout).entities).toHaveLength(2);
  });

  it.each([
    [['rename', 'mel', 'Nell'], idOf(2), { label: 'Nell' }],
    [['merge', 'Rex', 'Melanie'], idOf(3), { merge_into: idOf(1) }],
    [['split', 'Melanie', 'Mel', idOf(9)], idOf(1), { split: [idOf(2), idOf(9)] }],
    [['rename', idOf(7), 'Nell'], idOf(7), { label: 'Nell' }],
    [
      ['split', 'Rex', '--session', 'work', '--session', 'club', '--as', 'Rex II'],
      idOf(3),
      {
        split: [
          { session_id: 'work', label: 'Rex II' },
          { session_id: 'club', label: 'Rex II' },
        ],
      },
    ],
  ])('corrects: %j', async (args, id, body) => {
    expect(await command(world(), ...args, '--user', 'a b')).toEqual({
      status: 0,
      stdout: 'Melanie, also Mel\n',
      stderr: '',
    });
    expect(patched()).toEqual([[`/memory/entities/${id}?user_id=a+b`, body]]);
  });

  it.each([
    [['split', 'Melanie'], /either other names of it, or sessions/],
    [['split', 'Melanie', 'Mel', '--session', 'work'], /either other names of it, or sessions/],
    [['split', 'Melanie', 'Mel', '--as', 'Nell'], /--as needs a session/],
    [['me', 'Ada', '--none'], /--none takes no names/],
  ])('refuses %j', async (args, reason) => {
    const { status, stderr } = await command(world(), ...args, '--user', 'ada');
    expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
    expect(patched()).toEqual([]);
  });

  it("shows, sets and removes the user's own names", async () => {
    const own: Script = ({ method, path, body }) =>
      path.startsWith('/memory/users/')
        ? {
            status: 200,
            body: {
              names: method === 'PUT' ? (body as { names: string[] }).names : ['Ada'],
              suggested_names: ['Countess'],
            },
          }
        : undefined;
    const printed = async (...args: string[]) => (await command(own, 'me', ...args, '--user', 'a b')).stdout;
    expect(await printed()).toBe('Names: Ada\nSuggested: Countess\n');
    expect(await printed('Ada', 'Ada L.')).toBe('Names: Ada, Ada L.\nSuggested: Countess\n');
    expect(stub!.seen.at(-1)).toMatchObject({
      path: '/memory/users/a%20b',
      body: { names: ['Ada', 'Ada L.'] },
    });
    expect(await printed('--none')).toBe('Names: none\nSuggested: Countess\n');
  });

  it('says what is called nothing, or by two, and changes nothing', async () => {
    const { status, stderr } = await command(world([other]), 'merge', 'nobody', 'REX', '--user', 'ada');
    expect([status, stderr]).toEqual([
      1,
      `turnstone: nothing is called nobody; REX is one of ${idOf(3)}, ${idOf(4)}; nothing was changed\n`,
    ]);
    expect(patched()).toEqual([]);
  });

  it('titles a session, and removes its title', async () => {
    expect((await command(world(), 'title', 'monday/1', 'Soup', '--user', 'ada')).stdout).toBe(
      'monday/1: Soup\n',
    );
    expect(patched()).toEqual([['/memory/sessions/monday%2F1?user_id=ada', { title: 'Soup' }]]);
    expect((await command(world(), 'title', 'friday', '--user', 'ada')).stdout).toBe('friday has no title\n');
    expect(patched()).toEqual([['/memory/sessions/friday?user_id=ada', { title: null }]]);
  });

  it('wants a user where the key may name any', async () => {
    expect(await command(world(), 'rename', 'Mel', 'Nell')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--user is required'),
    });
    expect((await command(world(), 'rename', 'Mel')).status).toBe(2);
  });
});
