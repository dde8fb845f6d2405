import { describe, expect, it } from 'vitest';
import type { ChosenHit } from '../../../../../../core/ports.ts';
import { countTokens } from '../../../../../../core/tokens/count.ts';
import { makeRender, type Returned } from '../../../../../../services/use-cases/recall/receipt/render.ts';

const turn = (i: number, score: number, text = `The thing of number ${i} is blue.`): ChosenHit => ({
  kind: 'turn',
  score,
  explanation: undefined,
  fragment: {
    key: i,
    id: `trn_${i}`,
    kind: 'turn',
    user: 'u',
    session: 's',
    role: 'Ada',
    text,
    timestamp: Date.parse('2026-02-01T00:00:00Z') + i * 86_400_000,
  },
});
const entity = (label: string, score: number): ChosenHit => ({
  kind: 'entity',
  score,
  entity: { id: `ent_${label}`, label, turnIds: [], mentionedAs: `ent_${label}` },
});

const ALL: Returned = {
  minScore: 0,
  maxTokens: Number.POSITIVE_INFINITY,
  passages: false,
  includeHits: true,
  includeTimeline: false,
  contextTokens: undefined,
};

const long = turn(2, 0.8, 'A sentence that goes on and on. '.repeat(100));
const CHOSEN = [turn(1, 0.9), long, entity('Porto', 0.7), turn(3, 0.6), turn(4, 0.1)];

const rendered = async (
  returned: Partial<Returned>,
  chosen = CHOSEN,
  render = makeRender(),
  quoted = chosen,
) => {
  const found = { chosen, quoted, holds: [], confidence: 0.7 };
  const counted: string[] = [];
  const answer = await render(found, { ...ALL, ...returned }, async texts => {
    counted.push(...texts);
    return texts.map(countTokens);
  });
  const { hits, timeline, context, tokensOut } = answer;
  const texts = [
    ...[...hits.turns, ...hits.observations].map(({ text }) => text),
    ...hits.entities.map(({ label }) => label),
    ...[timeline, context].filter(text => text !== null),
  ];
  expect(tokensOut).toBe(texts.reduce((sum, text) => sum + countTokens(text), 0));
  return {
    ...answer,
    counted,
    ids: [...hits.turns, ...hits.entities].sort((a, b) => b.score - a.score).map(({ id }) => id),
  };
};

