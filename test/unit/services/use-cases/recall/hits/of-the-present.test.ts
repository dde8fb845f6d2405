import { describe, expect, it, vi } from 'vitest';
import type { StoredFragment } from '../../../../../../core/ports.ts';
import { prepare } from '../../../../../../domain/ranking/features/features.ts';
import { rank } from '../../../../../../domain/ranking/rank.ts';
import { ofThePresent } from '../../../../../../services/use-cases/recall/hits/of-the-present.ts';
import type { Read } from '../../../../../../services/use-cases/recall/reader/start-reader.ts';
import { offlineScope } from '../../../../../../tools/evaluation/offline.ts';
import { language } from '../../../../domain/language/fixture.ts';

const LINES = [
  'I work at Veltrix, in the warehouse.',
  'the kettle is broken',
  'did it rain at yours too?',
  'work at Oderhaus begins at six, what a place.',
];
const QUESTION = 'Where does Ilse work?';

/** Puts what holds first among turns of a line a week, with or without a reader. */
const first = async (read?: Read, signal?: AbortSignal) => {
  const turns = LINES.map((text, i) => ({
    id: String(i),
    role: 'Ilse',
    text,
    timestamp: new Date(Date.UTC(2026, 0, 1 + 7 * i)).toISOString(),
  }));
  const scope = offlineScope(language, { id: 'c', sessions: [{ id: 's', turns }], questions: [] });
  const query = language.analyseQuery(QUESTION, scope.speakers);
  const prepared = prepare(query, scope.statistics(query.stems), scope.candidates);
  const given = {
    prepared,
    ranked: rank(prepared, scope.candidates),
    confidence: 0.5,
    follows: () => false,
    fragments: async (keys: readonly number[]) =>
      new Map(keys.map(key => [key, { text: scope.texts[key]! } as StoredFragment])),
  };
  const { ranking, isUnread } = await ofThePresent({ language, read }, QUESTION, given, signal);
  return { text: scope.texts[ranking.ranked[0]!.candidate.key]!, isUnread };
};

describe('the turn that says what holds', () => {
  it('is found by the features alone where there is no reader', async () => {
    expect(await first()).toEqual({ text: LINES[0], isUnread: false });
  });

  it('is the one that the reader takes for the answer, where its words say nothing', async () => {
    const read = vi.fn<Read>(async (_, turns) =>
      turns.map(({ sentences }) => (sentences[0] === LINES[3] ? 6 : -6)),
    );
    expect(await first(read)).toEqual({ text: LINES[3], isUnread: false });
    const [question, turns] = read.mock.calls[0]!;
    expect(question).toBe(QUESTION);
    expect(turns.map(({ role, sentences }) => `${role}: ${sentences}`)).toContain(`Ilse: ${LINES[0]}`);
  });

  it('is found by the features alone where the reader gives no answer, and that is said', async () => {
    expect(await first(async () => undefined)).toEqual({ text: LINES[0], isUnread: true });
  });

  it('is not waited for when the recall is cancelled', async () => {
    const cancelled = new AbortController();
    const read: Read = async (_question, _turns, signal) => {
      cancelled.abort(new Error('gone'));
      signal!.throwIfAborted();
      return undefined;
    };
    await expect(first(read, cancelled.signal)).rejects.toThrow('gone');
  });
});
