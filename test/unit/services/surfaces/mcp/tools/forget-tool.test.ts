import { beforeEach, describe, expect, it } from 'vitest';
import { answering, toolsOnStub } from '../../../../../support/http/mcp-tools.ts';
import type { Script } from '../../../../../support/http/stub-service.ts';

const { connected, paths, seen } = toolsOnStub();

describe('forget', () => {
  const session = (id: string, turns: number) => ({
    user_id: 'ada',
    session_id: id,
    turns,
    first_at: '2026-04-02T09:30:00.000Z',
    last_at: '2026-04-05T09:30:00.000Z',
  });
  const turnsOf = ({ user_id, session_id, turns, first_at, last_at }: ReturnType<typeof session>) =>
    Array.from({ length: turns }, (_, index) => ({
      id: `${session_id}-${index}-${writing}`,
      user_id,
      session_id,
      timestamp: index === 0 ? first_at : last_at,
    }));
  let stored: ReturnType<typeof session>[];
  /** Another one makes other turns of the same number. */
  let writing: number;
  /** The turns that the sessions' numbers do not show yet. */
  let fresh: { id: string; session_id: string; timestamp: string }[];
  let more: string | null;
  beforeEach(() => {
    stored = [session('monday', 1_200), session('tuesday', 34)];
    writing = 1;
    fresh = [];
    more = null;
  });
  const listedTurns = (path: string) => {
    const query = new URLSearchParams(path.split('?')[1]);
    const [named, from] = [query.get('session_id'), Number(query.get('cursor') ?? 0)];
    const far = named === 'far' ? turnsOf(session('far', 1)) : [];
    const all = [...fresh, ...stored.flatMap(turnsOf), ...far];
    const found = all.filter(({ session_id }) => named === null || session_id === named);
    const to = from + Number(query.get('limit'));
    return { turns: found.slice(from, to), next_cursor: to < found.length ? String(to) : more };
  };
  const erased = { turns: 1_200, observations: 1, entities: 0, sessions: 1 };
  const script: Script = ({ method, path }) => {
    if (path.startsWith('/memory/sessions')) {
      const page = path.includes('cursor=') ? ` ${seen().length}` : '';
      const sessions = stored.map(one => ({ ...one, session_id: one.session_id + page }));
      return { status: 200, body: { sessions, next_cursor: more } };
    }
    if (path.startsWith('/memory/turns')) return { status: 200, body: listedTurns(path) };
    if (method === 'DELETE')
      return {
        status: 200,
        body: { erased, erased_at: '2026-04-09T00:00:00.000Z', receipt: 'eyJ.eyJ.sig' },
      };
    return undefined;
  };
  const deletions = () =>
    seen()
      .filter(({ method }) => method === 'DELETE')
      .map(({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1])));

  it('first tells what it would erase and a code, then erases that alone', async () => {
    const { call } = await connected(script, { user: 'ada', session: 'now' });
    const first = await call('forget', { session: 'monday' });
    const { confirm } = first.structured;
    expect(first.text).toBe(
      'Nothing has been erased yet. This would erase the session "monday" of the user "ada", for good.' +
        ' That is 1,200 turns in 1 session, said 2026-04-02 to 2026-04-05.\n' +
        `Ask the person. If they agree, call forget again within ten minutes with the same arguments and confirm: "${confirm}"`,
    );
    expect(first.structured).toEqual({
      erased: false,
      user: 'ada',
      session: 'monday',
      turns: 1_200,
      confirm: expect.stringMatching(/^[0-9a-z]{6}-[0-9a-f]{16}$/),
    });
    expect(deletions()).toEqual([]);

    const second = await call('forget', { session: 'monday', confirm });
    expect(second.text).toMatch(
      /^Erased the session "monday" of the user "ada" at .*: 1,200 turns, 1 fact, /,
    );
    expect(second.structured).toMatchObject({ erased: true, turns: 1_200, receipt: 'eyJ.eyJ.sig' });
    expect(deletions()).toEqual([{ user_id: 'ada', session_id: 'monday' }]);
  });

  it('erases nothing without a call before that told how much it is', async () => {
    const { call } = await connected(script, { user: 'ada', session: 'now' });
    for (const args of [{ all: true }, { session: 'monday' }])
      for (const confirm of ['ada', 'monday', 'now', 'yes', '', '-', 'zzzzzz-0123456789abcdef'])
        expect(await call('forget', { ...args, confirm })).toMatchObject({
          isError: true,
          text: expect.stringContaining('This call erased nothing. Call forget without confirm'),
        });
    expect(deletions()).toEqual([]);
  });

  it('takes no code of another user, another session or all of them, of other turns or of long ago', async () => {
    let now = Date.parse('2026-04-02T09:30:00Z');
    const { call } = await connected(script, {}, undefined, () => now);
    const code = async (args: object) => (await call('forget', { ...args })).structured.confirm as string;
    const monday = { user: 'ada', session: 'monday' };
    stored = [session('monday', 1_200), session('tuesday', 1_200)];
    const ofMonday = await code(monday);
    for (const other of [
      { user: 'ada', all: true },
      { user: 'ada', session: 'tuesday' },
      { user: 'ben', session: 'monday' },
    ])
      expect(await call('forget', { ...other, confirm: ofMonday })).toMatchObject({ isError: true });
    expect(
      await call('forget', { ...monday, confirm: await code({ user: 'ada', all: true }) }),
    ).toMatchObject({
      isError: true,
    });
    stored = [session('monday', 1_201)];
    expect(await call('forget', { ...monday, confirm: ofMonday })).toMatchObject({ isError: true });
    stored = [session('monday', 1_200)];
    now += 600_000;
    expect(await call('forget', { ...monday, confirm: ofMonday })).toMatchObject({ isError: true });
    const [, signature] = ofMonday.split('-');
    const later = Math.floor(now / 1_000 + 60).toString(36);
    expect(await call('forget', { ...monday, confirm: `${later}-${signature}` })).toMatchObject({
      isError: true,
    });
    expect(deletions()).toEqual([]);
    now -= 1;
    expect(await call('forget', { ...monday, confirm: ofMonday })).toMatchObject({ isError: false });
  });

  it.each([{ all: true }, { session: 'monday' }])(
    'takes no code where as many turns as were shown are other ones: %o',
    async args => {
      const { call } = await connected(script, { user: 'ada' });
      const { confirm } = (await call('forget', args)).structured;
      writing = 2;
      expect(await call('forget', { ...args, confirm })).toMatchObject({ isError: true });
      expect(deletions()).toEqual([]);
    },
  );

  it.each([{ all: true }, { session: 'tuesday' }])(
    'counts and notices what the numbers of the sessions do not show yet: %o',
    async args => {
      const { call } = await connected(script, { user: 'ada' });
      stored = [session('tuesday', 34)];
      const early = (await call('forget', args)).structured;
      fresh = [{ id: 'new', session_id: 'tuesday', timestamp: '2026-04-07T09:30:00.000Z' }];
      expect(await call('forget', { ...args, confirm: early.confirm })).toMatchObject({ isError: true });
      const { text, structured } = await call('forget', args);
      expect(text).toContain('That is 35 turns in 1 session, said 2026-04-02 to 2026-04-07.');
      expect(deletions()).toEqual([]);
      expect((await call('forget', { ...args, confirm: structured.confirm })).isError).toBe(false);
    },
  );

  it('of more turns than it reads notices the newest at once, and others by the numbers of their sessions', async () => {
    const { call } = await connected(script, { user: 'ada' });
    stored = [session('monday', 30_000), session('tuesday', 34)];
    const { text, structured } = await call('forget', { all: true });
    expect(text).toContain('That is 30,034 turns in 2 sessions, said 2026-04-02 to 2026-04-05.');
    const turnPages = paths().filter(path => path.startsWith('/memory/turns'));
    expect(turnPages).toHaveLength(10);
    expect(turnPages.every(path => path.includes('order=desc'))).toBe(true);
    const again = { all: true, confirm: structured.confirm };
    fresh = [{ id: 'new', session_id: 'monday', timestamp: '2026-04-05T09:30:00.000Z' }];
    expect((await call('forget', again)).isError).toBe(true);
    fresh = [];
    stored = [session('monday', 30_000), session('tuesday', 33), session('wednesday', 1)];
    expect((await call('forget', again)).isError).toBe(true);
    expect(deletions()).toEqual([]);
    stored = [session('monday', 30_000), session('tuesday', 34)];
    expect((await call('forget', again)).isError).toBe(false);
  });

  it('erases what has no words to be listed', async () => {
    const { call } = await connected(script, { user: 'ada' });
    stored = [session('monday', 0)];
    const { text, structured } = await call('forget', { session: 'monday' });
    expect(text).toContain('That is 0 turns in 1 session');
    expect((await call('forget', { session: 'monday', confirm: structured.confirm })).isError).toBe(false);
  });

  it('takes a whole user only where all of it is asked for, and never the default session', async () => {
    const { call } = await connected(script, { user: 'ada', session: 'now' });
    for (const args of [{}, { all: false }, { all: true, session: 'monday' }])
      expect(await call('forget', args)).toMatchObject({
        isError: true,
        text: 'Name either a session or, for everything of the user, all: true. Nothing was erased.',
      });
    const { text, structured } = await call('forget', { all: true });
    expect((await call('forget', { confirm: structured.confirm })).isError).toBe(true);
    expect(deletions()).toEqual([]);
    expect(text).toContain(
      'everything of the user "ada", all sessions, for good. That is 1,234 turns in 2 sessions',
    );
    await call('forget', { all: true, confirm: structured.confirm });
    expect(deletions()).toEqual([{ user_id: 'ada' }]);
  });

  it('of what is not there gives no code', async () => {
    const { call } = await connected(script, { user: 'ada' });
    const none = await call('forget', { session: 'none' });
    expect(none).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is no such session, and nothing to erase'),
      structured: undefined,
    });
    stored = [];
    expect(await call('forget', { all: true })).toMatchObject({
      isError: true,
      text: 'Memory has no turns of the user "ada", so there is nothing to erase.',
    });
    expect(await call('forget', { session: 'monday', confirm: 'zzzzzz-0123456789abcdef' })).toMatchObject({
      isError: true,
    });
    expect(deletions()).toEqual([]);
  });

  it('tells whoever lost the answer of an erasure the same again, as long as the code holds', async () => {
    let now = Date.parse('2026-04-02T09:30:00Z');
    const { call } = await connected(script, { user: 'ada' }, undefined, () => now);
    const { confirm } = (await call('forget', { session: 'monday' })).structured;
    const first = await call('forget', { session: 'monday', confirm });
    stored = [session('tuesday', 34)];
    expect(await call('forget', { session: 'monday', confirm })).toEqual(first);
    expect(await call('forget', { session: 'tuesday', confirm })).toMatchObject({ isError: true });
    expect(deletions()).toHaveLength(1);
    now += 600_000;
    expect(await call('forget', { session: 'monday', confirm })).toMatchObject({ isError: true });
    expect(deletions()).toHaveLength(1);
  });

  it('says at least where there are more sessions than it counts', async () => {
    more = 'next';
    const { call } = await connected(script);
    expect((await call('forget', { user: 'ada', all: true })).text).toContain(
      'That is at least 12,340 turns in at least 20 sessions, those said 2026-04-02 to 2026-04-05.',
    );
    expect((await call('forget', { user: 'ada', session: 'far' })).text).toContain(
      'That is at least 1 turn in at least 1 session, those said 2026-04-02.',
    );
  });

  it('wants a user named by a key that may name any', async () => {
    const { call } = await connected(script);
    expect(await call('forget', { session: 'monday' })).toMatchObject({
      isError: true,
      text: 'Name the user whose memory it is. Nothing was erased.',
    });
  });

  const BOUND = { user_id: 'ada', session_id: 'tuesday', roles: ['memory:read', 'memory:write'] };

  it('means what the key is bound to when nothing is named, and says that', async () => {
    const { call } = await connected(script, {}, BOUND);
    const { text, structured } = await call('forget', {});
    expect(text).toContain('would erase the session "tuesday" of the user "ada", for good. That is 34 turns');
    await call('forget', { confirm: structured.confirm });
    expect(deletions()).toEqual([{ user_id: 'ada', session_id: 'tuesday' }]);
  });

  it('says so when the key may not read how much there is, and still takes two calls', async () => {
    const { call } = await connected(script, {}, { ...BOUND, roles: ['memory:write'] });
    const { text, structured } = await call('forget', {});
    expect(text).toContain('for good. This API key may not read how much that is.\nAsk');
    expect(paths().filter(path => path.startsWith('/memory'))).toEqual([]);
    await call('forget', { confirm: structured.confirm });
    expect(deletions()).toHaveLength(1);
  });

  it('gives no code while what there is can not be read', async () => {
    const { call } = await connected(answering('/memory/sessions', 503, { message: 'Out of reach.' }));
    const { text, isError, structured } = await call('forget', { user: 'ada', all: true });
    expect([isError, text, structured]).toEqual([true, expect.stringContaining('Out of reach.'), undefined]);
  });
});
