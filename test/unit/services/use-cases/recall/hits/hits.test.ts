import { expect, it } from 'vitest';
import type { ChosenHit, Kind, StoredFragment } from '../../../../../../core/ports.ts';
import { prepare } from '../../../../../../domain/ranking/features/features.ts';
import { rank } from '../../../../../../domain/ranking/rank.ts';
import { chooseHits, type HitPorts } from '../../../../../../services/use-cases/recall/hits/hits.ts';
import { language } from '../../../../domain/language/fixture.ts';
import { type Said, scopeOf } from '../../../../domain/ranking/scope.ts';

const texts = ['I adopted a puppy named Rex.', 'The train was late.', 'Soup again today.', 'Nice weather!'];
const scope = scopeOf([texts.map((text): Said => ({ role: 'Ann', text }))]);
const at = { user: 'ada', session: 's', role: 'Ann' };
const turns = scope.candidates.map(
  ({ key, timestamp }): StoredFragment => ({
    ...at,
    key,
    id: `trn_${scope.candidates[key]!.id}`,
    kind: 'turn',
    text: texts[key]!,
    timestamp,
  }),
);
/** It says what is asked for in the very words of the question, so it would stand first. */
const observation: StoredFragment = {
  ...at,
  key: 99,
  id: 'obs_99',
  kind: 'observation',
  text: 'Which puppy did Ann adopt: the puppy that Ann did adopt is Rex.',
  timestamp: turns[0]!.timestamp,
  sourceTurnId: turns[0]!.id,
  source: 'rules',
};
const details: HitPorts['details'] = {
  observationsOf: async () => [observation],
  turnsOf: async () => [],
  entitiesOf: async () => [{ id: 'ent_1', label: 'Rex', kind: 'animal', turnIds: [turns[0]!.id] }],
};

const choose = async (kinds: Kind[], topK: number, explained = false, stored = turns) => {
  const { query, statistics } = scope.ask('Which puppy did Ann adopt?');
  const prepared = prepare(query, statistics, scope.candidates);
  const retrieved = {
    prepared,
    ranked: rank(prepared, scope.candidates),
    confidence: 1,
    follows: () => false,
    fragments: async (keys: readonly number[]) =>
      new Map(stored.filter(({ key }) => keys.includes(key)).map(each => [each.key, each])),
  };
  return chooseHits({ details, language }, retrieved, {
    scope: { org: 'acme' },
    q: 'Which puppy did Ann adopt?',
    kinds: new Set(kinds),
    topK,
    explain: explained,
  });
};

const ask = async (...wanted: Parameters<typeof choose>): Promise<ChosenHit[]> => {
  const chosen = await choose(...wanted);
  return chosen === 'erased' ? expect.fail('erased') : chosen;
};

it('reports that a candidate was erased since it was ranked', async () => {
  expect(await choose(['turn'], 30, false, turns.slice(1))).toBe('erased');
  expect(await choose(['entity'], 30, false, [])).toHaveLength(1);
});

it('puts what was made of turns behind the turns, so that no turn loses its place by it', async () => {
  const all = await ask(['turn', 'observation', 'entity'], 30);
  const alone = await ask(['turn'], 30);
  expect(all.slice(0, 4)).toEqual(alone);
  expect(
    all
      .slice(4)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['entity', 'observation']);
  const scores = all.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

it('ranks it by what it says where no turn is asked for', async () => {
  const [hit] = await ask(['observation'], 30);
  expect(hit).toMatchObject({ kind: 'observation', sourceTurnIds: [turns[0]!.id] });
  expect(hit!.score).toBeGreaterThan(0.05);
});

it('explains a score behind the turns by the least of theirs', async () => {
  const all = await ask(['turn', 'observation'], 30, true);
  const hit = all.find(({ kind }) => kind === 'observation')!;
  const { base, parts, factor } = 'explanation' in hit ? hit.explanation! : expect.fail('no explanation');
  expect(factor).toBe(all.at(-2)!.score);
  expect(factor / (1 + Math.exp(-parts.reduce((sum, part) => sum + part.logOdds, base)))).toBeCloseTo(
    hit.score,
    9,
  );
});
