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
  return runCommand(args, { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};

const users = ['ada', 'ben\u001b[2J', 'cy'].map((user_id, n) => ({
  user_id,
  sessions: n + 1,
  turns: 1_000 * n,
  last_at: n === 0 ? null : `2026-01-0${n}T09:30:59.000Z`,
}));

/** Pages of as many as are asked for. */
const listed: Script = ({ path }) => {
  const { pathname, searchParams } = new URL(path, 'http://x');
  if (pathname !== '/memory/users') return undefined;
  const from = Number(searchParams.get('cursor') ?? 0);
  const to = from + Number(searchParams.get('limit'));
  return {
    status: 200,
    body: { users: users.slice(from, to), next_cursor: to < users.length ? String(to) : null },
  };
};

describe('turnstone users', () => {
  it('prints a table, without control characters', async () => {
    const { status, stdout, stderr } = await command(listed, 'users');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'user     sessions  turns  last (UTC)',
      'ada             1      0',
      'ben [2J         2  1,000  2026-01-01 09:30',
      'cy              3  2,000  2026-01-02 09:30',
      '',
    ]);
  });

  it('reads no more than is asked for, and says that there are more', async () => {
    const { stdout, stderr } = await command(listed, 'users', '--limit', '2', '--json');
    expect(JSON.parse(stdout)).toEqual({ users: users.slice(0, 2) });
    expect(stub!.paths().filter(path => path.startsWith('/memory'))).toEqual(['/memory/users?limit=2']);
    expect(stderr).toBe('');
    await stub!.close();
    const table = await command(listed, 'users', '--limit', '2');
    expect(table.stderr).toContain('the first 2; --limit lists more');
  });

  it('says why each was found where words are asked for', async () => {
    const found = [
      { ...users[0], match: { score: 0.5, by: 'name', text: 'Ada\u001b[2J Lovelace' } },
      { ...users[2], match: { score: 0.1, by: 'id' } },
    ];
    const { stdout } = await command(
      ({ path }) =>
        path.startsWith('/memory/users')
          ? { status: 200, body: { users: found, next_cursor: null } }
          : undefined,
      ...['users', '--q', 'ada l'],
    );
    expect(stub!.paths()).toContain('/memory/users?limit=50&q=ada+l');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'user  sessions  turns  last (UTC)        found',
      'ada          1      0                    name: Ada [2J Lovelace',
      'cy           3  2,000  2026-01-02 09:30  id',
    ]);
  });

  it('reads all pages', async () => {
    const { stdout } = await command(
      request => {
        const answer = listed(
          { ...request, path: request.path.replace('limit=50', 'limit=1') },
          Promise.resolve(),
        );
        return answer;
      },
      'users',
      '--json',
    );
    expect(JSON.parse(stdout)).toEqual({ users });
  });
});

describe('turnstone sessions', () => {
  it('prints titles and times of a user', async () => {
    const session = {
      user_id: 'ada',
      session_id: 'monday',
      title: 'The move to Lyon',
      turns: 31,
      first_at: '2026-01-05T09:30:00.000Z',
      last_at: '2026-01-05T10:02:00.000Z',
    };
    const untitled = { ...session, session_id: 'tuesday', title: null };
    const { stdout } = await command(
      ({ path }) =>
        path.startsWith('/memory/sessions')
          ? { status: 200, body: { sessions: [session, untitled], next_cursor: null } }
          : undefined,
      'sessions',
      '--user',
      'ada',
    );
    expect(stub!.paths()).toContain('/memory/sessions?limit=50&user_id=ada');
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      'ada   monday   The move to Lyon     31  2026-01-05 09:30  2026-01-05 10:02',
      'ada   tuesday                       31  2026-01-05 09:30  2026-01-05 10:02',
    ]);
  });

  it('says so where nothing is stored', async () => {
    const nothing: Script = ({ path }) =>
      path.startsWith('/memory/sessions')
        ? { status: 200, body: { sessions: [], next_cursor: null } }
        : undefined;
    expect((await command(nothing, 'sessions')).stdout).toBe('Nothing is stored.\n');
    await stub!.close();
    expect((await command(nothing, 'sessions', '--q', 'roof')).stdout).toBe('Nothing has these words.\n');
  });
});
