import { describe, expect, it } from 'vitest';
import { answering, toolsOnStub } from '../../../../../support/http/mcp-tools.ts';

const { connected, lastSeen, paths } = toolsOnStub();

describe('remember', () => {
  it('stores one text of the person, said now, under the defaults', async () => {
    const { call } = await connected(undefined, { user: 'ada', session: 'now' });
    const { text, structured } = await call('remember', { text: 'I moved to Lyon.' });
    expect(lastSeen().body).toEqual({
      scope: { org_id: 'any', user_id: 'ada', session_id: 'now' },
      turns: [{ role: 'user', text: 'I moved to Lyon.', timestamp: '2026-04-02T09:30:00.000Z' }],
    });
    expect(text).toBe('Remembered 1 turn in the session "now" of the user "ada".');
    expect(structured).toEqual({ turn_ids: ['turn-0'], tokens_billed: 1 });
  });

  it('keeps the order of turns that were said just now, and the times of others', async () => {
    const { call } = await connected();
    const { text } = await call('remember', {
      turns: [
        { role: 'Ada', text: 'one' },
        { role: 'Ben', text: 'two', timestamp: '2026-01-01T00:00:00+01:00' },
        { role: 'Ada', text: 'three' },
      ],
      user: 'ada',
    });
    const { turns } = lastSeen().body as { turns: { timestamp: string }[] };
    expect(turns.map(({ timestamp }) => timestamp)).toEqual([
      '2026-04-02T09:29:59.998Z',
      '2026-01-01T00:00:00+01:00',
      '2026-04-02T09:30:00.000Z',
    ]);
    expect(text).toBe('Remembered 3 turns in the default session of the user "ada".');
  });

  it('reads turns from a string of JSON, and null in them as left out', async () => {
    const { call } = await connected();
    const turns = [
      { role: 'Ada', text: 'one', timestamp: null },
      '{"role": "Ben", "text": "two", "timestamp": "2026-01-01T00:00:00Z"}',
    ];
    const nothing = { text: null, role: null, timestamp: null, user: null, session: null };
    const { isError } = await call('remember', { ...nothing, turns: JSON.stringify(turns) });
    expect(isError).toBe(false);
    expect(lastSeen().body).toEqual({
      scope: { org_id: 'any' },
      turns: [
        { role: 'Ada', text: 'one', timestamp: '2026-04-02T09:29:59.999Z' },
        { role: 'Ben', text: 'two', timestamp: '2026-01-01T00:00:00Z' },
      ],
    });
    const wrong = await call('remember', { turns: '[{"role": "Ada"}]' });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringMatching(/turns\[0\]\.text/)]);
  });

  it.each([
    {},
    { text: 'a', turns: [{ role: 'user', text: 'b' }] },
    { turns: [{ role: 'user', text: 'b' }], timestamp: '2026-01-01T00:00:00Z' },
    { turns: [{ role: 'user', text: 'b' }], role: 'Ada' },
    { role: 'Ada' },
    { text: '   ' },
    {
      turns: [
        { role: 'user', text: 'b' },
        { role: 'user', text: '\n\t' },
      ],
    },
  ])('stores nothing of %o', async args => {
    const { call } = await connected();
    expect(await call('remember', args)).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nothing was stored'),
    });
    expect(paths()).toEqual([]);
  });

  it('names the user and the session of the key where it goes by them', async () => {
    const { call } = await connected(undefined, {}, { user_id: 'ada', session_id: 'tuesday', roles: [] });
    expect((await call('remember', { text: 'a' })).text).toBe(
      'Remembered 1 turn in the session "tuesday" of the user "ada".',
    );
  });

  it('says when all of it was known', async () => {
    const body = { job_id: 'j', active_fragment_ids: ['t'], passive_job_id: null, usage: { tokens_in: 0 } };
    const { call } = await connected(answering('/ingestion', 202, body));
    expect((await call('remember', { text: 'a' })).text).toMatch(/stored before, so nothing was added\.$/);
  });
});
