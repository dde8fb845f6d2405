import { describe, expect, it } from 'vitest';
import type { Embed, EmbedOutcome } from '../../../../../core/ports.ts';
import { makeEmbedTurns } from '../../../../../services/workers/embedder/embed-turns.ts';
import type { ServiceCounts } from '../../../../../services/workers/enricher/patience.ts';
import { until } from '../../../../support/wait.ts';

const open = new AbortController().signal;
const PROBE = 'Good morning.';
const vector = (text: string): Int8Array => Int8Array.of(text.length % 100, 1);
/** Returns the vectors of a turn that is read alone. */
const alone = (text: string): Int8Array[] => [vector(text), vector(text)];

/** Asks a model that answers as `answer` says, with pauses of next to nothing. */
const make = (answer: (texts: readonly string[]) => EmbedOutcome | undefined = () => undefined) => {
  const asked: (readonly string[])[] = [];
  let state: ServiceCounts | undefined;
  const embed: Embed = {
    embed: async ({ texts }) => {
      asked.push(texts);
      return answer(texts) ?? { kind: 'embedded', vectors: texts.map(vector) };
    },
  };
  const embedTurns = makeEmbedTurns({
    embed,
    model: 'model-a',
    onState: now => {
      state = { ...now };
    },
    random: () => 0,
    pace: 0.0001,
  });
  const embedAll = (texts: readonly string[], signal: AbortSignal, hasExpired = (_: string) => false) =>
    embedTurns(
      texts.map(text => ({ turn: { role: 'Ada', text }, hasExpired: () => hasExpired(text) })),
      signal,
    );
  const embedWith = (text: string, before: string, hasExpired = () => false) =>
    embedTurns(
      [
        {
          turn: { role: 'Ben', text },
          before: { role: 'Ada', text: before, hasExpired },
          hasExpired: () => false,
        },
      ],
      open,
    );
  return { embedTurns: embedAll, embedWith, asked, state: () => state };
};
const CONTEXT = 'Ada: Where?\nBen: In Rome.';

describe('vectors of turns', () => {
  it('are asked for together, and belong to their turns', async () => {
    const { embedTurns, asked } = make();
    const texts = ['a dog', 'a red van', 'the clinic'];
    expect(await embedTurns(texts, open)).toEqual(texts.map(alone));
    expect(asked).toEqual([texts]);
  });

  it('are several of a long turn, in the order of its parts, over several requests', async () => {
    const { embedTurns, asked } = make();
    const sentence = (n: number) => `${'word '.repeat(100 + n)}end.`;
    const long = Array.from({ length: 80 }, (_, n) => sentence(n)).join(' ');
    const [before, vectors, after] = await embedTurns(['one', long, 'two'], open);
    const parts = asked.flat().filter(text => text.length > 10);
    expect(asked.length).toBeGreaterThan(1);
    for (const texts of asked) expect(texts.join('').length).toBeLessThanOrEqual(32_000);
    expect(parts.join(' ')).toBe(long);
    expect(vectors).toEqual([vector(parts[0]!), ...parts.map(vector)]);
    expect([before, after]).toEqual([alone('one'), alone('two')]);
  });

  it('are missing of the one turn that the endpoint won’t take, and of no other', async () => {
    const refused: EmbedOutcome = { kind: 'refused', reason: 'HTTP 400' };
    const { embedTurns, state } = make(texts => (texts.includes('bad') ? refused : undefined));
    const found = await embedTurns(['one', 'bad', 'two'], open);
    expect(found).toEqual([alone('one'), undefined, alone('two')]);
    expect(state()).toMatchObject({ givenUp: 1, waitsFor: null });
  });

  it('are waited for while the endpoint answers nobody: nothing is given up', async () => {
    let away = true;
    const { embedTurns, asked, state } = make(() =>
      away ? { kind: 'away', reason: 'an answer without vectors' } : undefined,
    );
    const found = embedTurns(['one', 'two'], open);
    await until('it waits', () => state()?.waitsFor === 'an answer without vectors');
    expect(asked).toContainEqual([PROBE]);
    away = false;
    expect(await found).toEqual([alone('one'), alone('two')]);
    expect(state()).toMatchObject({ givenUp: 0, waitsFor: null });
  });

  it('are waited for while another model has the name', async () => {
    let changed = false;
    const { embedTurns, state } = make(texts =>
      changed ? { kind: 'embedded', vectors: texts.map(() => Int8Array.of(1, 2, 3)) } : undefined,
    );
    await embedTurns(['one'], open);
    changed = true;
    const found = embedTurns(['two'], open);
    await until('it waits', () => state()?.waitsFor === 'vectors of 3 components, not 2');
    changed = false;
    expect(await found).toEqual([alone('two')]);
  });

  it('are not asked for of a turn that expires while it waits', async () => {
    let away = true;
    const { embedTurns, asked, state } = make(() =>
      away ? { kind: 'away', reason: 'HTTP 503' } : undefined,
    );
    const found = embedTurns(['one', 'old'], open, text => text === 'old' && !away);
    await until('it waits', () => state()?.waitsFor === 'HTTP 503');
    const before = asked.length;
    away = false;
    expect(await found).toEqual([alone('one'), undefined]);
    expect(asked.slice(before).flat()).not.toContain('old');
    expect(state()).toMatchObject({ givenUp: 0 });
  });

  it('are of a turn in its context, then of its own words', async () => {
    const { embedWith, asked } = make();
    expect(await embedWith('In Rome.', 'Where?')).toEqual([[vector(CONTEXT), vector('In Rome.')]]);
    expect(asked).toEqual([[CONTEXT, 'In Rome.']]);
  });

  it('are of its own words alone where these are taken and those in context are not', async () => {
    const { embedWith, state } = make(texts =>
      texts.includes(CONTEXT) ? { kind: 'refused', reason: 'HTTP 400' } : undefined,
    );
    expect(await embedWith('In Rome.', 'Where?')).toEqual([alone('In Rome.')]);
    expect(state()).toMatchObject({ givenUp: 0 });
  });

  it('are of nothing that the turn before says once that has expired', async () => {
    let away = true;
    const { embedWith, asked, state } = make(() => (away ? { kind: 'away', reason: 'HTTP 503' } : undefined));
    const found = embedWith('In Rome.', 'Where?', () => !away);
    await until('it waits', () => state()?.waitsFor === 'HTTP 503');
    const before = asked.length;
    away = false;
    expect(await found).toEqual([alone('In Rome.')]);
    expect(asked.slice(before).flat()).not.toContain(CONTEXT);
  });

  it('end with the process that asks', async () => {
    const { embedTurns } = make(() => ({ kind: 'away', reason: 'HTTP 500' }));
    const abort = new AbortController();
    const found = embedTurns(['one'], abort.signal);
    setTimeout(() => abort.abort(new Error('closing')), 20);
    await expect(found).rejects.toThrow();
  });
});