describe('render', () => {
  it('bills what it returns, whatever was asked for', async () => {
    for (const includeHits of [true, false])
      for (const includeTimeline of [true, false])
        for (const contextTokens of [undefined, 50, 800])
          for (const minScore of [0, 0.65, 1])
            for (const maxTokens of [1, 40, Number.POSITIVE_INFINITY])
              await rendered({ includeHits, includeTimeline, contextTokens, minScore, maxTokens });
  });

  it('has the hits from min_score on, also in context and timeline', async () => {
    const { ids, context, timeline } = await rendered({
      minScore: 0.7,
      contextTokens: 800,
      includeTimeline: true,
    });
    expect(ids).toEqual(['trn_1', 'trn_2', 'ent_Porto']);
    expect(`${context}${timeline}`).not.toContain('number 3');
    expect(await rendered({ minScore: 0.95, contextTokens: 800 })).toMatchObject({
      confidence: 0,
      context: null,
      tokensOut: 0,
    });
  });

  it('passes over what exceeds max_tokens, to the token', async () => {
    const { ids, tokensOut, confidence } = await rendered({ maxTokens: 100 });
    expect(ids).toEqual(['trn_1', 'ent_Porto', 'trn_3', 'trn_4']);
    expect((await rendered({ maxTokens: tokensOut })).ids).toEqual(ids);
    expect((await rendered({ maxTokens: tokensOut - 1 })).ids).toEqual(['trn_1', 'ent_Porto', 'trn_3']);
    expect(confidence).toBe(0.7);
  });

  describe('of a long turn', () => {
    const text = ['All in all. 😀', 'The kettle is blue. 😀 It leaks.', 'And so on.']
      .join('\n\n ')
      .repeat(30);
    const from = text.indexOf('The kettle');
    const part = { from, to: text.indexOf('And') - 3 };
    const words = 'The kettle is blue. 😀 It leaks.';
    const parted = { ...turn(5, 0.8, text), part } as ChosenHit;
    const [before] = [turn(1, 0.9)];

    it('says which part matters, in characters, and has all of it unless the part is asked for', async () => {
      const all = (await rendered({}, [before!, parted])).hits.turns;
      const parts = (await rendered({ passages: true }, [before!, parted])).hits.turns;
      expect(all[0]).not.toHaveProperty('part');
      expect(all[1]).toMatchObject({ content: text, text: `[2026-02-06] [Ada] ${text}` });
      expect(parts[0]).toEqual(all[0]);
      expect(parts[1]).toEqual({ ...all[1]!, content: words, text: `[2026-02-06] [Ada] ${words}` });
      const { from, to } = all[1]!.part!;
      expect(Array.from(text).slice(from, to).join('')).toBe(words);
    });

    it('counts what is shown, whichever was counted before', async () => {
      const render = makeRender();
      for (const passages of [false, true, false]) await rendered({ passages }, [parted], render);
      const other = { ...parted, part: { from: 0, to: 11 } } as ChosenHit;
      await rendered({ passages: true }, [other], render);
    });

    it('quotes the part in the context and in the timeline', async () => {
      const wanted = { contextTokens: 200, includeTimeline: true, includeHits: false };
      const { context, timeline } = await rendered(wanted, [parted]);
      expect(context).toMatch(/\n- \[2026-02-06\] Ada: "… The kettle is blue\. 😀 It leaks\. …"$/u);
      expect(timeline).toBe(`2026-02-06: Ada: ${words}`);
      const first = { ...parted, part: { from: 0, to: 11 } } as ChosenHit;
      expect((await rendered(wanted, [first])).context).toContain('Ada: "All in all. …"');
    });

    it('has it within max_tokens', async () => {
      const all = await rendered({ maxTokens: 60 }, [parted, before!]);
      expect(all.ids).toEqual(['trn_1']);
      const { ids, tokensOut } = await rendered({ maxTokens: 60, passages: true }, [parted, before!]);
      expect(ids).toEqual(['trn_1', 'trn_5']);
      expect(tokensOut).toBeLessThanOrEqual(60);
    });
  });

  it('returns no hits with include_hits false, and is as confident', async () => {
    expect(await rendered({ includeHits: false })).toMatchObject({
      hits: { turns: [], observations: [], entities: [] },
      confidence: 0.7,
      context: null,
      tokensOut: 0,
      counted: [],
    });
    const { context } = await rendered({ includeHits: false, maxTokens: 1, contextTokens: 800 });
    expect(context).toBe((await rendered({ contextTokens: 800 })).context);
    const { timeline } = await rendered({ includeHits: false, includeTimeline: true });
    expect(timeline).toBe((await rendered({ includeTimeline: true })).timeline);
    expect((await rendered({ includeHits: false }, [])).confidence).toBe(0);
  });

  it('makes the context of more hits than it returns', async () => {
    const wanted = { contextTokens: 800, includeTimeline: true };
    const { ids, context, timeline } = await rendered(wanted, CHOSEN.slice(0, 1), makeRender(), CHOSEN);
    expect(ids).toEqual(['trn_1']);
    expect(context).toContain('number 4');
    expect(timeline).not.toContain('number 4');
  });

  it('counts a fragment once', async () => {
    const render = makeRender();
    expect((await rendered({}, CHOSEN, render)).counted).toHaveLength(5);
    expect((await rendered({}, CHOSEN, render)).counted).toEqual(['Porto']);
  });
});
