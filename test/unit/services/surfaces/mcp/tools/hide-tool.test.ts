import { beforeEach, describe, expect, it } from 'vitest';
import { toolsOnStub } from '../../../../../support/http/mcp-tools.ts';
import type { Script, StubAnswer } from '../../../../../support/http/stub-service.ts';

const { connected, seen } = toolsOnStub();

const TURN = {
  id: 'trn_1',
  user_id: 'ada',
  session_id: 'monday',
  role: 'Ada',
  text: 'My PIN is 1234.\n2. forged\u200b',
  timestamp: '2026-04-01T08:00:00.000Z',
  observations: [{ id: 'obs_1' }],
  entities: [],
  recorded_at: null,
};

describe('forget with an id', () => {
  let deletion: StubAnswer[];
  beforeEach(() => {
    deletion = [{ status: 204 }];
  });
  const missing: StubAnswer = { status: 404, body: { message: 'There is no such turn.' } };
  const script: Script = ({ method, path }) => {
    if (method === 'DELETE') return deletion.shift() ?? missing;
    return path === '/memory/turns/trn_1' ? { status: 200, body: TURN } : undefined;
  };
  const requests = () =>
    seen()
      .filter(({ path }) => path.startsWith('/memory'))
      .map(({ method, path }) => `${method} ${path}`);
  const deletions = () => requests().filter(request => request.startsWith('DELETE'));

  it('first quotes the turn and gives a code, then hides that alone', async () => {
    const { call } = await connected(script, { user: 'ada', session: 'now' });
    const first = await call('forget', { id: 'trn_1' });
    const { confirm } = first.structured;
    expect(first.text.split('\n')).toEqual([
      'Nothing has been hidden yet. This would hide the turn trn_1, for good. It disappears from every answer, with the facts and names found in it.',
      'It says, as a quotation:',
      '2026-04-01 08:00Z Ada: My PIN is 1234.',
      '   > 2. forged',
      'It has 1 fact.',
      `Ask the person. If they agree, call forget again within ten minutes with the same id and confirm: "${confirm}"`,
    ]);
    expect(first.structured).toEqual({ erased: false, hidden: false, id: 'trn_1', confirm });
    expect(deletions()).toEqual([]);

    const second = await call('forget', { id: 'trn_1', confirm });
    expect(second.text).toMatch(
      /^Hidden the turn trn_1, for good\. .* destroyed when its session is erased\.$/,
    );
    expect(second.structured).toEqual({ erased: false, hidden: true, id: 'trn_1' });
    expect(deletions()).toEqual(['DELETE /memory/turns/trn_1']);
    expect(await call('forget', { id: 'trn_1', confirm })).toEqual(second);
    expect(deletions()).toHaveLength(1);
  });

  it('hides a fact without its turn', async () => {
    const { call } = await connected(script);
    const { text, structured } = await call('forget', { id: 'obs_1' });
    expect(text).toContain('This would hide the fact obs_1, for good.');
    expect(text).toContain('the value before it holds again; its turn stays');
    await call('forget', { id: 'obs_1', confirm: structured.confirm });
    expect(requests()).toEqual(['DELETE /memory/observations/obs_1']);
  });

  it.each([{ user: 'ada' }, { session: 'monday' }, { all: true }, { all: false }])(
    'is no part of a scope: %o',
    async scope => {
      const { call } = await connected(script);
      const { confirm } = (await call('forget', { id: 'trn_1' })).structured;
      expect(await call('forget', { id: 'trn_1', confirm, ...scope })).toMatchObject({
        isError: true,
        text: 'Name either an id, or a user, session or all. Nothing was hidden or erased.',
      });
      expect(deletions()).toEqual([]);
    },
  );

  it('takes no code of another id, of an erasure or of long ago', async () => {
    let now = Date.parse('2026-04-02T09:30:00Z');
    const { call } = await connected(
      script,
      { user: 'ada' },
      { user_id: 'ada', roles: ['memory:write'] },
      () => now,
    );
    const code = async (args: object) => (await call('forget', { ...args })).structured.confirm as string;
    const ofTurn = await code({ id: 'trn_1' });
    const refused = { isError: true, text: expect.stringContaining('This call hid nothing.') };
    for (const confirm of ['', 'yes', 'trn_1', await code({ id: 'trn_2' }), await code({ session: 'trn_1' })])
      expect(await call('forget', { id: 'trn_1', confirm })).toMatchObject(refused);
    expect(await call('forget', { session: 'trn_1', confirm: ofTurn })).toMatchObject({ isError: true });
    now += 600_000;
    expect(await call('forget', { id: 'trn_1', confirm: ofTurn })).toMatchObject(refused);
    expect(deletions()).toEqual([]);
  });

  it.each(['ent_1', 'monday', 'trn_', 'trn_1/..'])('of %s sends nothing', async id => {
    const { call } = await connected(script);
    expect(await call('forget', { id })).toMatchObject({
      isError: true,
      text: `"${id}" is the id neither of a turn (trn_…) nor of a fact (obs_…). Nothing was hidden.`,
    });
    expect(requests()).toEqual([]);
  });

  it('says so when there is no such turn or fact', async () => {
    const { call } = await connected(script);
    expect(await call('forget', { id: 'trn_9' })).toMatchObject({
      isError: true,
      text: 'Memory has no such turn trn_9: nothing was hidden.',
    });
    deletion = [];
    const { confirm } = (await call('forget', { id: 'obs_9' })).structured;
    expect(await call('forget', { id: 'obs_9', confirm })).toMatchObject({
      isError: true,
      text: 'Memory has no such fact obs_9: nothing was hidden.',
    });
  });

  it('takes a 404 after a 503 for hidden', async () => {
    const { call } = await connected(script);
    const { confirm } = (await call('forget', { id: 'trn_1' })).structured;
    deletion = [{ status: 503, body: { message: 'The projections are behind.' } }];
    expect((await call('forget', { id: 'trn_1', confirm })).structured).toMatchObject({ hidden: true });
    expect(deletions()).toHaveLength(2);
  });

  it('does not quote to a key that may not read', async () => {
    const { call } = await connected(script, {}, { user_id: 'ada', roles: ['memory:write'] });
    const { text, structured } = await call('forget', { id: 'trn_1' });
    expect(text).toContain('\nThis API key may not read what it says.\n');
    expect(requests()).toEqual([]);
    await call('forget', { id: 'trn_1', confirm: structured.confirm });
    expect(deletions()).toHaveLength(1);
  });
});
