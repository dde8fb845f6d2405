import { describe, expect, it, vi } from 'vitest';
import { NO_NEIGHBOURS } from '../../../../../projections/recall/document.ts';
import type { RecallIndex } from '../../../../../services/core/ports.ts';
import { makeRetrieve } from '../../../../../services/use-cases/recall/retrieve.ts';
import { language } from '../../../projections/language/fixture.ts';
import { scopeOf, smallTalk } from '../../../projections/ranking/scope.ts';

const scope = scopeOf(Array.from({ length: 10 }, () => smallTalk(12)));
const around = new Map(scope.candidates.map(({ key, neighbours }) => [key, neighbours]));

const retrieveFrom = (complete: boolean) => {
  const neighbours = vi.fn(
    async (keys: readonly number[]) => new Map(keys.map(key => [key, around.get(key)!])),
  );
  const candidates = scope.candidates.map(candidate => ({ ...candidate, neighbours: NO_NEIGHBOURS }));
  const { statistics } = scope.ask('soup');
  const index: Pick<RecallIndex, 'retrieve'> = {
    retrieve: async (_scope, analyse) => ({
      query: analyse(scope.speakers),
      complete,
      candidates,
      statistics,
      neighbours,
      fragment: () => {
        throw new Error('not asked for');
      },
    }),
  };
  return { neighbours, retrieve: makeRetrieve({ index, language }) };
};

describe.each(['active', 'deep'] as const)('retrieve, %s', mode => {
  it('ranks all of a small scope with the turns around them', async () => {
    const { neighbours, retrieve } = retrieveFrom(true);
    const { ranked } = await retrieve({ org: 'acme' }, 'soup', mode, []);
    expect(neighbours.mock.calls[0]![0]).toHaveLength(scope.candidates.length);
    for (const { candidate } of ranked) expect(candidate.neighbours).toBe(around.get(candidate.key));
  });

  it('reads the turns around the best of a large scope alone', async () => {
    const { neighbours, retrieve } = retrieveFrom(false);
    const { ranked } = await retrieve({ org: 'acme' }, 'soup', mode, []);
    const asked = new Set(neighbours.mock.calls.flatMap(([keys]) => keys));
    expect(asked.size).toBe(80);
    expect(ranked).toHaveLength(scope.candidates.length);
    for (const { candidate } of ranked) {
      expect(candidate.neighbours).toBe(asked.has(candidate.key) ? around.get(candidate.key) : NO_NEIGHBOURS);
    }
    // The soup itself is among them.
    const holding = scope.candidates.filter((_, i) => i % 12 === 2 || i % 12 === 6 || i % 12 === 10);
    expect(holding.slice(0, 20).every(({ key }) => asked.has(key))).toBe(true);
  });
});
