import { describe, expect, it, vi } from 'vitest';
import type { Retrieval, StoredFragment } from '../../../../../core/ports.ts';
import { NO_NEIGHBOURS } from '../../../../../domain/search/document.ts';
import { makeRankCandidates, makeSearch } from '../../../../../services/use-cases/recall/search.ts';
import { language } from '../../../domain/language/fixture.ts';
import { scopeOf, smallTalk } from '../../../domain/ranking/scope.ts';

const scope = scopeOf(Array.from({ length: 10 }, () => smallTalk(12)));
const around = new Map(scope.candidates.map(({ key, neighbours }) => [key, neighbours]));

const indexOf = (complete: boolean) => {
  const surround = vi.fn(
    async (_snapshot: unknown, keys: readonly number[]) => new Map(keys.map(key => [key, around.get(key)!])),
  );
  const candidates = scope.candidates.map(candidate => ({ ...candidate, neighbours: NO_NEIGHBOURS }));
  const { statistics } = scope.ask('soup');
  const index: Pick<Retrieval, 'retrieve' | 'fragments' | 'vectors'> = {
    retrieve: async (_scope, analyse) => ({
      query: analyse(scope.speakers),
      complete,
      candidates,
      statistics,
      snapshot: 'the only one',
    }),
    fragments: async () => {
      throw new Error('not asked for');
    },
    vectors: async () => {
      throw new Error('not asked for');
    },
  };
  return { ...index, surround };
};

const soup = (mode: 'active' | 'deep') => ({ scope: { org: 'acme' }, q: 'soup', mode, tail: [], moment: 0 });

describe.each(['active', 'deep'] as const)('ranking, %s', mode => {
  it('ranks all of a small scope with the turns around them', async () => {
    const index = indexOf(true);
    const { ranked } = await makeRankCandidates({ retrieval: index, language })(soup(mode));
    expect(index.surround.mock.calls[0]![1]).toHaveLength(scope.candidates.length);
    for (const { candidate } of ranked) expect(candidate.neighbours).toBe(around.get(candidate.key));
  });

  it('reads the turns around the best of a large scope alone', async () => {
    const index = indexOf(false);
    const { ranked } = await makeRankCandidates({ retrieval: index, language })(soup(mode));
    const asked = new Set(index.surround.mock.calls.flatMap(([_, keys]) => keys));
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

describe('search', () => {
  const listing = { entities: async () => [], entitiesById: async () => [] };
  const stored = new Map(
    scope.candidates.map(({ key, id, role, timestamp }) => {
      const said = { user: 'ada', session: 's', role, timestamp };
      return [key, { ...said, key, id: `trn_${id}`, kind: 'turn' as const, text: 'Soup.' }];
    }),
  );
  const searchWith = (...reads: ReadonlyMap<number, StoredFragment>[]) => {
    const fragments = vi.fn(async () => reads.shift() ?? stored);
    const none = async () => [];
    const details = {
      observationsOf: none,
      facts: async () => ({ facts: [], corrections: [] }),
      turnsOf: none,
      entitiesOf: none,
      nameCorrections: none,
    };
    const index = { ...indexOf(true), ...details, fragments };
    return {
      fragments,
      found: makeSearch({ retrieval: index, details: index, listing, language })({
        ...soup('active'),
        kinds: ['turn'],
        topK: 3,
        moment: 0,
      }),
    };
  };

  it('starts again when a turn was erased after it was found', async () => {
    const { fragments, found } = searchWith(new Map());
    expect((await found).chosen).toHaveLength(3);
    expect(fragments).toHaveBeenCalledTimes(2);
  });

  it('has what was extracted from the turns among the hits, where a timeline may tell it', async () => {
    const observationsOf = vi.fn(async (_scope: unknown, turnIds: readonly string[]) =>
      turnIds.map((sourceTurnId, key): StoredFragment => {
        const made = { user: 'ada', session: 's', role: 'Ada', timestamp: 0, source: 'rules' as const };
        return { ...made, key, id: `obs_${key}`, kind: 'observation', text: 'Ada made soup.', sourceTurnId };
      }),
    );
    const index = {
      ...indexOf(true),
      observationsOf,
      facts: async () => ({ facts: [], corrections: [] }),
      turnsOf: async () => [],
      entitiesOf: async () => [],
      nameCorrections: async () => [],
      fragments: async () => stored,
    };
    const search = makeSearch({ retrieval: index, details: index, listing, language });
    const asked = { ...soup('active'), topK: 3, moment: 0 };
    const { chosen, facts } = await search({ ...asked, kinds: ['turn', 'observation'], timeline: true });
    const turns = chosen.flatMap(hit => (hit.kind === 'turn' ? [hit.fragment.id] : []));
    expect(facts!.map(({ sourceTurnId }) => sourceTurnId)).toEqual(turns);
    expect(await search({ ...asked, kinds: ['turn'], timeline: true })).not.toHaveProperty('facts');
    expect(await search({ ...asked, kinds: ['turn', 'observation'] })).not.toHaveProperty('facts');
  });

  it('fails when that happens twice', async () => {
    await expect(searchWith(new Map(), new Map()).found).rejects.toThrow('erased');
  });
});
