import { describe, expect, it } from 'vitest';
import { answering, recalled, toolsOnStub } from '../../../../../support/http/mcp-tools.ts';

const { connected, lastSeen, paths } = toolsOnStub();

describe('recall', () => {
  it('passes everything on, a day as the whole of it', async () => {
    const { call } = await connected(answering('/recall', 200, recalled()));
    const options = { mode: 'deep', kinds: ['turn', 'entity'], since: '2026-04-01', until: '2026-04-02' };
    await call('recall', { question: 'Where?', user: 'ada', session: 's', limit: 5, ...options });
    expect(lastSeen().body).toEqual({
      scope: { org_id: 'any', user_id: 'ada', session_id: 's' },
      q: 'Where?',
      mode: 'deep',
      top_k: 5,
      kinds: ['turn', 'entity'],
      passages: true,
      since: '2026-04-01T00:00:00.000Z',
      until: '2026-04-02T23:59:59.999Z',
    });
  });

  it('asks for the default user in all sessions, whatever session is written to', async () => {
    const { call } = await connected(answering('/recall', 200, recalled()), { user: 'ada', session: 'now' });
    await call('recall', { question: 'Where?' });
    expect(lastSeen().body).toEqual({
      scope: { org_id: 'any', user_id: 'ada' },
      q: 'Where?',
      top_k: 5,
      passages: true,
    });
    await call('recall', { question: 'Where?', user: 'ben' });
    expect(lastSeen().body).toMatchObject({ scope: { user_id: 'ben' } });
  });

  it('returns a context instead of hits where it is asked for', async () => {
    const context = 'Quoted.\nWhat was said:\n- [2026-04-02] Ada: "Lisbon"';
    const answer = { ...recalled(), confidence: 0.9, context };
    const { call } = await connected(answering('/recall', 200, answer));
    const { text } = await call('recall', { question: 'Where?', context: 300 });
    expect(text).toBe(`Confidence 0.90. Very likely answered by what follows. Answer from it.\n\n${context}`);
    expect(lastSeen().body).toMatchObject({
      include_context: true,
      context_max_tokens: 300,
      include_hits: false,
    });
    expect((await call('recall', { question: 'Where?', context: 49 })).isError).toBe(true);
  });

  it('asks for five hits, and in deep mode for ten, unless a limit is given', async () => {
    const { call } = await connected(answering('/recall', 200, recalled()));
    const asked = async (more: object) => {
      await call('recall', { question: 'Where?', ...more });
      return (lastSeen().body as { top_k: number }).top_k;
    };
    expect([await asked({}), await asked({ mode: 'deep' }), await asked({ limit: 12 })]).toEqual([5, 10, 12]);
  });

  it('takes query for question, but no two different questions', async () => {
    const { call } = await connected(answering('/recall', 200, recalled()));
    for (const args of [
      { query: 'Where?' },
      { query: 'Where?', question: null },
      { query: 'Where?', question: 'Where?' },
      { query: null, question: 'Where?' },
    ]) {
      expect((await call('recall', args)).isError).toBe(false);
      expect(lastSeen().body).toMatchObject({ q: 'Where?' });
    }
    const both = await call('recall', { query: 'Where?', question: 'When?' });
    expect([both.isError, both.text]).toEqual([true, expect.stringContaining('Unrecognized key: "query"')]);
    expect((await call('recall', {})).text).toMatch(/question/);
  });

  it('reads null as left out, and lists and objects from a string of JSON', async () => {
    const { call } = await connected(answering('/recall', 200, recalled()));
    const nothing = {
      user: null,
      session: null,
      mode: null,
      since: null,
      until: null,
      limit: null,
      context: null,
    };
    await call('recall', {
      question: 'Where?',
      ...nothing,
      kinds: '["turn", "entity"]',
      filter: '{"key": "agent_id", "eq": null}',
    });
    expect(lastSeen().body).toEqual({
      scope: { org_id: 'any' },
      q: 'Where?',
      top_k: 5,
      kinds: ['turn', 'entity'],
      filter: { key: 'agent_id', eq: null },
      passages: true,
    });
    for (const kinds of ['turn', '"turn"', '["turn"', '["all"]', '{"0": "turn"}', [null]])
      expect([kinds, (await call('recall', { question: 'Where?', kinds })).isError]).toEqual([kinds, true]);
    expect((await call('recall', { question: 'Where?', nothing: null })).text).toContain(
      'Unrecognized key: "nothing"',
    );
    // A string stays a string, whatever it looks like.
    await call('recall', { question: '["Where?"]' });
    expect(lastSeen().body).toMatchObject({ q: '["Where?"]' });
  });

  it('tells what of its arguments is wrong', async () => {
    const { call } = await connected();
    const { isError, text } = await call('recall', { question: 'Where?', mode: 'fast' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/mode/)]);
    expect(paths()).toEqual([]);
  });
});
